/* matching_bias.h - how much harder a set is than the originals because it was matched on noisy frequencies
 * (Engstrom et al. 2020, "Identifying statistical bias in dataset replication"): an image that was selected in 9 of
 * 10 answers from a poor pool is worse than one from a good pool with the same answers. Pure computation on arrays;
 * called by cli/ (bias) and web/.
 *
 * "Bias" is always mean true frequency of the set's images minus that of the originals; negative: the set is harder.
 * Intervals are 95 %, from resampling workers as clusters. */
#ifndef LIVE_MATCHING_BIAS_H
#define LIVE_MATCHING_BIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stats/binomial.h"

struct bias_vote {             /* one answer about one image under its own class */
    uint32_t image;            /* index */
    uint32_t worker;           /* from 0 */
    bool selected;
};
struct bias_image {
    uint32_t class_index;
    bool original;             /* else a candidate of the pool */
    bool in_set;
};
struct bias_input {
    const struct bias_image *images;
    size_t n_images;
    const struct bias_vote *votes;
    size_t n_votes;
    uint32_t n_classes, n_workers, size; /* size: images per class */
    unsigned resamples;        /* of the bootstrap; 0: 200 */
    uint64_t seed;
};
struct bias_estimate {
    double value, lo, hi;
    bool known;
};
enum { BIAS_HALVES_MOST = 20 };
struct bias_at {               /* matching on n answers of each image, measured on the others */
    unsigned n;
    struct bias_estimate bias;
    uint64_t held_out;         /* answers behind it */
};
struct matching_bias {
    double raw_set, raw_original;          /* the raw averages, which noise has made alike */
    struct bias_estimate raw;              /* their difference */
    unsigned answers;                      /* n of the design: the usual number of answers of an image */
    struct bias_at at[BIAS_HALVES_MOST];   /* (b) */
    size_t n_at;
    struct bias_estimate held_out;         /* (b) extrapolated to `answers` */
    struct bias_estimate corrected;        /* (c) per-class beta-binomials for pool and originals */
};
void matching_bias(const struct bias_input *in, struct arena *a, struct matching_bias *out);

#endif
