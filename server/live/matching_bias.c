/* matching_bias.c - the figures of a set, once over all votes and once without each group of
 * workers. */
#include "live/matching_bias.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "live/held_out.h"
#include "stats/jackknife.h"

enum { GROUPS_USUAL = 50, GROUPS_MOST = 1000 };
#define ALPHA 0.05

/* How far a class may lie from all classes together (stats/beta_binomial.h): twice and more of what
 * classes of real pools differ, so that it matters to classes with a handful of images only. */
#define LOGIT_MEAN_SD 2.0
#define LOG_SIZE_SD 1.0

/* What all votes, or those without a group, come to. */
struct figures {
    double images; /* of the set that are counted */
    size_t originals, pool;
    double raw_set, raw_original, raw;
    double corrected, held_out;
    double unsaid; /* variance of the set's mean, given the votes */
    double drawn;  /* variance of the originals' mean, which may be a draw */
    double at[BIAS_DESIGNS_MOST], answers[BIAS_DESIGNS_MOST];
    bool held_known;
};
struct both {
    struct beta pool, originals;
};
struct run {
    const struct bias_input *in;
    uint32_t *order, *from; /* images by class: candidates of c from[2c], originals from[2c + 1] */
    uint32_t *shown, *selected; /* by image, all votes */
    uint32_t *ballots;          /* image << 1 | selected, by group of workers */
    size_t *ballots_from;
    unsigned groups, workers; /* workers who voted */
    unsigned answers, designs[BIAS_DESIGNS_MOST];
    struct held_out_rules rules; /* n 0: nothing can be held out */
    struct both all, *classes;   /* fits of all votes; those without a group begin there */
    struct figures *without;
    struct counter *counters; /* one per thread */
};
/* What a thread counts on. */
struct counter {
    uint32_t *shown, *selected;
    uint32_t *images; /* by answers n and ticks k: at n (n + 1) / 2 + k */
    struct beta_cell *pool, *originals;
    struct held_out *held;
};

/* ---- votes of one class ---- */

struct class_votes {
    uint32_t index;
    size_t n_pool, n_originals;      /* cells */
    size_t pool_images, originals;   /* images with answers */
    double pool_mean, original_mean; /* mean of their frequencies */
};

/* Beyond BETA_SHOWN_MOST answers an image is as good as known; as many stand for them. */
static void few(uint32_t *shown, uint32_t *selected)
{
    if (*shown > BETA_SHOWN_MOST) {
        *selected = (uint32_t)lround((double)*selected / *shown * BETA_SHOWN_MOST);
        *shown = BETA_SHOWN_MOST;
    }
}

/* Counts an image; the first with its answers makes a cell. False: it has none. */
static bool add_image(struct counter *k, uint32_t image, struct beta_cell *out, size_t *n)
{
    uint32_t shown = k->shown[image], selected = k->selected[image];
    few(&shown, &selected);
    if (shown && ++k->images[shown * (shown + 1) / 2 + selected] == 1) {
        out[(*n)++] = (struct beta_cell){shown, selected, 0};
    }
    return shown > 0;
}

/* Moves the counts into the cells and leaves the table empty. */
static void take_counts(struct counter *k, struct beta_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t *count = &k->images[cells[i].shown * (cells[i].shown + 1) / 2 + cells[i].selected];
        cells[i].count = *count;
        *count = 0;
    }
}

/* Images with the same answers as one cell. */
static size_t make_cells(const struct run *r, struct counter *k, size_t key, struct beta_cell *out,
                         size_t *images, double *mean)
{
    size_t n = 0;
    *images = 0;
    *mean = 0;
    for (uint32_t i = r->from[key]; i < r->from[key + 1]; i++) {
        uint32_t image = r->order[i];
        if (add_image(k, image, out, &n)) {
            *mean += (double)k->selected[image] / k->shown[image];
            ++*images;
        }
    }
    *mean = *images ? *mean / (double)*images : 0;
    take_counts(k, out, n);
    return n;
}

static bool count_class(const struct run *r, struct counter *k, uint32_t index,
                        struct class_votes *out)
{
    out->index = index;
    out->n_pool = make_cells(r, k, (size_t)2 * index, k->pool, &out->pool_images, &out->pool_mean);
    out->n_originals =
        make_cells(r, k, (size_t)2 * index + 1, k->originals, &out->originals, &out->original_mean);
    return out->n_pool && out->n_originals;
}

static struct beta fit(const struct beta_cell *cells, size_t n, const struct beta *centre,
                       const struct beta *start)
{
    const struct beta_hold hold = {*centre, LOGIT_MEAN_SD, LOG_SIZE_SD};
    return beta_binomial_fit(cells, n, &hold, start);
}

static double originals_corrected(const struct beta *b, const struct beta_cell *cells, size_t n)
{
    double sum = 0, images = 0;
    for (size_t i = 0; i < n; i++) {
        sum += cells[i].count * beta_posterior_mean(b, cells[i].shown, cells[i].selected);
        images += cells[i].count;
    }
    return sum / images;
}

/* Sums over the images of the set; `pool` is of their classes' candidates. */
struct set_sums {
    double images, raw, corrected, unsaid, pool;
};

/* An image's true frequency differs from the mean of those with the same answers; how much is the
 * variance of its posterior. Part of that the votes show: what leaving out each of its own answers
 * would (stats/jackknife.h). An image with ticks alone shows nothing so. */
static double unsaid(const struct beta *b, uint32_t shown, uint32_t selected)
{
    double share = (double)selected / shown, rest = b->size + shown - 1;
    double shows = (shown - 1) * share * (1 - share) / (rest * rest);
    return fmax(0, beta_posterior_variance(b, shown, selected) - shows);
}

static void add_set(const struct run *r, const struct counter *k, const struct class_votes *c,
                    const struct beta *b, struct set_sums *sums)
{
    for (uint32_t i = r->from[2 * c->index]; i < r->from[2 * c->index + 1]; i++) {
        uint32_t image = r->order[i], shown = k->shown[image], selected = k->selected[image];
        if (!r->in->images[image].in_set || shown == 0) {
            continue;
        }
        sums->images++;
        sums->raw += (double)selected / shown;
        sums->pool += c->pool_mean;
        sums->corrected += beta_posterior_mean(b, shown, selected);
        sums->unsaid += unsaid(b, shown, selected);
    }
}

/* ---- one pass ---- */

/* The share of its lead over the pool's mean that a choice by n answers loses is size / (size + n),
 * where size is that of the pool's beta distribution, whatever n. Every design gives a size; that
 * of the set's own is their mean. Going by the share, not by the figures themselves, is what makes
 * a line through designs possible at all: bins of a fifth hold two, three or one of the frequencies
 * of n' answers, so the figures jump from n' to n'. */
static double lost_at(const struct run *r, const struct held_out_sums *sums, double answers)
{
    double size = 0;
    for (unsigned d = 0; d < r->rules.n; d++) {
        double share = sums[d].excess > 0 ? sums[d].lost / sums[d].excess : 0;
        size += r->designs[d] * share / (1 - fmin(share, 0.99)) / r->rules.n;
    }
    return size / (size + answers);
}

static void put_figures(const struct run *r, const struct set_sums *set,
                        const struct held_out_sums *sums, struct figures *out)
{
    if (set->images <= 0) {
        return;
    }
    out->images = set->images;
    out->raw_set = set->raw / set->images;
    out->raw_original /= set->images;
    out->raw = out->raw_set - out->raw_original;
    out->corrected = (set->corrected - out->corrected) / set->images;
    out->unsaid = set->unsaid / (set->images * set->images);
    out->drawn /= set->images * set->images;
    out->held_known = r->rules.n > 0;
    for (unsigned d = 0; d < r->rules.n; d++) {
        out->held_known = out->held_known && sums[d].chosen > 0;
        out->at[d] = sums[d].chosen > 0 ? (sums[d].held - sums[d].original) / sums[d].chosen : 0;
        out->answers[d] = sums[d].answers;
    }
    if (out->held_known) {
        double lead = (set->raw - set->pool) / set->images;
        out->held_out = out->raw - lost_at(r, sums, r->answers) * lead;
    }
}

/* Variance of the mean of those originals of a class that were measured, as one of all that it has.
 * What votes add to the spread between images is in it, so it is rather too large. */
static double drawn_variance(const struct run *r, const struct class_votes *c,
                             const struct beta_cell *cells)
{
    double squares = 0, n = (double)c->originals,
           of = r->in->originals ? r->in->originals[c->index] : 0;
    if (of <= n || n < 2) {
        return 0;
    }
    for (size_t i = 0; i < c->n_originals; i++) {
        double off = (double)cells[i].selected / cells[i].shown - c->original_mean;
        squares += cells[i].count * off * off;
    }
    return squares / (n - 1) / n * (1 - n / of);
}

static double own_threshold(const struct bias_input *in, uint32_t class_index)
{
    return in->thresholds && in->thresholds[class_index] >= 0 ? in->thresholds[class_index]
                                                              : in->threshold;
}

/* `keep` gets the fits, for passes that come after. */
static void make_figures(const struct run *r, struct counter *k, struct both *keep,
                         struct figures *out)
{
    struct held_out_sums sums[HELD_OUT_DESIGNS] = {{0}};
    struct set_sums set = {0};
    *out = (struct figures){0};
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        struct class_votes v;
        struct set_sums before = set;
        if (!count_class(r, k, c, &v)) {
            continue;
        }
        const struct both *start = &r->classes[c];
        struct both b = {fit(k->pool, v.n_pool, &r->all.pool, &start->pool), {0, 0}};
        add_set(r, k, &v, &b.pool, &set);
        double images = set.images - before.images;
        if (images <= 0) {
            continue;
        }
        b.originals = fit(k->originals, v.n_originals, &r->all.originals, &start->originals);
        out->pool += v.pool_images;
        out->originals += v.originals;
        out->raw_original += images * v.original_mean;
        out->drawn += images * images * drawn_variance(r, &v, k->originals);
        out->corrected += images * originals_corrected(&b.originals, k->originals, v.n_originals);
        if (r->rules.n) {
            held_out_add(k->held,
                         &(struct held_out_class){k->pool, k->originals, v.n_pool, v.n_originals,
                                                  own_threshold(r->in, c), v.pool_mean,
                                                  v.original_mean},
                         sums);
        }
        if (keep) {
            keep[c] = b;
        }
    }
    put_figures(r, &set, sums, out);
}

/* ---- groups of workers ---- */

static void without_group(void *arg, unsigned worker, size_t group)
{
    struct run *r = arg;
    struct counter *k = &r->counters[worker];
    size_t bytes = r->in->n_images * sizeof *k->shown;
    memcpy(k->shown, r->shown, bytes);
    memcpy(k->selected, r->selected, bytes);
    for (size_t i = r->ballots_from[group]; i < r->ballots_from[group + 1]; i++) {
        k->shown[r->ballots[i] >> 1]--;
        k->selected[r->ballots[i] >> 1] -= r->ballots[i] & 1;
    }
    make_figures(r, k, NULL, &r->without[group]);
}

/* Workers who voted in a drawn order, dealt out to the groups. */
static uint32_t *deal_workers(struct run *r, struct arena *a)
{
    const struct bias_input *in = r->in;
    uint32_t *group = arena_calloc(a, in->n_workers + 1, sizeof *group);
    uint32_t *who = arena_calloc(a, in->n_workers + 1, sizeof *who);
    struct rng rng;
    for (size_t i = 0; i < in->n_votes; i++) {
        group[in->votes[i].worker] = 1;
    }
    for (uint32_t w = 0; w < in->n_workers; w++) {
        if (group[w]) {
            who[r->workers++] = w;
        }
    }
    unsigned most = in->groups ? in->groups : GROUPS_USUAL;
    most = most < GROUPS_MOST ? most : GROUPS_MOST;
    r->groups = r->workers < most ? r->workers : most;
    rng_seed(&rng, in->seed);
    rng_shuffle_u32(&rng, who, r->workers);
    for (uint32_t w = 0; w < r->workers; w++) {
        group[who[w]] = w % r->groups;
    }
    return group;
}

static void sort_votes(struct run *r, struct arena *a)
{
    const struct bias_input *in = r->in;
    uint32_t *group = deal_workers(r, a);
    r->shown = arena_calloc(a, in->n_images + 1, sizeof *r->shown);
    r->selected = arena_calloc(a, in->n_images + 1, sizeof *r->selected);
    r->ballots = arena_calloc(a, in->n_votes + 1, sizeof *r->ballots);
    r->ballots_from = arena_calloc(a, r->groups + 2, sizeof *r->ballots_from);
    for (size_t i = 0; i < in->n_votes; i++) {
        const struct bias_vote *v = &in->votes[i];
        r->shown[v->image]++;
        r->selected[v->image] += v->selected;
        r->ballots_from[group[v->worker] + 2]++;
    }
    for (unsigned g = 2; g <= r->groups; g++) {
        r->ballots_from[g] += r->ballots_from[g - 1];
    }
    for (size_t i = 0; i < in->n_votes; i++) {
        const struct bias_vote *v = &in->votes[i];
        r->ballots[r->ballots_from[group[v->worker] + 1]++] = v->image << 1 | v->selected;
    }
}

static void sort_images(struct run *r, struct arena *a)
{
    const struct bias_input *in = r->in;
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

/* ---- the design ---- */

/* Median of the answers of candidates that have any: what an image usually gets. */
static unsigned usual_answers(const struct run *r, struct arena *a)
{
    uint32_t *by_answers = arena_calloc(a, BETA_SHOWN_MOST + 1, sizeof *by_answers);
    size_t images = 0, below = 0;
    for (size_t i = 0; i < r->in->n_images; i++) {
        uint32_t shown = r->shown[i], selected = r->selected[i];
        if (shown && !r->in->images[i].original) {
            few(&shown, &selected);
            by_answers[shown]++;
            images++;
        }
    }
    for (unsigned n = 1; n <= BETA_SHOWN_MOST && images; n++) {
        below += by_answers[n];
        if (2 * below >= images) {
            return n;
        }
    }
    return 0;
}

/* From half of the answers to all but one: below, a design is too unlike the set's own. */
static void choose_designs(struct run *r, struct arena *a)
{
    r->answers = usual_answers(r, a);
    r->rules = (struct held_out_rules){
        .strategy = r->in->strategy, .upward = r->in->upward, .size = r->in->size};
    if (r->answers < 2 || r->in->strategy >= SAMPLE_KEYWORD) {
        return;
    }
    unsigned least = (r->answers + 1) / 2, n = r->answers - least;
    unsigned designs = n < BIAS_DESIGNS_MOST ? n : BIAS_DESIGNS_MOST;
    for (unsigned d = 0; d < designs; d++) {
        unsigned off = designs > 1 ? d * (n - 1) / (designs - 1) : 0;
        r->designs[d] = least + off;
        r->rules.kept[d] = (double)r->designs[d] / r->answers;
    }
    r->rules.n = designs;
}

/* Fits over all classes together: the first guess for each class, and the centre that it is held
 * to. */
static void fit_all(struct run *r, struct counter *k)
{
    static const struct beta_hold no_hold = {{0.5, 2}, 0, 0};
    size_t n_pool = 0, n_originals = 0;
    for (size_t i = 0; i < r->in->n_images; i++) {
        if (!r->in->images[i].original) {
            add_image(k, (uint32_t)i, k->pool, &n_pool);
        }
    }
    take_counts(k, k->pool, n_pool);
    for (size_t i = 0; i < r->in->n_images; i++) {
        if (r->in->images[i].original) {
            add_image(k, (uint32_t)i, k->originals, &n_originals);
        }
    }
    take_counts(k, k->originals, n_originals);
    r->all.pool = beta_binomial_fit(k->pool, n_pool, &no_hold, &no_hold.centre);
    r->all.originals = beta_binomial_fit(k->originals, n_originals, &no_hold, &no_hold.centre);
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        r->classes[c] = r->all;
    }
}

static void make_counters(struct run *r, unsigned threads)
{
    size_t images = r->in->n_images + 1;
    size_t kinds = (size_t)(BETA_SHOWN_MOST + 1) * (BETA_SHOWN_MOST + 2) / 2;
    size_t cells = images < kinds ? images : kinds;
    r->counters = xcalloc(threads, sizeof *r->counters);
    for (unsigned i = 0; i < threads; i++) {
        struct counter *k = &r->counters[i];
        k->shown = xcalloc(images, sizeof *k->shown);
        k->selected = xcalloc(images, sizeof *k->selected);
        k->images = xcalloc(kinds, sizeof *k->images);
        k->pool = xcalloc(cells, sizeof *k->pool);
        k->originals = xcalloc(cells, sizeof *k->originals);
        k->held = held_out_new(&r->rules);
    }
}

static void free_counters(struct run *r, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        struct counter *k = &r->counters[i];
        free(k->shown);
        free(k->selected);
        free(k->images);
        free(k->pool);
        free(k->originals);
        held_out_free(k->held);
    }
    free(r->counters);
}

/* ---- what is told ---- */

/* `at` is where the figure stands in a struct figures. Groups without which nothing is left say
 * nothing. */
static struct bias_estimate estimate(const struct run *r, double value, size_t at, bool held,
                                     double unsaid)
{
    struct bias_estimate e = {.value = value, .known = true};
    double without[GROUPS_MOST];
    size_t n = 0;
    for (unsigned g = 0; g < r->groups; g++) {
        const struct figures *f = &r->without[g];
        if (f->images > 0 && (!held || f->held_known)) {
            memcpy(&without[n++], (const char *)f + at, sizeof *without);
        }
    }
    e.interval = n > 1;
    if (e.interval) {
        struct interval ci =
            jackknife_interval(value, jackknife_variance(without, n) + unsaid, n, ALPHA);
        e.lo = ci.lo;
        e.hi = ci.hi;
    }
    return e;
}

static void tell(const struct run *r, const struct figures *f, struct matching_bias *out)
{
    out->images = (size_t)f->images;
    out->originals = f->originals;
    out->pool = f->pool;
    out->raw_set = f->raw_set;
    out->raw_original = f->raw_original;
    out->pool_beta = r->all.pool;
    out->original_beta = r->all.originals;
    if (f->images <= 0) {
        return;
    }
    out->raw = estimate(r, f->raw, offsetof(struct figures, raw), false, f->drawn);
    out->corrected =
        estimate(r, f->corrected, offsetof(struct figures, corrected), false, f->unsaid);
    if (!f->held_known) {
        return;
    }
    out->held_out = estimate(r, f->held_out, offsetof(struct figures, held_out), true, f->unsaid);
    out->n_at = r->rules.n;
    for (unsigned d = 0; d < r->rules.n; d++) {
        size_t at = offsetof(struct figures, at) + d * sizeof *f->at;
        out->at[d] = (struct bias_at){r->designs[d], estimate(r, f->at[d], at, true, 0),
                                      (uint64_t)llround(f->answers[d])};
    }
}

void matching_bias(const struct bias_input *in, struct arena *a, struct matching_bias *out)
{
    struct run r = {.in = in};
    struct figures all;
    unsigned threads = in->threads ? in->threads : 1;
    BUG_IF(in->n_images >> 31);
    sort_images(&r, a);
    sort_votes(&r, a);
    choose_designs(&r, a);
    r.classes = arena_calloc(a, in->n_classes + 1, sizeof *r.classes);
    r.without = arena_calloc(a, r.groups + 1, sizeof *r.without);
    make_counters(&r, threads);
    memcpy(r.counters->shown, r.shown, in->n_images * sizeof *r.shown);
    memcpy(r.counters->selected, r.selected, in->n_images * sizeof *r.selected);
    fit_all(&r, r.counters);
    make_figures(&r, r.counters, r.classes, &all);
    parallel_for(threads, r.groups, without_group, &r);
    *out = (struct matching_bias){.workers = r.workers, .groups = r.groups, .answers = r.answers};
    tell(&r, &all, out);
    free_counters(&r, threads);
}
