/* adjusted_gap.c - one pass over votes and images gives the figures of all models; passes without a
 * group of workers and over drawn images give their variances. */
#include "measures/votes/adjusted_gap.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "measures/votes/adjusted_private.h"

const char adjusted_gap_assumes[] =
    "It assumes that images with the same true frequency are equally hard in both sets, up to the "
    "gap of interest: whatever "
    "else differs between them belongs to that gap.";

/* Of all votes and images, and before any pass. */
static size_t stride_of(const struct adjusted_run *r)
{
    return (r->in->n_models + 1) * FIGURES;
}

static void run_pass(void *arg, unsigned worker, size_t i)
{
    struct adjusted_run *r = arg;
    struct adjusted_counter *k = &r->counters[worker];
    if (i < r->votes.groups) {
        worker_groups_without(&r->votes, i, k->shown, k->selected);
        adjusted_images_all(r, k->times);
    } else {
        worker_groups_without(&r->votes, SIZE_MAX, k->shown, k->selected);
        adjusted_images_draw(r, i - r->votes.groups, k->times);
    }
    adjusted_pass(r, k, false, r->passes + i * stride_of(r));
}

/* The median of the answers of images that count, which the spreads are made of. */
static unsigned usual_answers(const struct adjusted_run *r, struct arena *a, uint32_t *most)
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

static void make_all(struct adjusted_run *r, unsigned threads, size_t passes, uint32_t answers, struct arena *a)
{
    const double *at;
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        r->spread[side] = spread_new(r->in->n_classes, answers);
        r->curves[side] = arena_calloc(a, r->in->n_models + 1, sizeof *r->curves[side]);
    }
    unsigned points = spread_points(r->spread[ADJUSTED_NEW], &at);
    adjusted_bins_make(points, at, r->in_bin);
    r->passes = xcalloc(passes * stride_of(r) + 1, sizeof *r->passes);
    r->counters = xcalloc(threads, sizeof *r->counters);
    for (unsigned i = 0; i < threads; i++) {
        adjusted_counter_make(r, &r->counters[i], answers);
    }
}

static void free_all(struct adjusted_run *r, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        adjusted_counter_free(&r->counters[i]);
    }
    free(r->counters);
    free(r->passes);
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        spread_free(r->spread[side]);
    }
}

static void run_all(struct adjusted_run *r, unsigned threads, uint32_t answers, struct arena *a,
                    struct adjusted_gap *out)
{
    size_t passes = (size_t)r->votes.groups + out->resamples;
    double *all = arena_calloc(a, stride_of(r), sizeof *all);
    make_all(r, threads, passes, answers, a);
    struct adjusted_counter *k = r->counters;
    worker_groups_without(&r->votes, SIZE_MAX, k->shown, k->selected);
    adjusted_images_all(r, k->times);
    if (adjusted_pass(r, k, true, all)) {
        adjusted_tell_weights(r, k, out);
        parallel_for(threads, passes, run_pass, r);
        adjusted_tell(r, all, a, out);
    } else {
        out->silence = ADJUSTED_NO_TOP;
    }
    free_all(r, threads);
}

void adjusted_gap(const struct adjusted_input *in, struct arena *a, struct adjusted_gap *out)
{
    struct adjusted_run *r = arena_calloc(a, 1, sizeof *r);
    const struct worker_groups_ask ask = {in->votes,     in->n_votes, in->n_images,
                                          in->n_workers, in->groups,  in->seed};
    uint32_t most;
    *out = (struct adjusted_gap){.resamples = in->resamples ? in->resamples : ADJUSTED_RESAMPLES};
    BUG_IF(out->resamples > ADJUSTED_RESAMPLES_MOST);
    r->in = in;
    r->by_class = class_order_make(in->images, in->n_images, in->n_classes, a);
    worker_groups_make(&ask, a, &r->votes);
    adjusted_images_take(r, a, out);
    out->workers = r->votes.workers;
    out->groups = r->votes.groups;
    unsigned usual = usual_answers(r, a, &most);
    out->silence = in->n_models == 0            ? ADJUSTED_NO_MODELS
                   : out->classes == 0          ? ADJUSTED_NO_VOTES
                   : usual < BIAS_ANSWERS_LEAST ? ADJUSTED_FEW_ANSWERS
                                                : ADJUSTED_SPEAKS;
    if (out->silence == ADJUSTED_SPEAKS) {
        run_all(r, in->threads ? in->threads : 1, most, a, out);
    }
}
