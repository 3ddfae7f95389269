/* gap_bootstrap.c - intervals of gaps and ranks: images drawn within strata, right answers of all models added
 * up side by side, eight models to a word. What a drawn image weighs is an integer of 1 / ONE, so that sums are
 * exact in whatever order, and models with the same answers tie. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "domain/scores/gaps_private.h"

enum { LANES = 8, LANE_MOST = 255, NONE = UINT32_MAX >> 1 };
#define ONE ((uint64_t)1 << 32)

struct unit { /* an image, in one set or both */
    uint32_t at[GAP_SIDES], class[GAP_SIDES]; /* position and class in each; NONE: not in it */
    uint32_t order;                           /* in which images were given */
    bool common;                              /* of a class that both sets have */
    bool pooled;                              /* in the stratum of those that are alone in theirs */
};
enum { KINDS = 6 }; /* see kind() */

struct draw {
    const struct gap_ask *ask;
    const struct gap_classes *classes;
    struct gap_table table;
    struct unit *units; /* by stratum */
    uint32_t n;
    size_t words;                    /* of a row */
    uint64_t *rows[GAP_SIDES];       /* by unit: a byte a model, 1: right */
    uint32_t *drawn;                 /* units of one stratum in one resample */
    uint64_t *lanes, *counts;        /* sums by model over what was drawn */
    uint64_t *all[GAP_SIDES];        /* [resample * models + model], of all images of the set */
    uint64_t *common[GAP_SIDES];     /* of the common classes, with the originals' shares */
    int64_t *shift[GAP_SIDES];       /* [model] to be added to each of `common` */
    struct rng rng;
};

/* ---- strata ---- */

/* In both sets, in the originals alone, in the new set alone; each of common classes or not: what is pooled gets
 * the answers of images that count as it does. */
static int kind(const struct unit *u)
{
    int in = u->at[GAP_FRESH] == NONE ? 1 : u->at[GAP_ORIGINAL] == NONE ? 2 : 0;
    return 2 * in + !u->common;
}

static bool same_stratum(const struct unit *a, const struct unit *b)
{
    return kind(a) == kind(b) && a->pooled == b->pooled &&
           (a->pooled || (a->class[0] == b->class[0] && a->class[1] == b->class[1]));
}

static int by_stratum(const void *pa, const void *pb)
{
    const struct unit *a = pa, *b = pb;
    if (kind(a) != kind(b)) {
        return kind(a) - kind(b);
    }
    if (a->pooled != b->pooled) {
        return a->pooled - b->pooled;
    }
    for (int side = 0; side < GAP_SIDES && !a->pooled; side++) {
        if (a->class[side] != b->class[side]) {
            return a->class[side] < b->class[side] ? -1 : 1;
        }
    }
    return (a->order > b->order) - (a->order < b->order);
}

static uint32_t stratum_end(const struct draw *d, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < d->n && same_stratum(&d->units[first], &d->units[end])) {
        end++;
    }
    return end;
}

static void list_units(struct draw *d)
{
    const struct gap_set *sets[GAP_SIDES] = {&d->ask->original, &d->ask->fresh};
    struct map_u64 at;
    map_u64_init(&at);
    d->units = xcalloc((size_t)sets[0]->n + sets[1]->n + 1, sizeof *d->units);
    for (int side = 0; side < GAP_SIDES; side++) {
        for (uint32_t i = 0; i < sets[side]->n; i++) {
            uint32_t k = map_u64_put(&at, sets[side]->image[i], d->n);
            if (k == d->n) {
                d->units[d->n] =
                    (struct unit){.at = {NONE, NONE}, .class = {NONE, NONE}, .order = d->n};
                d->n++;
            }
            d->units[k].at[side] = i;
            uint32_t class = d->table.class_at[side][i];
            d->units[k].class[side] = class;
            d->units[k].common |= gap_is_common(&d->table.classes[class]);
        }
    }
    map_u64_release(&at);
}

static void pool(struct draw *d, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        d->units[i].pooled = true;
    }
}

/* With the units in order of strata: marks those that are alone, of every kind. A single one of its kind takes
 * the smallest other stratum of the kind in. */
static void pool_singles(struct draw *d)
{
    uint32_t singles[KINDS] = {0}, smallest[KINDS], size[KINDS] = {0};
    for (int k = 0; k < KINDS; k++) {
        smallest[k] = NONE;
    }
    for (uint32_t i = 0, end; i < d->n; i = end) {
        int k = kind(&d->units[i]);
        end = stratum_end(d, i);
        if (end - i == 1) {
            singles[k]++;
        } else if (smallest[k] == NONE || end - i < size[k]) {
            smallest[k] = i;
            size[k] = end - i;
        }
    }
    for (uint32_t i = 0, end; i < d->n; i = end) {
        int k = kind(&d->units[i]);
        end = stratum_end(d, i);
        if (end - i == 1 || (singles[k] == 1 && smallest[k] == i)) {
            pool(d, i, end);
        }
    }
}

static void make_strata(struct draw *d)
{
    list_units(d);
    qsort(d->units, d->n, sizeof *d->units, by_stratum);
    pool_singles(d);
    qsort(d->units, d->n, sizeof *d->units, by_stratum);
}

static void make_rows(struct draw *d, const struct gap_set *set, enum gap_side side)
{
    unsigned char *bytes = xcalloc((size_t)d->n * d->words + 1, sizeof(uint64_t));
    for (uint32_t i = 0; i < d->n; i++) {
        uint32_t at = d->units[i].at[side];
        for (size_t m = 0; m < d->ask->n_models && at != NONE; m++) {
            bytes[(size_t)i * d->words * LANES + m] = set->right[m * set->n + at];
        }
    }
    d->rows[side] = (uint64_t *)(void *)bytes;
}

/* ---- drawing ---- */

/* d->counts[model]: how many of what was drawn the model has right in the set. */
static void count_drawn(struct draw *d, enum gap_side side, uint32_t n)
{
    memset(d->counts, 0, d->ask->n_models * sizeof *d->counts);
    for (uint32_t from = 0; from < n; from += LANE_MOST) {
        uint32_t to = n - from > LANE_MOST ? from + LANE_MOST : n;
        memset(d->lanes, 0, d->words * sizeof *d->lanes);
        for (uint32_t i = from; i < to; i++) {
            const uint64_t *row = d->rows[side] + (size_t)d->drawn[i] * d->words;
            for (size_t w = 0; w < d->words; w++) {
                d->lanes[w] += row[w]; /* bytes of 0 or 1, at most LANE_MOST times: no carry */
            }
        }
        const unsigned char *lane = (const unsigned char *)d->lanes;
        for (size_t m = 0; m < d->ask->n_models; m++) {
            d->counts[m] += lane[m];
        }
    }
}

static void add(uint64_t *sums, const uint64_t *counts, size_t n, uint64_t weight)
{
    for (size_t m = 0; m < n && weight; m++) {
        sums[m] += weight * counts[m];
    }
}

/* What an image of the class weighs on the common classes, beside what it weighs in its set. 0 also where the
 * sums over all images say the same. */
static double common_weight(const struct draw *d, enum gap_side side, uint32_t class)
{
    const struct gap_class *g = &d->table.classes[class];
    return d->classes->same || !gap_is_common(g) ? 0
           : side == GAP_ORIGINAL                ? 1
                                  : (double)g->n[GAP_ORIGINAL] / g->n[GAP_FRESH];
}

/* One resample of images that share their classes: n - 1 of n, each weighing n / (n - 1). */
static void draw_stratum(struct draw *d, uint32_t first, uint32_t n, size_t resample)
{
    double scale = n > 1 ? (double)n / (n - 1) : 1;
    uint32_t draws = n > 1 ? n - 1 : 1;
    size_t at = resample * d->ask->n_models;
    for (uint32_t i = 0; i < draws; i++) {
        d->drawn[i] = first + (uint32_t)rng_below(&d->rng, n);
    }
    for (int side = 0; side < GAP_SIDES; side++) {
        uint32_t class = d->units[first].class[side];
        if (class != NONE) {
            double weight = common_weight(d, (enum gap_side)side, class);
            count_drawn(d, (enum gap_side)side, draws);
            add(d->all[side] + at, d->counts, d->ask->n_models,
                (uint64_t)llround((double)ONE * scale));
            add(d->common[side] + at, d->counts, d->ask->n_models,
                (uint64_t)llround((double)ONE * scale * weight));
        }
    }
}

/* Places of different weights that get each other's answers would sum up to the mean answer times the weights:
 * what that is off from the sum of the images' own. 0 where all weigh the same. */
static void shift_pool(struct draw *d, uint32_t first, uint32_t n)
{
    for (int side = 0; side < GAP_SIDES; side++) {
        double all = 0;
        for (uint32_t i = first; i < first + n; i++) {
            uint32_t class = d->units[i].class[side];
            all += class == NONE ? 0 : common_weight(d, (enum gap_side)side, class);
        }
        for (size_t m = 0; m < d->ask->n_models; m++) {
            double right = 0, own = 0;
            for (uint32_t i = first; i < first + n; i++) {
                uint32_t class = d->units[i].class[side];
                const unsigned char *row =
                    (const unsigned char *)(d->rows[side] + (size_t)i * d->words);
                if (class != NONE && row[m]) {
                    right++;
                    own += common_weight(d, (enum gap_side)side, class);
                }
            }
            d->shift[side][m] += llround((double)ONE * (own - all * (right / n)));
        }
    }
}

/* One resample of images of different classes: every place keeps its class and gets somebody's answers. */
static void draw_pool(struct draw *d, uint32_t first, uint32_t n, size_t resample)
{
    size_t at = resample * d->ask->n_models;
    for (uint32_t i = 0; i < n; i++) {
        d->drawn[0] = first + (uint32_t)rng_below(&d->rng, n);
        for (int side = 0; side < GAP_SIDES; side++) {
            uint32_t class = d->units[first + i].class[side];
            if (class != NONE) {
                double weight = common_weight(d, (enum gap_side)side, class);
                count_drawn(d, (enum gap_side)side, 1);
                add(d->all[side] + at, d->counts, d->ask->n_models, ONE);
                add(d->common[side] + at, d->counts, d->ask->n_models,
                    (uint64_t)llround((double)ONE * weight));
            }
        }
    }
}

/* False: stopped. */
static bool draw_all(struct draw *d)
{
    for (uint32_t first = 0, end; first < d->n; first = end) {
        end = stratum_end(d, first);
        if (d->units[first].pooled) {
            shift_pool(d, first, end - first);
        }
        for (size_t r = 0; r < d->ask->resamples; r++) {
            if (d->ask->stop && atomic_load(d->ask->stop)) {
                return false;
            }
            if (d->units[first].pooled) {
                draw_pool(d, first, end - first, r);
            } else {
                draw_stratum(d, first, end - first, r);
            }
        }
    }
    return true;
}

/* ---- what the resamples say ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The percentiles of the least and the greatest that each resample allows; both are sorted here. */
static struct gap_range range_of(const struct draw *d, bool known, double *least, double *most)
{
    uint32_t n = d->ask->resamples, beyond = n / d->ask->tail;
    if (!known || n == 0) {
        return (struct gap_range){.known = false};
    }
    qsort(least, n, sizeof *least, by_value);
    if (most != least) {
        qsort(most, n, sizeof *most, by_value);
    }
    return (struct gap_range){true, least[beyond], most[n - 1 - beyond]};
}

static bool varies(const struct draw *d, const uint64_t *sums, size_t model)
{
    for (size_t r = 1; r < d->ask->resamples; r++) {
        if (sums[r * d->ask->n_models + model] != sums[model]) {
            return true;
        }
    }
    return false;
}

/* Of the mean of `count` models from `first` on, of which one at least varies on both sides. `shift` NULL: none. */
static struct gap_range gap_range(const struct draw *d, uint64_t *const sums[GAP_SIDES],
                                  int64_t *const shift[GAP_SIDES], double n_original, double n_fresh,
                                  size_t first, size_t count, double *room)
{
    size_t n = d->ask->resamples, models = d->ask->n_models;
    bool known = false;
    double off = 0;
    for (size_t m = first; m < first + count; m++) {
        known = known || (varies(d, sums[GAP_ORIGINAL], m) && varies(d, sums[GAP_FRESH], m));
        off += shift ? (double)shift[GAP_ORIGINAL][m] / (double)ONE / n_original -
                           (double)shift[GAP_FRESH][m] / (double)ONE / n_fresh
                     : 0;
    }
    for (size_t r = 0; r < n && known; r++) {
        double sum = 0;
        for (size_t m = first; m < first + count; m++) {
            double o = (double)sums[GAP_ORIGINAL][r * models + m] / (double)ONE / n_original;
            double w = (double)sums[GAP_FRESH][r * models + m] / (double)ONE / n_fresh;
            sum += o - w;
        }
        room[r] = fmin(100, fmax(-100, 100 * ((sum + off) / (double)count)));
    }
    return range_of(d, known, room, room);
}

struct place { /* of one model in one resample */
    uint64_t sum;
    uint32_t model;
};

static int most_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->sum != y->sum ? (x->sum < y->sum) - (x->sum > y->sum)
                            : (x->model > y->model) - (x->model < y->model);
}

/* The best and the worst rank that the models of one resample may have: [model * resamples + r]. */
static void rank_resample(const struct draw *d, const uint64_t *sums, size_t r,
                          struct place *places, double *best, double *worst)
{
    size_t models = d->ask->n_models, n = d->ask->resamples;
    for (size_t m = 0; m < models; m++) {
        places[m] = (struct place){sums[r * models + m], (uint32_t)m};
    }
    qsort(places, models, sizeof *places, most_first);
    for (size_t i = 0, end; i < models; i = end) {
        for (end = i; end < models && places[end].sum == places[i].sum; end++) {
        }
        for (size_t k = i; k < end; k++) {
            best[places[k].model * n + r] = (double)i + 1;
            worst[places[k].model * n + r] = (double)end;
        }
    }
}

static void rank_ranges(const struct draw *d, struct gap_line *lines)
{
    size_t n = d->ask->resamples, models = d->ask->n_models;
    double *best[GAP_SIDES], *worst[GAP_SIDES], *least = xcalloc(n + 1, sizeof *least),
                                                *most = xcalloc(n + 1, sizeof *most);
    struct place *places = xcalloc(models + 1, sizeof *places);
    for (int side = 0; side < GAP_SIDES; side++) {
        best[side] = xcalloc(models * n + 1, sizeof **best);
        worst[side] = xcalloc(models * n + 1, sizeof **worst);
        for (size_t r = 0; r < n; r++) {
            rank_resample(d, d->all[side], r, places, best[side], worst[side]);
        }
    }
    for (size_t m = 0; m < models; m++) {
        double *b[GAP_SIDES] = {best[0] + m * n, best[1] + m * n},
               *w[GAP_SIDES] = {worst[0] + m * n, worst[1] + m * n};
        bool known[GAP_SIDES] = {varies(d, d->all[0], m), varies(d, d->all[1], m)};
        for (size_t r = 0; r < n; r++) {
            least[r] = b[GAP_ORIGINAL][r] - w[GAP_FRESH][r];
            most[r] = w[GAP_ORIGINAL][r] - b[GAP_FRESH][r];
        }
        lines[m].change = range_of(d, known[0] && known[1], least, most);
        lines[m].original_rank = range_of(d, known[0], b[0], w[0]);
        lines[m].fresh_rank = range_of(d, known[1], b[1], w[1]);
    }
    for (int side = 0; side < GAP_SIDES; side++) {
        free(best[side]);
        free(worst[side]);
    }
    free(places);
    free(least);
    free(most);
}

static struct gap_range raw_range(const struct draw *d, size_t first, size_t count, double *room)
{
    return gap_range(d, d->all, NULL, d->ask->original.n, d->ask->fresh.n, first, count, room);
}

static struct gap_range common_range(const struct draw *d, size_t first, size_t count, double *room)
{
    double n = d->classes->original_images;
    return gap_range(d, d->common, d->shift, n, n, first, count, room);
}

static void gap_ranges(const struct draw *d, struct gap_line *lines, struct gap_mean *mean)
{
    const struct gap_ask *ask = d->ask;
    bool same = d->classes->same;
    double *room = xcalloc((size_t)ask->resamples + 1, sizeof *room);
    for (size_t m = 0; m < ask->n_models; m++) {
        lines[m].raw = raw_range(d, m, 1, room);
        lines[m].common = same ? lines[m].raw : common_range(d, m, 1, room);
    }
    mean->raw = raw_range(d, 0, ask->n_models, room);
    mean->common = same ? mean->raw : common_range(d, 0, ask->n_models, room);
    free(room);
}

/* ---- all ---- */

static struct draw *draw_new(const struct gap_ask *ask, const struct gap_classes *classes)
{
    struct draw *d = xcalloc(1, sizeof *d);
    size_t sums = ask->resamples * ask->n_models + 1;
    d->ask = ask;
    d->classes = classes;
    d->words = (ask->n_models + LANES - 1) / LANES;
    gap_table_make(ask, &d->table);
    make_strata(d);
    make_rows(d, &ask->original, GAP_ORIGINAL);
    make_rows(d, &ask->fresh, GAP_FRESH);
    d->drawn = xcalloc((size_t)d->n + 1, sizeof *d->drawn);
    d->lanes = xcalloc(d->words + 1, sizeof *d->lanes);
    d->counts = xcalloc(ask->n_models + 1, sizeof *d->counts);
    for (int side = 0; side < GAP_SIDES; side++) {
        d->all[side] = xcalloc(sums, sizeof **d->all);
        d->common[side] = xcalloc(sums, sizeof **d->common);
        d->shift[side] = xcalloc(ask->n_models + 1, sizeof **d->shift);
    }
    rng_seed(&d->rng, ask->seed);
    return d;
}

static void draw_free(struct draw *d)
{
    for (int side = 0; side < GAP_SIDES; side++) {
        free(d->rows[side]);
        free(d->all[side]);
        free(d->common[side]);
        free(d->shift[side]);
    }
    gap_table_release(&d->table);
    free(d->units);
    free(d->drawn);
    free(d->lanes);
    free(d->counts);
    free(d);
}

bool gap_intervals(const struct gap_ask *ask, const struct gap_classes *classes, struct gap_line *lines,
                   struct gap_mean *mean)
{
    struct draw *d = draw_new(ask, classes);
    bool done = draw_all(d);
    if (done) {
        gap_ranges(d, lines, mean);
        rank_ranges(d, lines);
    }
    draw_free(d);
    return done;
}
