/* matching_bias.c - the figures of a set, once over all votes and once without each group of
 * workers. */
#include "measures/votes/matching_bias.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/xalloc.h"
#include "measures/votes/held_out.h"
#include "stats/jackknife.h"
#include "stats/spread_count.h"

#define ALPHA 0.05

/* What all votes, or those without a group, come to. */
struct figures {
    double images; /* of the set that are counted */
    size_t originals, pool, kept, unseen, removed;
    double raw_set, raw_original, raw;
    double estimated;
    double unsaid; /* variance of the set's true mean, given votes and spread, that no votes show */
    double drawn;  /* variance of the originals' mean, which may be a draw */
    double at[BIAS_DESIGNS_MOST];
    struct held_out_sums sums[BIAS_DESIGNS_MOST];
    bool held_known, estimated_known;
};
struct run {
    const struct bias_input *in;
    struct class_order by_class;
    struct worker_groups votes;
    unsigned answers, designs[BIAS_DESIGNS_MOST];
    struct held_out_rules rules; /* n 0: nothing can be held out */
    struct spread *whole;        /* of all votes; NULL: nothing is estimated */
    struct figures *without;
    struct counter *counters; /* one per thread */
};
/* What a thread counts on. */
struct counter {
    uint32_t *shown, *selected;
    struct spread_counter *cells;
    struct spread_cell *pool, *set; /* of all classes; in `set` the set's images alone */
    size_t *from;                   /* [class + 1] */
    struct spread_cell *originals;  /* of one class */
    struct held_out *held;
    struct spread *spread;
};

/* ---- votes of one class ---- */

struct class_votes {
    uint32_t index;
    size_t n_originals;            /* cells */
    size_t pool_images, originals; /* images with answers */
    double set_images, set_sum;    /* of the set; the sum of their frequencies */
    double original_mean;          /* mean of their frequencies */
};

/* Counts an image among the cells of its class. Gives which; SIZE_MAX: it has no answers. */
static size_t add_image(const struct run *r, struct counter *k, uint32_t image,
                        struct spread_cell *cells, size_t *n)
{
    const struct spread_cell one = {k->shown[image], k->selected[image], 1, r->in->images[image].review};
    return spread_count(k->cells, one, cells, n);
}

static double share_of(const struct counter *k, uint32_t image)
{
    return (double)k->selected[image] / k->shown[image];
}

static void count_originals(const struct run *r, struct counter *k, struct class_votes *out)
{
    size_t key = (size_t)2 * out->index + 1;
    for (uint32_t i = r->by_class.from[key]; i < r->by_class.from[key + 1]; i++) {
        if (add_image(r, k, r->by_class.order[i], k->originals, &out->n_originals) != SIZE_MAX) {
            out->original_mean += share_of(k, r->by_class.order[i]);
            out->originals++;
        }
    }
    out->original_mean /= out->originals ? (double)out->originals : 1;
    spread_counter_forget(k->cells, k->originals, 0, out->n_originals);
}

/* Appends the class's cells. Those of the set stay empty in a class without originals. */
static void count_class(const struct run *r, struct counter *k, uint32_t index,
                        struct class_votes *out)
{
    size_t key = (size_t)2 * index, n = k->from[index];
    *out = (struct class_votes){.index = index};
    count_originals(r, k, out);
    for (uint32_t i = r->by_class.from[key]; i < r->by_class.from[key + 1]; i++) {
        size_t had = n, at = add_image(r, k, r->by_class.order[i], k->pool, &n);
        if (n > had) {
            k->set[at] = k->pool[at];
            k->set[at].count = 0;
        }
        out->pool_images += at != SIZE_MAX;
        if (at != SIZE_MAX && out->originals && r->in->images[r->by_class.order[i]].in_set) {
            k->set[at].count++;
            out->set_images++;
            out->set_sum += share_of(k, r->by_class.order[i]);
        }
    }
    spread_counter_forget(k->cells, k->pool, k->from[index], n);
    k->from[index + 1] = n;
}

/* Variance of the mean of those originals of a class that were measured, as one of all that it has.
 * What votes add to the spread between images is in it, so it is rather too large. */
static double drawn_variance(const struct run *r, const struct counter *k,
                             const struct class_votes *c)
{
    double squares = 0, n = (double)c->originals,
           of = r->in->originals ? r->in->originals[c->index] : 0;
    if (of <= n || n < 2) {
        return 0;
    }
    for (size_t i = 0; i < c->n_originals; i++) {
        const struct spread_cell *cell = &k->originals[i];
        double off = (double)cell->selected / cell->shown - c->original_mean;
        squares += cell->count * off * off;
    }
    return squares / (n - 1) / n * (1 - n / of);
}

static double own_threshold(const struct bias_input *in, uint32_t class_index)
{
    return in->thresholds && in->thresholds[class_index] >= 0 ? in->thresholds[class_index]
                                                              : in->threshold;
}

static void add_class(const struct run *r, struct counter *k, const struct class_votes *c,
                      struct figures *out)
{
    size_t from = k->from[c->index], to = k->from[c->index + 1];
    for (size_t i = from; i < to; i++) {
        out->kept += k->set[i].review == SPREAD_KEPT ? (size_t)k->set[i].count : 0;
        out->unseen += k->set[i].review == SPREAD_UNSEEN ? (size_t)k->set[i].count : 0;
        out->removed += k->pool[i].review == SPREAD_REMOVED ? (size_t)k->pool[i].count : 0;
    }
    out->images += c->set_images;
    out->pool += c->pool_images;
    out->originals += c->originals;
    out->raw_set += c->set_sum;
    out->raw_original += c->set_images * c->original_mean;
    out->drawn += c->set_images * c->set_images * drawn_variance(r, k, c);
    if (r->rules.n) {
        const struct held_out_class h = {.pool = k->pool + from,
                                         .originals = k->originals,
                                         .n_pool = to - from,
                                         .n_originals = c->n_originals,
                                         .threshold = own_threshold(r->in, c->index),
                                         .original_mean = c->original_mean};
        held_out_add(k->held, &h, out->sums);
    }
}

/* ---- one pass ---- */

static void put_designs(const struct run *r, struct figures *out)
{
    out->held_known = r->rules.n > 0;
    for (unsigned d = 0; d < r->rules.n; d++) {
        const struct held_out_sums *s = &out->sums[d];
        out->held_known = out->held_known && s->chosen > 0;
        out->at[d] = s->chosen > 0 ? (s->held - s->original) / s->chosen : 0;
    }
}

/* The mean true frequency of the set by the spread, once that is fitted to the same votes. */
static void put_estimate(const struct run *r, const struct counter *k, struct spread *s,
                         struct figures *out)
{
    double sum = 0;
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        for (size_t i = k->from[c]; i < k->from[c + 1]; i++) {
            if (k->set[i].count) {
                struct spread_image image = spread_of_image(s, c, &k->set[i]);
                sum += k->set[i].count * image.mean;
                out->unsaid += k->set[i].count * (image.variance - image.shown);
            }
        }
    }
    out->estimated = sum / out->images - out->raw_original;
    out->unsaid /= out->images * out->images;
    out->estimated_known = isfinite(out->estimated);
}

static void estimate_set(const struct run *r, struct counter *k, bool all, struct figures *out)
{
    const struct spread_cells pool = {k->pool, k->from};
    if (!all) {
        spread_step(k->spread, r->whole, &pool);
        put_estimate(r, k, k->spread, out);
    } else if (spread_fit(r->whole, &pool)) {
        put_estimate(r, k, r->whole, out);
    }
}

/* Of the votes that `k` has. `all`: these are all votes; the spread is fitted, not moved. */
static void make_figures(const struct run *r, struct counter *k, bool all, struct figures *out)
{
    *out = (struct figures){.images = 0};
    for (uint32_t c = 0; c < r->in->n_classes; c++) {
        struct class_votes v;
        count_class(r, k, c, &v);
        if (v.set_images > 0) {
            add_class(r, k, &v, out);
        }
    }
    if (out->images <= 0) {
        return;
    }
    out->raw_set /= out->images;
    out->raw_original /= out->images;
    out->raw = out->raw_set - out->raw_original;
    out->drawn /= out->images * out->images;
    put_designs(r, out);
    if (r->whole) {
        estimate_set(r, k, all, out);
    }
}

/* ---- groups of workers ---- */

static void without_group(void *arg, unsigned worker, size_t group)
{
    struct run *r = arg;
    struct counter *k = &r->counters[worker];
    worker_groups_without(&r->votes, group, k->shown, k->selected);
    make_figures(r, k, false, &r->without[group]);
}

static void sort_votes(struct run *r, struct arena *a)
{
    const struct bias_input *in = r->in;
    const struct worker_groups_ask ask = {in->votes, in->n_votes, in->n_images, in->n_workers, in->groups, in->seed};
    worker_groups_make(&ask, a, &r->votes);
}

/* ---- the design ---- */

/* Median of the answers of candidates that have any: what an image usually gets. */
static unsigned usual_answers(const struct run *r, struct arena *a)
{
    uint32_t *by_answers = arena_calloc(a, SPREAD_SHOWN_MOST + 1, sizeof *by_answers);
    size_t images = 0, below = 0;
    for (size_t i = 0; i < r->in->n_images; i++) {
        uint32_t shown = r->votes.shown[i];
        if (shown && !r->in->images[i].original) {
            by_answers[shown < SPREAD_SHOWN_MOST ? shown : SPREAD_SHOWN_MOST]++;
            images++;
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

static void make_counters(struct run *r, unsigned threads)
{
    size_t images = r->in->n_images + 1;
    r->counters = xcalloc(threads, sizeof *r->counters);
    for (unsigned i = 0; i < threads; i++) {
        struct counter *k = &r->counters[i];
        k->shown = xcalloc(images, sizeof *k->shown);
        k->selected = xcalloc(images, sizeof *k->selected);
        k->cells = spread_counter_new();
        k->pool = xcalloc(images, sizeof *k->pool);
        k->set = xcalloc(images, sizeof *k->set);
        k->originals = xcalloc(images, sizeof *k->originals);
        k->from = xcalloc((size_t)r->in->n_classes + 1, sizeof *k->from);
        k->held = held_out_new(&r->rules);
    }
}

/* Nothing is estimated from few answers: two are alike or not, and that is all they say. */
static void make_spreads(struct run *r, unsigned threads)
{
    uint32_t most = 0;
    if (r->answers < BIAS_ANSWERS_LEAST) {
        return;
    }
    for (size_t i = 0; i < r->in->n_images; i++) {
        most = r->votes.shown[i] > most ? r->votes.shown[i] : most;
    }
    most = most < SPREAD_SHOWN_MOST ? most : SPREAD_SHOWN_MOST;
    r->whole = spread_new(r->in->n_classes, most);
    for (unsigned i = 0; i < threads; i++) {
        r->counters[i].spread = spread_new(r->in->n_classes, most);
    }
}

static void free_counters(struct run *r, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        struct counter *k = &r->counters[i];
        free(k->shown);
        free(k->selected);
        spread_counter_free(k->cells);
        free(k->pool);
        free(k->set);
        free(k->originals);
        free(k->from);
        held_out_free(k->held);
        spread_free(k->spread);
    }
    free(r->counters);
    spread_free(r->whole);
}

/* ---- what is told ---- */

enum figure { FIGURE_RAW, FIGURE_HELD, FIGURE_ESTIMATED };

static bool figure_known(const struct figures *f, enum figure which)
{
    return f->images > 0 && (which == FIGURE_RAW    ? true
                             : which == FIGURE_HELD ? f->held_known
                                                    : f->estimated_known);
}

/* `at` is where the figure stands in a struct figures. Groups without which nothing is left say
 * nothing. */
static struct bias_estimate estimate(const struct run *r, double value, size_t at,
                                     enum figure which, double further)
{
    struct bias_estimate e = {.value = value, .known = true};
    double without[WORKER_GROUPS_MOST];
    size_t n = 0;
    for (unsigned g = 0; g < r->votes.groups; g++) {
        const struct figures *f = &r->without[g];
        if (figure_known(f, which)) {
            memcpy(&without[n++], (const char *)f + at, sizeof *without);
        }
    }
    e.interval = n > 1;
    if (e.interval) {
        struct interval ci =
            jackknife_interval(value, jackknife_variance(without, n) + further, n, ALPHA);
        e.lo = ci.lo;
        e.hi = ci.hi;
    }
    return e;
}

static void tell_designs(const struct run *r, const struct figures *f, struct matching_bias *out)
{
    out->n_at = f->held_known ? r->rules.n : 0;
    for (unsigned d = 0; d < out->n_at; d++) {
        const struct held_out_sums *s = &f->sums[d];
        size_t at = offsetof(struct figures, at) + d * sizeof *f->at;
        out->at[d] = (struct bias_at){.n = r->designs[d],
                                      .bias = estimate(r, f->at[d], at, FIGURE_HELD, 0),
                                      .kept = s->kept / s->chosen,
                                      .held = s->held / s->chosen,
                                      .original = s->original / s->chosen,
                                      .chosen = s->chosen,
                                      .held_out = (uint64_t)llround(s->answers)};
    }
}

static void tell(const struct run *r, const struct figures *f, struct matching_bias *out)
{
    *out = (struct matching_bias){.images = (size_t)f->images,
                                  .originals = f->originals,
                                  .pool = f->pool,
                                  .kept = f->kept,
                                  .unseen = f->unseen,
                                  .removed = f->removed,
                                  .workers = r->votes.workers,
                                  .groups = r->votes.groups,
                                  .raw_set = f->raw_set,
                                  .raw_original = f->raw_original,
                                  .answers = r->answers};
    if (f->images <= 0) {
        out->silence = BIAS_NO_VOTES;
        return;
    }
    out->raw = estimate(r, f->raw, offsetof(struct figures, raw), FIGURE_RAW, f->drawn);
    tell_designs(r, f, out);
    if (f->estimated_known) {
        out->estimated = estimate(r, f->estimated, offsetof(struct figures, estimated),
                                  FIGURE_ESTIMATED, f->unsaid);
    } else {
        out->silence = r->answers < BIAS_ANSWERS_LEAST ? BIAS_FEW_ANSWERS : BIAS_NO_TOP;
    }
}

void matching_bias(const struct bias_input *in, struct arena *a, struct matching_bias *out)
{
    struct run r = {.in = in};
    struct figures all;
    unsigned threads = in->threads ? in->threads : 1;
    r.by_class = class_order_make(in->images, in->n_images, in->n_classes, a);
    sort_votes(&r, a);
    choose_designs(&r, a);
    r.without = arena_calloc(a, r.votes.groups + 1, sizeof *r.without);
    make_counters(&r, threads);
    make_spreads(&r, threads);
    worker_groups_without(&r.votes, SIZE_MAX, r.counters->shown, r.counters->selected);
    make_figures(&r, r.counters, true, &all);
    if (!all.estimated_known) {
        spread_free(r.whole);
        r.whole = NULL;
    }
    parallel_for(threads, r.votes.groups, without_group, &r);
    tell(&r, &all, out);
    free_counters(&r, threads);
}
