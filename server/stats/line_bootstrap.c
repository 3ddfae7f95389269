/* line_bootstrap.c - blocks of resamples, and draws of points: four sums of each point are enough for a line. */
#include "stats/line_bootstrap.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "stats/percentile.h"
#include "stats/line_bootstrap_private.h"

#define ALPHA 0.05

/* ---- blocks ---- */

struct blocks {
    const struct bootstrap_ask *ask;
    bootstrap_draw *draw;
    void *arg;
    double *slope, *offset; /* by resample; NAN: no line */
    struct bootstrap_found *found;
    atomic_uint_fast64_t done;
};

static void run_block(void *arg, unsigned worker, size_t block)
{
    struct blocks *b = arg;
    size_t first = block * BOOTSTRAP_BLOCK, end = first + BOOTSTRAP_BLOCK;
    end = end > b->ask->resamples ? b->ask->resamples : end;
    struct rng rng;
    rng_stream(&rng, b->ask->seed, block);
    for (size_t i = first; i < end; i++) {
        if (!b->draw(b->arg, worker, &rng, &b->slope[i], &b->offset[i])) {
            b->slope[i] = b->offset[i] = (double)NAN;
        }
    }
    uint64_t done = atomic_fetch_add(&b->done, end - first) + (end - first);
    if (worker == 0 && b->ask->progress) {
        b->ask->progress(b->ask->arg, done, b->ask->resamples);
    }
}

/* Of slopes (0) or of offsets (1). */
static void find_bounds(void *arg, unsigned worker, size_t which)
{
    struct blocks *b = arg;
    double *v = which ? b->offset : b->slope;
    size_t n = 0;
    for (size_t i = 0; i < b->ask->resamples; i++) {
        if (!isnan(v[i])) {
            v[n++] = v[i];
        }
    }
    *(which ? &b->found->offset : &b->found->slope) =
        n ? percentile_interval(v, n, ALPHA) : (struct interval){(double)NAN, (double)NAN};
    if (which == 0) {
        b->found->left_out = b->ask->resamples - (uint32_t)n;
    }
    (void)worker;
}

void bootstrap_blocks(const struct bootstrap_ask *ask, bootstrap_draw *draw, void *arg, struct bootstrap_found *out)
{
    BUG_IF(ask->resamples == 0 || ask->threads == 0);
    size_t n = ask->resamples;
    struct blocks b = {.ask = ask, .draw = draw, .arg = arg, .slope = xmalloc(2 * n * sizeof *b.slope), .found = out};
    b.offset = b.slope + n;
    parallel_for(ask->threads, (n + BOOTSTRAP_BLOCK - 1) / BOOTSTRAP_BLOCK, run_block, &b);
    parallel_for(ask->threads, 2, find_bounds, &b);
    free(b.slope);
}

/* ---- points ---- */

typedef double pair __attribute__((vector_size(16)));

struct item { /* a point, or the sum over a family's points */
    pair xy, squares; /* x and y; x * x and x * y, all from the means of all points */
};
struct drawing {
    const struct bootstrap_points *p;
    size_t n;              /* items */
    struct item *items;
    double *size;          /* points of each item; NULL: one */
    double mean_x, mean_y;
    uint32_t **drawn;      /* [worker], items */
    uint32_t **times;      /* [worker], by item: how often it was drawn, where sums cannot tell the line */
};

static uint32_t item_of(const struct bootstrap_points *p, size_t i)
{
    return p->family ? p->family[i] : (uint32_t)i;
}

static void make_items(struct drawing *d)
{
    const struct bootstrap_points *p = d->p;
    for (size_t i = 0; i < p->n; i++) {
        d->mean_x += p->x[i] / (double)p->n;
        d->mean_y += p->y[i] / (double)p->n;
    }
    for (size_t i = 0; i < p->n; i++) {
        uint32_t at = item_of(p, i);
        double x = p->x[i] - d->mean_x, y = p->y[i] - d->mean_y;
        d->items[at].xy += (pair){x, y};
        d->items[at].squares += (pair){x * x, x * y};
        if (d->size) {
            d->size[at]++;
        }
    }
}

/* The line of what was drawn, by deviations from the means of what was drawn. */
static bool line_of_points(const struct drawing *d, unsigned worker, double *slope, double *offset)
{
    const struct bootstrap_points *p = d->p;
    uint32_t *times = d->times[worker];
    double n = 0, mx = 0, my = 0, sxx = 0, sxy = 0;
    memset(times, 0, d->n * sizeof *times);
    for (size_t i = 0; i < d->n; i++) {
        times[d->drawn[worker][i]]++;
    }
    for (size_t i = 0; i < p->n; i++) {
        double weight = times[item_of(p, i)];
        n += weight;
        mx += weight * p->x[i];
        my += weight * p->y[i];
    }
    mx /= n;
    my /= n;
    bool differ = false;
    const double *first = NULL;
    for (size_t i = 0; i < p->n; i++) {
        double weight = times[item_of(p, i)];
        if (weight > 0) {
            first = first ? first : &p->x[i];
            differ = differ || p->x[i] != *first;
            sxx += weight * (p->x[i] - mx) * (p->x[i] - mx);
            sxy += weight * (p->x[i] - mx) * (p->y[i] - my);
        }
    }
    *slope = differ ? sxy / sxx : 0;
    *offset = my - *slope * mx;
    return differ;
}

static bool draw_points(void *arg, unsigned worker, struct rng *rng, double *slope, double *offset)
{
    const struct drawing *d = arg;
    uint32_t *drawn = d->drawn[worker];
    /* Two sums side by side: an addition need not wait for the one before. */
    struct item even = {{0, 0}, {0, 0}}, odd = even;
    double n = (double)d->n;
    rng_fill_below(rng, (uint32_t)d->n, drawn, d->n);
    for (size_t i = 0; i + 1 < d->n; i += 2) {
        const struct item *a = &d->items[drawn[i]], *b = &d->items[drawn[i + 1]];
        even.xy += a->xy;
        even.squares += a->squares;
        odd.xy += b->xy;
        odd.squares += b->squares;
    }
    if (d->n % 2) {
        even.xy += d->items[drawn[d->n - 1]].xy;
        even.squares += d->items[drawn[d->n - 1]].squares;
    }
    if (d->size) {
        n = 0;
        for (size_t i = 0; i < d->n; i++) {
            n += d->size[drawn[i]];
        }
    }
    pair xy = even.xy + odd.xy, squares = even.squares + odd.squares;
    double sxx = squares[0] - xy[0] * xy[0] / n, sxy = squares[1] - xy[0] * xy[1] / n;
    if (!(sxx > 1e-3 * squares[0])) { /* digits are lost in the difference */
        return line_of_points(d, worker, slope, offset);
    }
    *slope = sxy / sxx;
    *offset = d->mean_y + xy[1] / n - *slope * (d->mean_x + xy[0] / n);
    return true;
}

void bootstrap_points(const struct bootstrap_points *p, const struct bootstrap_ask *ask, struct bootstrap_found *out)
{
    struct drawing d = {.p = p, .n = p->family ? p->n_families : p->n};
    BUG_IF(d.n == 0 || d.n > UINT32_MAX);
    d.items = xcalloc(d.n, sizeof *d.items);
    d.size = p->family ? xcalloc(d.n, sizeof *d.size) : NULL;
    make_items(&d);
    d.drawn = xcalloc(ask->threads, sizeof *d.drawn);
    d.times = xcalloc(ask->threads, sizeof *d.times);
    for (unsigned w = 0; w < ask->threads; w++) {
        d.drawn[w] = xcalloc(d.n, sizeof **d.drawn);
        d.times[w] = xcalloc(d.n, sizeof **d.times);
    }
    bootstrap_blocks(ask, draw_points, &d, out);
    for (unsigned w = 0; w < ask->threads; w++) {
        free(d.drawn[w]);
        free(d.times[w]);
    }
    free(d.drawn);
    free(d.times);
    free(d.items);
    free(d.size);
}
