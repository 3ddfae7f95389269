/* line_bootstrap_images.c - draws images and counts how many of them each model has right; draws models too, if asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/xalloc.h"
#include "stats/line_bootstrap_private.h"
#include "stats/right_counts.h"

enum { X, Y, SETS, PARTS = 3 }; /* parts: images of x alone, of y alone, of both */

struct part {
    uint32_t n;
    right_row *rows[SETS]; /* [stripe * (n + 1) + image], NULL: images that the set has not; each stripe ends with a row of
                            * zeros, which fills draws up */
};
struct room { /* of one worker */
    uint32_t *drawn;         /* images, RIGHT_DRAWS */
    uint32_t *counts[SETS];  /* by model */
    uint32_t *models;        /* which were drawn */
    double *x, *y;
};
struct drawing {
    const struct bootstrap_images *im;
    size_t stripes;          /* of models */
    struct part parts[PARTS];
    double *place[SETS];     /* by count of right answers; NAN: none on the scale */
    struct room *rooms;
};

static const struct bootstrap_set *set_of(const struct bootstrap_images *im, int set)
{
    return set == X ? &im->x : &im->y;
}

/* ---- parts ---- */

static void set_row(const struct drawing *d, struct part *p, int set, uint32_t row, uint32_t image)
{
    const struct bootstrap_set *s = set_of(d->im, set);
    for (size_t m = 0; m < d->im->n_models; m++) {
        right_row *r = &p->rows[set][m / RIGHT_MODELS * ((size_t)p->n + 1) + row];
        (*r)[m / 64 % 2] |= (uint64_t)(s->right[m * s->n + image] != 0) << m % 64;
    }
}

static void rows_alloc(const struct drawing *d, struct part *p, int set)
{
    p->rows[set] = xcalloc(d->stripes * ((size_t)p->n + 1), sizeof **p->rows);
}

static void make_parts(struct drawing *d)
{
    const struct bootstrap_set *x = &d->im->x, *y = &d->im->y;
    struct part *parts = d->parts;
    uint32_t next[PARTS] = {0};
    struct map_u64 in_x, in_y;
    map_u64_init(&in_x);
    map_u64_init(&in_y);
    for (uint32_t i = 0; i < x->n; i++) {
        map_u64_put(&in_x, x->image[i], i);
    }
    for (uint32_t i = 0; i < y->n; i++) {
        map_u64_put(&in_y, y->image[i], i);
        parts[SETS].n += map_u64_get(&in_x, y->image[i]) != MAP_NONE;
    }
    parts[X].n = x->n - parts[SETS].n;
    parts[Y].n = y->n - parts[SETS].n;
    rows_alloc(d, &parts[X], X);
    rows_alloc(d, &parts[Y], Y);
    rows_alloc(d, &parts[SETS], X);
    rows_alloc(d, &parts[SETS], Y);
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t at = map_u64_get(&in_y, x->image[i]);
        int part = at == MAP_NONE ? X : SETS;
        set_row(d, &parts[part], X, next[part], i);
        if (at != MAP_NONE) {
            set_row(d, &parts[part], Y, next[part], at);
        }
        next[part]++;
    }
    for (uint32_t i = 0; i < y->n; i++) {
        if (map_u64_get(&in_x, y->image[i]) == MAP_NONE) {
            set_row(d, &parts[Y], Y, next[Y]++, i);
        }
    }
    map_u64_release(&in_x);
    map_u64_release(&in_y);
}

/* ---- one resample ---- */

static void count_drawn(const struct drawing *d, const struct part *p, struct room *r, size_t n)
{
    for (int set = X; set < SETS; set++) {
        for (size_t s = 0; s < d->stripes && p->rows[set]; s++) {
            size_t first = s * RIGHT_MODELS, models = d->im->n_models - first;
            right_counts_add(p->rows[set] + s * ((size_t)p->n + 1), r->drawn, n,
                             models < RIGHT_MODELS ? models : RIGHT_MODELS, r->counts[set] + first);
        }
    }
}

static void draw_part(const struct drawing *d, const struct part *p, struct room *r, struct rng *rng)
{
    for (uint32_t left = p->n; left;) {
        uint32_t n = left < RIGHT_DRAWS ? left : RIGHT_DRAWS;
        rng_fill_below(rng, p->n, r->drawn, n);
        left -= n;
        for (; n % RIGHT_STEP; n++) {
            r->drawn[n] = p->n;
        }
        count_drawn(d, p, r, n);
    }
}

static bool draw_images(void *arg, unsigned worker, struct rng *rng, double *slope, double *offset)
{
    const struct drawing *d = arg;
    struct room *r = &d->rooms[worker];
    size_t n = d->im->n_models;
    struct line l;
    bool placed = true;
    for (int set = X; set < SETS; set++) {
        memset(r->counts[set], 0, n * sizeof **r->counts);
    }
    for (int part = 0; part < PARTS; part++) {
        draw_part(d, &d->parts[part], r, rng);
    }
    if (d->im->models) {
        rng_fill_below(rng, (uint32_t)n, r->models, n);
    }
    for (size_t i = 0; i < n; i++) {
        size_t m = d->im->models ? r->models[i] : i;
        r->x[i] = d->place[X][r->counts[X][m]];
        r->y[i] = d->place[Y][r->counts[Y][m]];
        placed = placed && !isnan(r->x[i]) && !isnan(r->y[i]);
    }
    if (!placed || !line_fit(r->x, r->y, n, &l)) {
        return false;
    }
    *slope = l.slope;
    *offset = l.offset;
    return true;
}

/* ---- all ---- */

static double *places_of(enum share_scale scale, uint32_t n)
{
    double *place = xmalloc(((size_t)n + 1) * sizeof *place);
    for (uint32_t k = 0; k <= n; k++) {
        double share = (double)k / n;
        place[k] = share_scale_takes(scale, share) ? share_scale_at(scale, share) : (double)NAN;
    }
    return place;
}

static void room_make(const struct drawing *d, struct room *r)
{
    size_t n = d->im->n_models;
    r->drawn = xmalloc(RIGHT_DRAWS * sizeof *r->drawn);
    r->models = xmalloc(n * sizeof *r->models);
    r->x = xmalloc(2 * n * sizeof *r->x);
    r->y = r->x + n;
    for (int set = X; set < SETS; set++) {
        r->counts[set] = xmalloc(n * sizeof **r->counts);
    }
}

static void room_release(struct room *r)
{
    free(r->drawn);
    free(r->models);
    free(r->x);
    free(r->counts[X]);
    free(r->counts[Y]);
}

void bootstrap_images(const struct bootstrap_images *im, const struct bootstrap_ask *ask, struct bootstrap_found *out)
{
    BUG_IF(im->n_models == 0 || im->n_models > UINT32_MAX || im->x.n == 0 || im->y.n == 0);
    struct drawing d = {.im = im, .stripes = (im->n_models + RIGHT_MODELS - 1) / RIGHT_MODELS};
    make_parts(&d);
    d.place[X] = places_of(im->scale, im->x.n);
    d.place[Y] = places_of(im->scale, im->y.n);
    d.rooms = xcalloc(ask->threads, sizeof *d.rooms);
    for (unsigned w = 0; w < ask->threads; w++) {
        room_make(&d, &d.rooms[w]);
    }
    bootstrap_blocks(ask, draw_images, &d, out);
    for (unsigned w = 0; w < ask->threads; w++) {
        room_release(&d.rooms[w]);
    }
    for (int part = 0; part < PARTS; part++) {
        free(d.parts[part].rows[X]);
        free(d.parts[part].rows[Y]);
    }
    free(d.place[X]);
    free(d.place[Y]);
    free(d.rooms);
}
