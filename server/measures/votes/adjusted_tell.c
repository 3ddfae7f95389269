/* adjusted_tell.c - the figures of all votes and images with the variances that passes show. */
#include <math.h>

#include "measures/votes/adjusted_private.h"
#include "stats/cluster.h"
#include "stats/jackknife.h"

#define ALPHA 0.05
#define VARIANCE_LEAST 1e-20 /* below: rounding */
#define UNCOVERED_MOST 0.05
#define EFFECTIVE_LEAST 0.2

enum { NONE = FIGURES };

/* What is told: a figure, or one minus another. */
struct contrast {
    size_t plus, minus; /* `minus` NONE: nothing is taken off */
    bool of_votes;      /* votes are part of its variance */
    double least;       /* what it can be; at most 1 */
};
struct teller {
    const struct adjusted_run *r;
    const double *all;
    unsigned resamples;
    double *room; /* [groups + resamples] */
};

static double value_of(const double *figures, const struct contrast *of)
{
    return figures[of->plus] - (of->minus == NONE ? 0 : figures[of->minus]);
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

/* A variance that is NAN, because of a draw without images, says nothing: no interval. */
static struct adjusted_estimate estimate(const struct teller *t, size_t m, struct contrast of)
{
    size_t groups = t->r->votes.groups, stride = (t->r->in->n_models + 1) * FIGURES;
    struct adjusted_estimate e = {.value = value_of(t->all + m * FIGURES, &of)};
    for (size_t i = 0; i < groups + t->resamples; i++) {
        t->room[i] = value_of(t->r->passes + i * stride + m * FIGURES, &of);
    }
    e.by_workers = of.of_votes ? jackknife_variance(t->room, groups) : 0;
    e.by_images = variance_of(t->room + groups, t->resamples);
    e.interval = e.by_images > VARIANCE_LEAST && isfinite(e.by_workers) && (!of.of_votes || groups > 1);
    if (e.interval) {
        double sum = e.by_workers + e.by_images;
        double freedom = sum * sum /
                         (e.by_images * e.by_images / (t->resamples - 1) +
                          (groups > 1 ? e.by_workers * e.by_workers / (double)(groups - 1) : 0));
        double half = student_quantile(freedom, 1 - ALPHA / 2) * sqrt(sum);
        e.lo = fmax(of.least, e.value - half);
        e.hi = fmin(1, e.value + half);
    }
    return e;
}

/* How alike the densities are, and what the weights leave. */
static void tell_bins(const struct adjusted_run *r, const struct adjusted_counter *k, struct adjusted_gap *out)
{
    for (int b = 0; b < HISTOGRAM_BINS; b++) {
        struct adjusted_bin *bin = &out->bins[b];
        for (int side = 0; side < ADJUSTED_SIDES; side++) {
            double share = 0;
            for (unsigned j = 0; j < out->points; j++) {
                share += k->side[side].p[j] * r->in_bin[b][j];
            }
            bin->expected[side] = share * r->weighted[side];
            bin->known[side] = bin->expected[side] >= ADJUSTED_BIN_LEAST;
        }
    }
    for (size_t i = 0; i < r->in->n_images; i++) {
        if (r->kind[i] == KIND_SET || r->kind[i] == KIND_MEASURED) {
            out->bins[r->seen_bin[i]].seen[adjusted_side(&r->in->images[i])]++;
        }
    }
}

void adjusted_tell_weights(const struct adjusted_run *r, const struct adjusted_counter *k,
                           struct adjusted_gap *out)
{
    const struct counted_side *fresh = &k->side[ADJUSTED_NEW];
    const double *at;
    double sum = 0, squares = 0;
    out->points = spread_points(r->spread[ADJUSTED_NEW], &at);
    for (unsigned j = 0; j < out->points; j++) {
        out->at[j] = at[j];
        out->p_original[j] = k->side[ADJUSTED_ORIGINAL].p[j];
        out->p_new[j] = fresh->p[j];
        out->overlap += fmin(out->p_original[j], out->p_new[j]);
        out->uncovered +=
            out->p_original[j] > ADJUSTED_RATIO_MOST * out->p_new[j] ? out->p_original[j] : 0;
    }
    for (size_t i = 0; i < r->in->n_images; i++) {
        if (r->kind[i] != KIND_SET) {
            continue;
        }
        uint32_t shown = k->shown[i], selected = k->selected[i];
        spread_few(&shown, &selected);
        const double *d =
            fresh->density + (size_t)fresh->cell_of_kind[spread_kind(shown, selected)] * out->points;
        double w = 0;
        for (unsigned j = 0; j < out->points; j++) {
            w += d[j] * k->ratio[j];
        }
        w *= r->class_weight[ADJUSTED_NEW][r->in->images[i].class_index];
        sum += w;
        squares += w * w;
    }
    out->effective = squares > 0 ? sum * sum / squares : 0;
    tell_bins(r, k, out);
}

static struct adjusted_bin_line bin_line(const struct teller *t, size_t m, int b)
{
    struct adjusted_bin_line out;
    for (int side = 0; side < ADJUSTED_SIDES; side++) {
        out.seen[side] = t->all[m * FIGURES + figure_in(FIGURE_SEEN, side, b)];
        out.at[side] = estimate(t, m, (struct contrast){figure_in(FIGURE_TRUE, side, b), NONE, true, 0});
    }
    out.gap = estimate(t, m, (struct contrast){figure_in(FIGURE_TRUE, ADJUSTED_ORIGINAL, b),
                                               figure_in(FIGURE_TRUE, ADJUSTED_NEW, b), true, -1});
    return out;
}

static struct adjusted_line line_of(const struct teller *t, size_t m)
{
    const double *f = t->all + m * FIGURES;
    struct adjusted_line out = {
        .original = f[FIGURE_ORIGINAL],
        .fresh = f[FIGURE_FRESH],
        .adjusted = f[FIGURE_ADJUSTED],
        .raw = estimate(t, m, (struct contrast){FIGURE_ORIGINAL, FIGURE_FRESH, false, -1}),
        .gap = estimate(t, m, (struct contrast){FIGURE_ORIGINAL, FIGURE_ADJUSTED, true, -1})};
    for (int b = 0; b < HISTOGRAM_BINS; b++) {
        out.bins[b] = bin_line(t, m, b);
    }
    return out;
}

void adjusted_tell(const struct adjusted_run *r, const double *all, struct arena *a,
                   struct adjusted_gap *out)
{
    size_t n = r->in->n_models;
    const struct teller t = {
        r, all, out->resamples,
        arena_alloc(a, ((size_t)r->votes.groups + out->resamples) * sizeof *t.room)};
    out->lines = arena_calloc(a, n + 1, sizeof *out->lines);
    for (size_t m = 0; m < n; m++) {
        out->lines[m] = line_of(&t, m);
    }
    out->mean = line_of(&t, n);
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
