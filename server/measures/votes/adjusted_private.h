/* adjusted_private.h - what the files of adjusted_gap.h share: which images count and how they are
 * drawn (adjusted_images.c), what one pass over votes and images comes to (adjusted_pass.c), the
 * curves of models and what they weigh (adjusted_curves.c), figures with their variances
 * (adjusted_tell.c). Nobody else includes it. */
#ifndef MEASURES_ADJUSTED_PRIVATE_H
#define MEASURES_ADJUSTED_PRIVATE_H

#include "measures/votes/adjusted_gap.h"
#include "stats/share_curve.h"
#include "stats/spread_count.h"

enum { ADJUSTED_POINTS = SPREAD_POINTS_MOST };

/* What an image is to the bootstrap; images are drawn among their own kind and class. */
enum image_kind { KIND_MEASURED, KIND_ORIGINAL, KIND_SET, KIND_POOL, KIND_OUT };

/* Of one pass, for each model and, last, for their mean: figures[model * FIGURES + figure], shares;
 * NAN: not known. Of sides and bins: first + side * HISTOGRAM_BINS + bin. */
enum figure {
    FIGURE_ORIGINAL,
    FIGURE_FRESH,
    FIGURE_ADJUSTED,
    FIGURE_TRUE, /* accuracy in a bin of true frequency */
    FIGURE_SEEN = FIGURE_TRUE + ADJUSTED_SIDES * HISTOGRAM_BINS, /* of the frequency that was seen */
    FIGURES = FIGURE_SEEN + ADJUSTED_SIDES * HISTOGRAM_BINS
};
static inline size_t figure_in(enum figure first, int side, int bin)
{
    return (size_t)first + (size_t)side * HISTOGRAM_BINS + (size_t)bin;
}

struct adjusted_run {
    const struct adjusted_input *in;
    struct worker_groups votes;
    struct class_order by_class;
    unsigned char *kind;     /* by image: enum image_kind */
    unsigned char *seen_bin; /* by image with votes: the bin of its frequency */
    double *class_weight[ADJUSTED_SIDES]; /* by class, of each of its images that are weighted */
    uint32_t weighted[ADJUSTED_SIDES];    /* images: of the set, and originals, with votes */
    uint32_t *strata, *strata_from; /* images by stratum; those of stratum t are [strata_from[t],
                                       strata_from[t + 1]) */
    size_t n_strata, lone_from; /* from this one on, a stratum is all the images that are alone in
                                   their class and kind */
    struct spread *spread[ADJUSTED_SIDES];      /* of all votes */
    struct share_curve *curves[ADJUSTED_SIDES]; /* [model], of all votes */
    double in_bin[HISTOGRAM_BINS][ADJUSTED_POINTS]; /* share of a point that lies in the bin */
    double *passes;                                 /* figures of the groups, then of the resamples */
    struct adjusted_counter *counters;              /* one per thread */
};

/* One side of a pass: images by their answers. */
struct counted_side {
    struct spread_cell *found; /* what the spread is made of; those of class c are [from[c], from[c + 1]) */
    size_t *from;
    double *times;          /* by cell found: its images that are weighted */
    struct spread *spread;  /* the thread's own */
    uint32_t *cell_of_kind; /* by spread_kind: which cell below; UINT32_MAX: none */
    uint32_t *kind_of_cell;
    size_t n_cells, room;   /* ways to answer among the weighted images, all classes together */
    double *weight;         /* [cell] */
    double *density;        /* [cell * points + point], which sum to 1 */
    double *right, *share;  /* [model * room + cell], as `weight`; [cell] of one model */
    double p[ADJUSTED_POINTS]; /* how true frequencies are spread: the images' mean */
};
/* What a thread counts on. */
struct adjusted_counter {
    uint32_t *shown, *selected;
    double *times; /* by image: how often it was drawn */
    struct spread_counter *kinds;
    struct counted_side side[ADJUSTED_SIDES];
    double ratio[ADJUSTED_POINTS]; /* p_original / p_new */
};
/* The side of an image that counts. */
static inline int adjusted_side(const struct bias_image *b)
{
    return b->original ? ADJUSTED_ORIGINAL : ADJUSTED_NEW;
}

/* ---- adjusted_images.c ---- */

/* Fills in what images are and their weights, and of `out` how many count. `votes` and `by_class` are
 * there. */
void adjusted_images_take(struct adjusted_run *r, struct arena *a, struct adjusted_gap *out);
/* How often each image is drawn: once each; with replacement, in the `resample`th draw. */
void adjusted_images_all(const struct adjusted_run *r, double *times);
void adjusted_images_draw(const struct adjusted_run *r, size_t resample, double *times);

/* ---- adjusted_pass.c ---- */

void adjusted_counter_make(const struct adjusted_run *r, struct adjusted_counter *k,
                           uint32_t answers);
void adjusted_counter_free(struct adjusted_counter *k);
/* Of the votes and draws that `k` has. `whole`: these are all votes and images; spreads and curves
 * are fitted and kept in `r`, else moved from these. False: they cannot be. */
bool adjusted_pass(struct adjusted_run *r, struct adjusted_counter *k, bool whole, double *figures);

/* ---- adjusted_curves.c ---- */

/* Says which share of each point of the grid lies in which bin. */
void adjusted_bins_make(unsigned points, const double *at, double in_bin[HISTOGRAM_BINS][ADJUSTED_POINTS]);
/* The figures of models and their mean that weights make. */
void adjusted_weigh(const struct adjusted_run *r, struct adjusted_counter *k, bool whole,
                    double *figures);

/* ---- adjusted_tell.c ---- */

/* What weights are like, by the counter of all votes and images; figures with their variances. */
void adjusted_tell_weights(const struct adjusted_run *r, const struct adjusted_counter *k,
                           struct adjusted_gap *out);
void adjusted_tell(const struct adjusted_run *r, const double *all, struct arena *a,
                   struct adjusted_gap *out);

#endif
