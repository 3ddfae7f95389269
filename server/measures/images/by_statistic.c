/* by_statistic.c - edges from one set's values; then groups are bins. */
#include "measures/images/by_statistic.h"

#include <math.h>
#include <stdlib.h>

#include "base/sorted.h"

#define OF(member) RECORD_OF(struct statistic_bin, member)
#define SIDE(prefix, member, set)                                                                                      \
    {prefix "_images", OF(member.images), .about = "Images of " set " in the bin."},                                   \
        {prefix "_n", OF(member.n), .about = "Of these, images that all the models have predicted."},                  \
        {prefix "_accuracy", OF(member.share.value), .maybe = true,                                                    \
         .about = "Accuracy on them, from 0 to 1, the mean over the models; null: none."},                             \
        {prefix "_lo", OF(member.share.lo), .maybe = true, .about = "Lower bound of its 95 % interval over images."},  \
        {prefix "_hi", OF(member.share.hi), .maybe = true, .about = "Upper bound."}
RECORD(statistic_bin_record, struct statistic_bin, "accuracy_by_statistic", "How models do on images alike in a statistic of the picture.",
       {"bin", OF(bin), .about = "The fifth of the originals, from 0 (lowest)."},
       {"from", OF(from), .about = "The values lie above it, of the first bin from it on."},
       {"to", OF(to), .about = "The greatest value of the originals in the bin."},
       SIDE("original", original, "the originals"),
       SIDE("new", fresh, "the new set, or the only one"),
       {"gap", OF(gap.value), .maybe = true, .about = "Original minus new, in percentage points; null: a side has no images."},
       {"gap_lo", OF(gap.lo), .maybe = true, .about = "Lower bound of its 95 % interval."},
       {"gap_hi", OF(gap.hi), .maybe = true, .about = "Upper bound."});
#undef SIDE
#undef OF

struct values {
    struct image_statistic_row *list; /* by image */
    size_t n;
    const double *edges; /* upper ones of the bins */
    size_t n_bins;
};

static uint32_t bin_of(const void *arg, uint32_t image, uint32_t class_id)
{
    const struct values *v = arg;
    (void)class_id;
    size_t at = sorted_i64(v->list, v->n, sizeof *v->list, offsetof(struct image_statistic_row, image), image), bin = 0;
    if (at == v->n || v->list[at].image != (int64_t)image || v->n_bins == 0) {
        return NO_GROUP;
    }
    while (bin + 1 < v->n_bins && v->list[at].value > v->edges[bin]) {
        bin++;
    }
    return (uint32_t)bin;
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least value, then the upper edges of the fifths; equal ones once. */
static double *edges_of(const struct values *v, struct arena *a, size_t *n_bins)
{
    double *sorted = arena_calloc(a, v->n + 1, sizeof *sorted), *edges = arena_calloc(a, STATISTIC_BINS + 1, sizeof *edges);
    *n_bins = 0;
    for (size_t i = 0; i < v->n; i++) {
        sorted[i] = v->list[i].value;
    }
    if (v->n == 0) {
        return edges;
    }
    qsort(sorted, v->n, sizeof *sorted, rising);
    edges[0] = sorted[0];
    for (size_t k = 1; k <= STATISTIC_BINS; k++) {
        double edge = sorted[(k * v->n + STATISTIC_BINS - 1) / STATISTIC_BINS - 1];
        if (*n_bins == 0 || edge > edges[*n_bins]) {
            edges[++*n_bins] = edge;
        }
    }
    return edges;
}

static void take_side(const struct group_scores *g, bool counted, bool original, struct by_statistic *out)
{
    for (size_t k = 0; k < out->n; k++) {
        struct statistic_side *side = original ? &out->bins[k].original : &out->bins[k].fresh;
        *side = (struct statistic_side){g->groups[k].images, g->groups[k].mean.n, mean_share_of(&g->groups[k].mean, counted)};
    }
}

static void compare(struct statistic_bin *b)
{
    struct proportion d = proportion_difference(b->original.share, b->fresh.share);
    b->gap = (struct proportion){100 * d.value, 100 * d.lo, 100 * d.hi};
}

static enum err_code count_side(struct model_scores *s, struct db *db, const struct by_statistic_ask *ask, int side,
                                const struct values *v, struct arena *a, struct by_statistic *out, struct err *err)
{
    struct group_scores g;
    const struct group_ask one = {.revision = ask->sets[side], .subset = ask->subset, .models = ask->models, .n_models = ask->n_models,
                                  .top = ask->top, .n_groups = STATISTIC_BINS, .group = bin_of, .arg = v};
    enum err_code rc = group_scores_make(s, db, &one, a, &g, err);
    if (rc == OK) {
        take_side(&g, ask->n_models == 1, side == 0, out);
        out->unmeasured[side] = g.outside;
        out->sealed[side] = g.sealed;
    }
    return rc;
}

enum err_code by_statistic_make(struct model_scores *s, struct db *db, const struct by_statistic_ask *ask, struct arena *a,
                                struct by_statistic *out, struct err *err)
{
    static const struct proportion unknown = {(double)NAN, (double)NAN, (double)NAN};
    struct values v[STATISTIC_SETS] = {{.n = 0}};
    enum err_code rc = OK;
    *out = (struct by_statistic){.bins = arena_calloc(a, STATISTIC_BINS, sizeof *out->bins)};
    for (int side = 0; side < STATISTIC_SETS && rc == OK; side++) {
        const struct revision_row *r = ask->sets[side];
        rc = r ? image_statistic_of_list(db, ask->which, r->list, a, &v[side].list, &v[side].n, err) : OK;
    }
    const double *edges = edges_of(v[0].n ? &v[0] : &v[1], a, &out->n);
    for (size_t k = 0; k < out->n; k++) {
        out->bins[k] = (struct statistic_bin){.bin = (uint32_t)k, .from = edges[k], .to = edges[k + 1],
                                              .original.share = unknown, .fresh.share = unknown};
    }
    for (int side = 0; side < STATISTIC_SETS && rc == OK; side++) {
        v[side].edges = edges + 1;
        v[side].n_bins = out->n;
        rc = ask->sets[side] ? count_side(s, db, ask, side, &v[side], a, out, err) : OK;
    }
    for (size_t k = 0; k < out->n; k++) {
        compare(&out->bins[k]);
    }
    return rc;
}
