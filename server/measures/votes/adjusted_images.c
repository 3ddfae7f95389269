/* adjusted_images.c - which images count for an adjusted gap, what each weighs, and the strata that
 * they are drawn from. */
#include <string.h>

#include "base/rng.h"
#include "domain/votes/histogram.h"
#include "measures/votes/adjusted_private.h"

static enum image_kind kind_of(const struct adjusted_run *r, uint32_t image)
{
    const struct bias_image *b = &r->in->images[image];
    bool voted = r->votes.shown[image] > 0;
    return b->original ? (voted ? KIND_MEASURED : KIND_ORIGINAL)
           : !voted    ? KIND_OUT
           : b->in_set ? KIND_SET
                       : KIND_POOL;
}

/* Says what the images of a class are; those of one that lacks votes on a side are out. */
static void take_class(struct adjusted_run *r, uint32_t c, struct adjusted_gap *out)
{
    const uint32_t *from = r->by_class.from + (size_t)2 * c, *order = r->by_class.order;
    size_t n[KIND_OUT + 1] = {0}, unanswered = 0;
    for (uint32_t i = from[0]; i < from[2]; i++) {
        uint32_t image = order[i];
        r->kind[image] = (unsigned char)kind_of(r, image);
        n[r->kind[image]]++;
        unanswered += r->kind[image] == KIND_OUT && r->in->images[image].in_set;
    }
    if (!n[KIND_MEASURED] || !n[KIND_SET]) {
        for (uint32_t i = from[0]; i < from[2]; i++) {
            r->kind[order[i]] = KIND_OUT;
        }
        return;
    }
    double originals = (double)(n[KIND_MEASURED] + n[KIND_ORIGINAL]);
    r->class_weight[ADJUSTED_NEW][c] = originals / (double)n[KIND_SET];
    r->class_weight[ADJUSTED_ORIGINAL][c] = originals / (double)n[KIND_MEASURED];
    out->classes++;
    out->images += n[KIND_SET];
    out->originals += n[KIND_MEASURED] + n[KIND_ORIGINAL];
    out->measured += n[KIND_MEASURED];
    out->unanswered += unanswered;
}

static void take_classes(struct adjusted_run *r, struct arena *a, struct adjusted_gap *out)
{
    uint32_t classes = r->in->n_classes;
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        r->class_weight[side] = arena_calloc(a, (size_t)classes + 1, sizeof *r->class_weight[side]);
    }
    for (uint32_t c = 0; c < classes; c++) {
        take_class(r, c, out);
    }
    r->weighted[ADJUSTED_ORIGINAL] = (uint32_t)out->measured;
    r->weighted[ADJUSTED_NEW] = (uint32_t)out->images;
    /* Weights are about 1 each, so that the curves weigh images. */
    for (int side = 0; side < ADJUSTED_SIDES && out->originals; side++) {
        double scale = (double)r->weighted[side] / (double)out->originals;
        for (uint32_t c = 0; c < classes; c++) {
            r->class_weight[side][c] *= scale;
        }
    }
}

/* Images of a class and kind are a stratum; those that are alone in theirs make one for each kind.
 */
static void make_strata(struct adjusted_run *r, struct arena *a)
{
    const struct adjusted_input *in = r->in;
    const uint32_t *from = r->by_class.from, *order = r->by_class.order;
    uint32_t *lone = arena_alloc(a, (in->n_images + 1) * sizeof *lone), n_lone = 0, n = 0;
    r->strata = arena_alloc(a, (in->n_images + 1) * sizeof *r->strata);
    r->strata_from =
        arena_alloc(a, ((size_t)in->n_classes * KIND_OUT + KIND_OUT + 1) * sizeof *r->strata_from);
    for (uint32_t c = 0; c < in->n_classes; c++) {
        for (int kind = 0; kind < KIND_OUT; kind++) {
            uint32_t begin = n;
            for (uint32_t i = from[2 * c]; i < from[2 * c + 2]; i++) {
                if (r->kind[order[i]] == kind) {
                    r->strata[n++] = order[i];
                }
            }
            if (n == begin + 1) {
                lone[n_lone++] = r->strata[--n];
            } else if (n > begin) {
                r->strata_from[r->n_strata++] = begin;
            }
        }
    }
    r->lone_from = r->n_strata;
    for (int kind = 0; kind < KIND_OUT; kind++) {
        uint32_t begin = n;
        for (uint32_t i = 0; i < n_lone; i++) {
            if (r->kind[lone[i]] == kind) {
                r->strata[n++] = lone[i];
            }
        }
        if (n > begin) {
            r->strata_from[r->n_strata++] = begin;
        }
    }
    r->strata_from[r->n_strata] = n;
}

void adjusted_images_take(struct adjusted_run *r, struct arena *a, struct adjusted_gap *out)
{
    size_t n = r->in->n_images;
    r->kind = arena_calloc(a, n + 1, 1);
    r->seen_bin = arena_calloc(a, n + 1, 1);
    take_classes(r, a, out);
    make_strata(r, a);
    for (size_t i = 0; i < n; i++) {
        r->seen_bin[i] = r->votes.shown[i]
                             ? (unsigned char)histogram_bin(r->votes.selected[i], r->votes.shown[i])
                             : 0;
    }
}

void adjusted_images_all(const struct adjusted_run *r, double *times)
{
    for (size_t i = 0; i < r->in->n_images; i++) {
        times[i] = 1;
    }
}

void adjusted_images_draw(const struct adjusted_run *r, size_t resample, double *times)
{
    struct rng rng;
    rng_stream(&rng, r->in->seed, resample);
    memset(times, 0, r->in->n_images * sizeof *times);
    for (size_t t = 0; t < r->n_strata; t++) {
        uint32_t from = r->strata_from[t], n = r->strata_from[t + 1] - from;
        uint32_t draws = t < r->lone_from ? n - 1 : n;
        for (uint32_t i = 0; i < draws; i++) {
            times[r->strata[from + rng_below(&rng, n)]] += (double)n / draws;
        }
    }
}
