/* line_bootstrap.h - how sure a line through models' accuracies on two sets is: the bootstrap of its slope and offset, over
 * models, over families of models, over images, or over images and models. Pure computation.
 *
 * Bounds are the 2.5 % and 97.5 % percentiles (stats/percentile.h) of the resamples. Resamples that have no line are
 * left out and counted: all their x are equal, or a model has all images right or all wrong on a scale where that has
 * no place.
 *
 * The same input and seed give the same draws everywhere, however many threads there are: each block of
 * BOOTSTRAP_BLOCK resamples has its own generator (rng_stream of base/rng.h by the block's number), and sums are made in
 * the order of what was drawn. */
#ifndef STATS_LINE_BOOTSTRAP_H
#define STATS_LINE_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/binomial.h"
#include "stats/share_scale.h"

enum { BOOTSTRAP_BLOCK = 256 };

struct bootstrap_ask {
    uint32_t resamples; /* at least 1 */
    uint64_t seed;
    unsigned threads;   /* at least 1 */
    void (*progress)(void *arg, uint64_t done, uint64_t total); /* on the caller's thread now and then; NULL: nobody asks */
    void *arg;
};
struct bootstrap_found {
    struct interval slope, offset; /* NAN when no resample has a line */
    uint32_t left_out;             /* resamples without a line */
};

struct bootstrap_points {
    size_t n;
    const double *x, *y;      /* on the scale of the line */
    const uint32_t *family;   /* of each point, below n_families; NULL: every point alone */
    size_t n_families;        /* each has a point */
};
/* Draws as many points as there are with replacement, or as many families as there are, with all of their points.
 * n > 0. About 10 ms for 100,000 resamples of 67 points on two cores. */
void bootstrap_points(const struct bootstrap_points *p, const struct bootstrap_ask *ask, struct bootstrap_found *out);

struct bootstrap_set {
    uint32_t n;                 /* images */
    const uint32_t *image;      /* numbers that mean the same in both sets; each once */
    const unsigned char *right; /* [model * n + i]: 1 right, 0 wrong */
};
struct bootstrap_images {
    struct bootstrap_set x, y;
    size_t n_models;
    enum share_scale scale;
    bool models;                /* draw models too */
};
/* Draws, once for all models, as many images of each set as it has with replacement; images that are in both sets are
 * drawn for both at once, as many as there are of them, apart from the others. Accuracies of all models are counted
 * exactly. Both sets have images, n_models > 0. */
void bootstrap_images(const struct bootstrap_images *im, const struct bootstrap_ask *ask, struct bootstrap_found *out);

#endif
