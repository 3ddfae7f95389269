/* adjusted_gap.c - one pass over votes and images gives the figures of all models; passes without a
 * group of workers and over drawn images give their variances. */
#include "measures/votes/adjusted_gap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "stats/cluster.h"
#include "stats/jackknife.h"
#include "stats/share_curve.h"
#include "stats/spread_count.h"

#define ALPHA 0.05
#define UNCOVERED_MOST 0.05
#define EFFECTIVE_LEAST 0.2
enum { CURVE_STEPS = 30, CURVE_AGAIN = 3, NO_CELL = UINT32_MAX, POINTS = SPREAD_POINTS_MOST };

const char adjusted_gap_assumes[] =
    "It assumes that images with the same true frequency are equally hard in both sets, up to the "
    "gap of interest: whatever "
    "else differs between them belongs to that gap.";

/* What an image is to the bootstrap; images are drawn among their own kind and class. */
enum kind { KIND_MEASURED, KIND_ORIGINAL, KIND_SET, KIND_POOL, KIND_OUT };
struct figures { /* of one pass, [model], the last of the mean over models */
    double *original, *fresh, *adjusted;
};
struct run {
    const struct adjusted_input *in;
    struct worker_groups votes;
    uint32_t *order, *from; /* images by class: candidates of c from[2c], originals from[2c + 1] */
    unsigned char *kind;    /* by image */
    double *set_weight, *measured_weight; /* by class, of each such image */
    uint32_t *strata, *strata_from;  /* images by stratum; those of stratum t are [strata_from[t],
                                        strata_from[t + 1]) */
    size_t n_strata, lone_from;      /* from this one on, a stratum is all the images that are alone in their class and kind */
    uint32_t n_set;                  /* images of the set with votes */
    struct spread *pool, *originals; /* of all votes */
    struct share_curve *curves;      /* [model], of all votes */
    struct figures *passes;          /* groups, then resamples */
    struct counter *counters;        /* one per thread */
};
/* What a thread counts on. */
struct counter {
    uint32_t *shown, *selected;
    double *times; /* by image: how often it was drawn */
    struct spread_counter *kinds;
    struct spread_cell *pool, *originals; /* of all classes */
    size_t *pool_from, *originals_from;   /* [class + 1] */
    double *set_times;                    /* by cell of `pool`: images of the set */
    uint32_t *cell_of_kind;               /* by spread_kind: which cell below; NO_CELL */
    uint32_t *kind_of_cell;
    size_t n_cells; /* ways to answer among the set's images */
    double *weight,
        *density; /* [cell]; [cell * points + point], sum of the images' times their weights */
    double *right, *share; /* [model * n_set + cell], as `weight`; [cell] */
    double p_original[POINTS], p_new[POINTS], ratio[POINTS];
    double squares; /* sum of squares of images' mean weights */
    struct spread *pool_spread, *original_spread;
};

/* ---- which images count ---- */

static void sort_images(struct run *r, struct arena *a)
{
    const struct adjusted_input *in = r->in;
    size_t keys = (size_t)2 * in->n_classes;
    r->from = arena_calloc(a, keys + 2, sizeof *r->from);
    r->order = arena_calloc(a, in->n_images + 1, sizeof *r->order);
    for (size_t i = 0; i < in->n_images; i++) {
        r->from[2 * in->images[i].class_index + in->images[i].original + 2]++;
    }
    for (size_t key = 2; key <= keys + 1; key++) {
        r->from[key] += r->from[key - 1];
    }
    for (size_t i = 0; i < in->n_images; i++) {
        size_t key = (size_t)2 * in->images[i].class_index + in->images[i].original;
        r->order[r->from[key + 1]++] = (uint32_t)i;
    }
}

static enum kind kind_of(const struct run *r, uint32_t image)
{
    const struct bias_image *b = &r->in->images[image];
    bool voted = r->votes.shown[image] > 0;
    return b->original ? (voted ? KIND_MEASURED : KIND_ORIGINAL)
           : !voted    ? KIND_OUT
           : b->in_set ? KIND_SET
                       : KIND_POOL;
}

/* Says what the images of a class are; those of one that lacks votes on a side are out. */
static void take_class(struct run *r, uint32_t c, struct adjusted_gap *out)
{
    size_t n[KIND_OUT + 1] = {0}, unanswered = 0;
    for (uint32_t i = r->from[2 * c]; i < r->from[2 * c + 2]; i++) {
        uint32_t image = r->order[i];
        r->kind[image] = (unsigned char)kind_of(r, image);
        n[r->kind[image]]++;
        unanswered += r->kind[image] == KIND_OUT && r->in->images[image].in_set;
    }
    if (!n[KIND_MEASURED] || !n[KIND_SET]) {
        for (uint32_t i = r->from[2 * c]; i < r->from[2 * c + 2]; i++) {
            r->kind[r->order[i]] = KIND_OUT;
        }
        return;
    }
    double originals = (double)(n[KIND_MEASURED] + n[KIND_ORIGINAL]);
    r->set_weight[c] = originals / (double)n[KIND_SET];
    r->measured_weight[c] = originals / (double)n[KIND_MEASURED];
    r->n_set += (uint32_t)n[KIND_SET];
    out->classes++;
    out->images += n[KIND_SET];
    out->originals += n[KIND_MEASURED] + n[KIND_ORIGINAL];
    out->measured += n[KIND_MEASURED];
    out->unanswered += unanswered;
}

static void take_classes(struct run *r, struct arena *a, struct adjusted_gap *out)
{
    uint32_t classes = r->in->n_classes;
    double scale;
    r->kind = arena_calloc(a, r->in->n_images + 1, 1);
    r->set_weight = arena_calloc(a, (size_t)classes + 1, sizeof *r->set_weight);
    r->measured_weight = arena_calloc(a, (size_t)classes + 1, sizeof *r->measured_weight);
    for (uint32_t c = 0; c < classes; c++) {
        take_class(r, c, out);
    }
    /* Weights of the set's images are about 1 each, so that the curves weigh images; of originals
     * they sum to 1. */
    scale = out->originals ? 1 / (double)out->originals : 0;
    for (uint32_t c = 0; c < classes; c++) {
        r->set_weight[c] *= scale * (double)out->images;
        r->measured_weight[c] *= scale;
    }
}

/* Images of a class and kind are a stratum; those that are alone in theirs make one for each kind.
 */
static void make_strata(struct run *r, struct arena *a)
{
    const struct adjusted_input *in = r->in;
    uint32_t *lone = arena_alloc(a, (in->n_images + 1) * sizeof *lone), n_lone = 0, n = 0;
    r->strata = arena_alloc(a, (in->n_images + 1) * sizeof *r->strata);
    r->strata_from =
        arena_alloc(a, ((size_t)in->n_classes * KIND_OUT + KIND_OUT + 1) * sizeof *r->strata_from);
    for (uint32_t c = 0; c < in->n_classes; c++) {
        for (int kind = 0; kind < KIND_OUT; kind++) {
            uint32_t from = n;
            for (uint32_t i = r->from[2 * c]; i < r->from[2 * c + 2]; i++) {
                if (r->kind[r->order[i]] == kind) {
                    r->strata[n++] = r->order[i];
                }
            }
            if (n == from + 1) {
                lone[n_lone++] = r->strata[--n];
            } else if (n > from) {
                r->strata_from[r->n_strata++] = from;
            }
        }
    }
    r->lone_from = r->n_strata;
    for (int kind = 0; kind < KIND_OUT; kind++) {
        uint32_t from = n;
        for (uint32_t i = 0; i < n_lone; i++) {
            if (r->kind[lone[i]] == kind) {
                r->strata[n++] = lone[i];
            }
        }
        if (n > from) {
            r->strata_from[r->n_strata++] = from;
        }
    }
    r->strata_from[r->n_strata] = n;
}

/* ---- one pass ---- */

/* Counts the images of a class into cells for both spreads. */
static void count_class(const struct run *r, struct counter *k, uint32_t c)
{
    size_t n[2] = {k->pool_from[c], k->originals_from[c]};
    for (uint32_t i = r->from[2 * c]; i < r->from[2 * c + 2]; i++) {
        uint32_t image = r->order[i];
        const struct bias_image *b = &r->in->images[image];
        const struct spread_cell one = {k->shown[image], k->selected[image], k->times[image],
                                        b->review};
        if (r->kind[image] == KIND_OUT || one.count <= 0 || b->original) {
            continue;
        }
        size_t had = n[0], at = spread_count(k->kinds, one, k->pool, &n[0]);
        if (n[0] > had) {
            k->set_times[at] = 0;
        }
        if (at != SIZE_MAX && b->in_set) {
            k->set_times[at] += one.count;
        }
    }
    spread_counter_forget(k->kinds, k->pool, k->pool_from[c], n[0]);
    for (uint32_t i = r->from[2 * c + 1]; i < r->from[2 * c + 2]; i++) {
        uint32_t image = r->order[i];
        const struct spread_cell one = {k->shown[image], k->selected[image], k->times[image],
                                        SPREAD_UNSEEN};
        if (r->kind[image] != KIND_OUT && one.count > 0) {
            spread_count(k->kinds, one, k->originals, &n[1]);
        }
    }
    spread_counter_forget(k->kinds, k->originals, k->originals_from[c], n[1]);
    k->pool_from[c + 1] = n[0];
    k->originals_from[c + 1] = n[1];
}

/* How the originals' true frequencies are spread: the mean of their densities. */
static void take_originals(const struct run *r, struct counter *k, struct spread *s,
                           unsigned points)
{
    double w[POINTS], sum = 0;
    memset(k->p_original, 0, sizeof k->p_original);
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        if (k->originals_from[c] < k->originals_from[c + 1]) {
            spread_of_class(s, c);
        }
        for (size_t i = k->originals_from[c]; i < k->originals_from[c + 1]; i++) {
            double weight = k->originals[i].count * r->measured_weight[c];
            spread_image_weights(s, &k->originals[i], w);
            sum += weight;
            for (unsigned j = 0; j < points; j++) {
                k->p_original[j] += weight * w[j];
            }
        }
    }
    for (unsigned j = 0; j < points; j++) {
        k->p_original[j] /= sum > 0 ? sum : 1;
    }
}

/* The cell of images of the set with these answers, made when there is none. */
static uint32_t cell_of(struct counter *k, uint32_t shown, uint32_t selected, unsigned points)
{
    uint32_t kind = spread_kind(shown, selected), *cell = &k->cell_of_kind[kind];
    if (*cell == NO_CELL) {
        *cell = (uint32_t)k->n_cells;
        k->kind_of_cell[k->n_cells] = kind;
        k->weight[k->n_cells] = 0;
        memset(k->density + k->n_cells * points, 0, points * sizeof *k->density);
        k->n_cells++;
    }
    return *cell;
}

/* Densities of the set's images by their answers, over classes: what is left of a class in the
 * images that share answers is their mean. */
static void take_set(const struct run *r, struct counter *k, struct spread *s, unsigned points)
{
    double w[POINTS];
    for (size_t i = 0; i < k->n_cells; i++) {
        k->cell_of_kind[k->kind_of_cell[i]] = NO_CELL;
    }
    k->n_cells = 0;
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        if (k->pool_from[c] < k->pool_from[c + 1]) {
            spread_of_class(s, c);
        }
        for (size_t i = k->pool_from[c]; i < k->pool_from[c + 1]; i++) {
            if (k->set_times[i] <= 0) {
                continue;
            }
            uint32_t cell = cell_of(k, k->pool[i].shown, k->pool[i].selected, points);
            double weight = k->set_times[i] * r->set_weight[c];
            spread_image_weights(s, &k->pool[i], w);
            k->weight[cell] += weight;
            for (unsigned j = 0; j < points; j++) {
                k->density[cell * points + j] += weight * w[j];
            }
        }
    }
}

/* Ratio of the densities; those of cells become means. */
static void take_ratio(struct counter *k, unsigned points)
{
    double sum = 0;
    memset(k->p_new, 0, sizeof k->p_new);
    for (size_t i = 0; i < k->n_cells; i++) {
        sum += k->weight[i];
        for (unsigned j = 0; j < points; j++) {
            k->p_new[j] += k->density[i * points + j];
            k->density[i * points + j] /= k->weight[i];
        }
    }
    for (unsigned j = 0; j < points; j++) {
        k->p_new[j] /= sum > 0 ? sum : 1;
        k->ratio[j] = k->p_new[j] > 1e-12 ? k->p_original[j] / k->p_new[j] : 0;
    }
}

/* What models are right about: accuracies on the originals, and by cell of the set's images. */
static void count_right(const struct run *r, struct counter *k, struct figures *f)
{
    const struct adjusted_input *in = r->in;
    double originals = 0, all = 0;
    for (size_t m = 0; m < in->n_models; m++) {
        memset(k->right + m * r->n_set, 0, k->n_cells * sizeof *k->right);
        f->original[m] = f->fresh[m] = 0;
    }
    for (size_t i = 0; i < in->n_images; i++) {
        double times = k->times[i];
        if (times <= 0 || r->kind[i] == KIND_OUT || r->kind[i] == KIND_POOL) {
            continue;
        }
        const unsigned char *right = in->right + i;
        if (in->images[i].original) {
            originals += times;
            for (size_t m = 0; m < in->n_models; m++) {
                f->original[m] += right[m * in->n_images] ? times : 0;
            }
            continue;
        }
        double weight = times * r->set_weight[in->images[i].class_index];
        uint32_t shown = k->shown[i], selected = k->selected[i];
        spread_few(&shown, &selected);
        uint32_t cell = shown ? k->cell_of_kind[spread_kind(shown, selected)] : NO_CELL;
        all += weight;
        for (size_t m = 0; m < in->n_models; m++) {
            if (right[m * in->n_images]) {
                f->fresh[m] += weight;
                if (cell != NO_CELL) {
                    k->right[m * r->n_set + cell] += weight;
                }
            }
        }
    }
    for (size_t m = 0; m < in->n_models; m++) {
        f->original[m] /= originals;
        f->fresh[m] /= all;
    }
}

/* The weighted accuracy of a model, its curve fitted before. */
static double weighted(const struct counter *k, const struct share_curve *c,
                       const struct share_cells *cells)
{
    double curve[POINTS], right = 0, all = 0;
    unsigned points = cells->points;
    share_curve_at(c, points, cells->at, curve);
    for (size_t i = 0; i < k->n_cells; i++) {
        const double *d = k->density + i * points;
        double chance = 0, of_right = 0, of_all = 0;
        for (unsigned j = 0; j < points; j++) {
            double w = d[j] * curve[j];
            chance += w;
            of_right += w * k->ratio[j];
            of_all += d[j] * k->ratio[j];
        }
        double share = k->share[i];
        double when_right = share > 0 ? share * of_right / chance : 0;
        double when_wrong = share < 1 ? (1 - share) * (of_all - of_right) / (1 - chance) : 0;
        right += k->weight[i] * when_right;
        all += k->weight[i] * (when_right + when_wrong);
    }
    return all > 0 ? right / all : 0;
}

static void weigh(const struct run *r, struct counter *k, unsigned points, const double *at,
                  bool whole, struct figures *f)
{
    const struct share_cells cells = {k->n_cells, points, at, k->weight, k->density};
    size_t n = r->in->n_models;
    for (size_t m = 0; m < n; m++) {
        struct share_curve c = whole ? (struct share_curve){{0}} : r->curves[m];
        for (size_t i = 0; i < k->n_cells; i++) {
            k->share[i] = fmin(1, k->right[m * r->n_set + i] / k->weight[i]);
        }
        share_curve_fit(&cells, k->share, whole ? CURVE_STEPS : CURVE_AGAIN, &c);
        f->adjusted[m] = weighted(k, &c, &cells);
        if (whole) {
            r->curves[m] = c;
        }
    }
    f->original[n] = f->fresh[n] = f->adjusted[n] = 0;
    for (size_t m = 0; m < n; m++) {
        f->original[n] += f->original[m] / (double)n;
        f->fresh[n] += f->fresh[m] / (double)n;
        f->adjusted[n] += f->adjusted[m] / (double)n;
    }
}

/* Of the votes and draws that `k` has. `whole`: these are all votes and images; the spreads are
 * fitted, not moved. False: they cannot be. */
static bool pass(struct run *r, struct counter *k, bool whole, struct figures *f)
{
    struct spread *pool = whole ? r->pool : k->pool_spread,
                  *originals = whole ? r->originals : k->original_spread;
    const double *at;
    unsigned points = spread_points(pool, &at);
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        count_class(r, k, c);
    }
    const struct spread_cells in_pool = {k->pool, k->pool_from},
                              in_originals = {k->originals, k->originals_from};
    if (whole) {
        if (!spread_fit(pool, &in_pool) || !spread_fit(originals, &in_originals)) {
            return false;
        }
    } else {
        spread_step(pool, r->pool, &in_pool);
        spread_step(originals, r->originals, &in_originals);
    }
    take_originals(r, k, originals, points);
    take_set(r, k, pool, points);
    take_ratio(k, points);
    count_right(r, k, f);
    weigh(r, k, points, at, whole, f);
    return true;
}

static void draw_all(const struct run *r, struct counter *k)
{
    for (size_t i = 0; i < r->in->n_images; i++) {
        k->times[i] = 1;
    }
}

static void draw(const struct run *r, struct counter *k, size_t resample)
{
    struct rng rng;
    rng_stream(&rng, r->in->seed, resample);
    memset(k->times, 0, r->in->n_images * sizeof *k->times);
    for (size_t t = 0; t < r->n_strata; t++) {
        uint32_t from = r->strata_from[t], n = r->strata_from[t + 1] - from;
        uint32_t draws = t < r->lone_from ? n - 1 : n;
        for (uint32_t i = 0; i < draws; i++) {
            k->times[r->strata[from + rng_below(&rng, n)]] += (double)n / draws;
        }
    }
}

static void run_pass(void *arg, unsigned worker, size_t i)
{
    struct run *r = arg;
    struct counter *k = &r->counters[worker];
    if (i < r->votes.groups) {
        worker_groups_without(&r->votes, i, k->shown, k->selected);
        draw_all(r, k);
    } else {
        worker_groups_without(&r->votes, SIZE_MAX, k->shown, k->selected);
        draw(r, k, i - r->votes.groups);
    }
    pass(r, k, false, &r->passes[i]);
}

/* ---- all ---- */

/* The median of the answers of images that count, which the spreads are made of. */
static unsigned usual_answers(const struct run *r, struct arena *a, uint32_t *most)
{
    uint32_t *by_answers = arena_calloc(a, SPREAD_SHOWN_MOST + 1, sizeof *by_answers);
    size_t images = 0, below = 0;
    *most = 0;
    for (size_t i = 0; i < r->in->n_images; i++) {
        uint32_t shown = r->votes.shown[i], unused = 0;
        if (r->kind[i] != KIND_OUT && shown) {
            spread_few(&shown, &unused);
            by_answers[shown]++;
            images++;
            *most = shown > *most ? shown : *most;
        }
    }
    for (unsigned n = 1; n <= SPREAD_SHOWN_MOST && images; n++) {
        below += by_answers[n];
        if (2 * below >= images) {
            return n;
        }
    }
    return 0;
}

static void make_counter(const struct run *r, struct counter *k, uint32_t answers)
{
    size_t images = r->in->n_images + 1, classes = (size_t)r->in->n_classes + 1,
           cells = (size_t)r->n_set + 1;
    const double *at;
    k->shown = xcalloc(images, sizeof *k->shown);
    k->selected = xcalloc(images, sizeof *k->selected);
    k->times = xcalloc(images, sizeof *k->times);
    k->kinds = spread_counter_new();
    k->pool = xcalloc(images, sizeof *k->pool);
    k->originals = xcalloc(images, sizeof *k->originals);
    k->pool_from = xcalloc(classes, sizeof *k->pool_from);
    k->originals_from = xcalloc(classes, sizeof *k->originals_from);
    k->set_times = xcalloc(images, sizeof *k->set_times);
    k->cell_of_kind = xmalloc(SPREAD_KINDS * sizeof *k->cell_of_kind);
    memset(k->cell_of_kind, 0xff, SPREAD_KINDS * sizeof *k->cell_of_kind);
    k->pool_spread = spread_new(r->in->n_classes, answers);
    k->original_spread = spread_new(r->in->n_classes, answers);
    unsigned points = spread_points(k->pool_spread, &at);
    k->kind_of_cell = xcalloc(cells, sizeof *k->kind_of_cell);
    k->weight = xcalloc(cells, sizeof *k->weight);
    k->share = xcalloc(cells, sizeof *k->share);
    k->density = xcalloc(cells * points, sizeof *k->density);
    k->right = xcalloc(cells * (r->in->n_models + 1), sizeof *k->right);
}

static void free_counter(struct counter *k)
{
    free(k->shown);
    free(k->selected);
    free(k->times);
    spread_counter_free(k->kinds);
    free(k->pool);
    free(k->originals);
    free(k->pool_from);
    free(k->originals_from);
    free(k->set_times);
    free(k->cell_of_kind);
    free(k->kind_of_cell);
    free(k->weight);
    free(k->share);
    free(k->density);
    free(k->right);
    spread_free(k->pool_spread);
    spread_free(k->original_spread);
}

static struct figures figures_new(size_t models, struct arena *a)
{
    double *of = arena_calloc(a, 3 * (models + 1), sizeof *of);
    return (struct figures){of, of + models + 1, of + 2 * (models + 1)};
}

/* ---- what is told ---- */

static double raw_of(const struct figures *f, size_t m)
{
    return f->original[m] - f->fresh[m];
}

static double gap_of(const struct figures *f, size_t m)
{
    return f->original[m] - f->adjusted[m];
}

static double variance_of(const double *x, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        mean += x[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
    }
    return n > 1 ? squares / (double)(n - 1) : 0;
}

static struct adjusted_estimate estimate(const struct run *r, const struct figures *f, size_t m,
                                         unsigned resamples,
                                         double (*of)(const struct figures *, size_t), double *room)
{
    struct adjusted_estimate e = {.value = of(f, m)};
    size_t groups = r->votes.groups;
    for (size_t i = 0; i < groups + resamples; i++) {
        room[i] = of(&r->passes[i], m);
    }
    e.by_workers = of == gap_of ? jackknife_variance(room, groups) : 0;
    e.by_images = variance_of(room + groups, resamples);
    e.interval = e.by_images > 0 && (of != gap_of || groups > 1);
    if (e.interval) {
        double sum = e.by_workers + e.by_images;
        double freedom = sum * sum /
                         (e.by_images * e.by_images / (resamples - 1) +
                          (groups > 1 ? e.by_workers * e.by_workers / (double)(groups - 1) : 0));
        double half = student_quantile(freedom, 1 - ALPHA / 2) * sqrt(sum);
        e.lo = fmax(-1, e.value - half);
        e.hi = fmin(1, e.value + half);
    }
    return e;
}

/* How alike the densities are, and what the weights leave. */
static void tell_weights(const struct run *r, const struct counter *k, struct adjusted_gap *out)
{
    const double *at;
    double sum = 0, squares = 0;
    out->points = spread_points(r->pool, &at);
    for (unsigned j = 0; j < out->points; j++) {
        out->at[j] = at[j];
        out->p_original[j] = k->p_original[j];
        out->p_new[j] = k->p_new[j];
        out->overlap += fmin(k->p_original[j], k->p_new[j]);
        out->uncovered +=
            k->p_original[j] > ADJUSTED_RATIO_MOST * k->p_new[j] ? k->p_original[j] : 0;
    }
    for (size_t i = 0; i < r->in->n_images; i++) {
        if (r->kind[i] != KIND_SET) {
            continue;
        }
        uint32_t shown = k->shown[i], selected = k->selected[i];
        spread_few(&shown, &selected);
        const double *d =
            k->density + (size_t)k->cell_of_kind[spread_kind(shown, selected)] * out->points;
        double w = 0;
        for (unsigned j = 0; j < out->points; j++) {
            w += d[j] * k->ratio[j];
        }
        w *= r->set_weight[r->in->images[i].class_index];
        sum += w;
        squares += w * w;
    }
    out->effective = squares > 0 ? sum * sum / squares : 0;
}

static struct adjusted_line line_of(const struct run *r, const struct figures *f, size_t m,
                                    unsigned resamples, double *room)
{
    return (struct adjusted_line){.original = f->original[m],
                                  .fresh = f->fresh[m],
                                  .adjusted = f->adjusted[m],
                                  .raw = estimate(r, f, m, resamples, raw_of, room),
                                  .gap = estimate(r, f, m, resamples, gap_of, room)};
}

static void tell(const struct run *r, const struct figures *f, struct arena *a,
                 struct adjusted_gap *out)
{
    size_t n = r->in->n_models;
    double *room = arena_alloc(a, ((size_t)r->votes.groups + out->resamples) * sizeof *room);
    out->lines = arena_calloc(a, n + 1, sizeof *out->lines);
    for (size_t m = 0; m < n; m++) {
        out->lines[m] = line_of(r, f, m, out->resamples, room);
    }
    out->mean = line_of(r, f, n, out->resamples, room);
}

static void run_all(struct run *r, unsigned threads, uint32_t answers, struct arena *a,
                    struct adjusted_gap *out)
{
    size_t passes = (size_t)r->votes.groups + out->resamples;
    struct figures all = figures_new(r->in->n_models, a);
    r->pool = spread_new(r->in->n_classes, answers);
    r->originals = spread_new(r->in->n_classes, answers);
    r->curves = arena_calloc(a, r->in->n_models + 1, sizeof *r->curves);
    r->passes = arena_calloc(a, passes + 1, sizeof *r->passes);
    r->counters = xcalloc(threads, sizeof *r->counters);
    for (size_t i = 0; i < passes; i++) {
        r->passes[i] = figures_new(r->in->n_models, a);
    }
    for (unsigned i = 0; i < threads; i++) {
        make_counter(r, &r->counters[i], answers);
    }
    worker_groups_without(&r->votes, SIZE_MAX, r->counters->shown, r->counters->selected);
    draw_all(r, r->counters);
    if (pass(r, r->counters, true, &all)) {
        tell_weights(r, r->counters, out);
        parallel_for(threads, passes, run_pass, r);
        tell(r, &all, a, out);
    } else {
        out->silence = ADJUSTED_NO_TOP;
    }
    for (unsigned i = 0; i < threads; i++) {
        free_counter(&r->counters[i]);
    }
    free(r->counters);
    spread_free(r->pool);
    spread_free(r->originals);
}

void adjusted_gap(const struct adjusted_input *in, struct arena *a, struct adjusted_gap *out)
{
    struct run r = {.in = in};
    const struct worker_groups_ask ask = {in->votes,     in->n_votes, in->n_images,
                                          in->n_workers, in->groups,  in->seed};
    uint32_t most;
    *out = (struct adjusted_gap){.resamples = in->resamples ? in->resamples : ADJUSTED_RESAMPLES};
    BUG_IF(out->resamples > ADJUSTED_RESAMPLES_MOST);
    sort_images(&r, a);
    worker_groups_make(&ask, a, &r.votes);
    take_classes(&r, a, out);
    out->workers = r.votes.workers;
    out->groups = r.votes.groups;
    unsigned usual = usual_answers(&r, a, &most);
    out->silence = in->n_models == 0            ? ADJUSTED_NO_MODELS
                   : out->classes == 0          ? ADJUSTED_NO_VOTES
                   : usual < BIAS_ANSWERS_LEAST ? ADJUSTED_FEW_ANSWERS
                                                : ADJUSTED_SPEAKS;
    if (out->silence == ADJUSTED_SPEAKS) {
        make_strata(&r, a);
        run_all(&r, in->threads ? in->threads : 1, most, a, out);
    }
}

const char *adjusted_gap_warning(const struct adjusted_gap *g)
{
    return g->silence != ADJUSTED_SPEAKS ? NULL
           : g->uncovered > UNCOVERED_MOST
               ? "The sets hardly overlap: many originals have true frequencies that almost no new "
                 "image has, so the figure "
                 "stands on a few images."
           : g->effective < EFFECTIVE_LEAST * (double)g->images
               ? "The weights are very unequal: the figure stands on a small part of the new "
                 "images."
               : NULL;
}
