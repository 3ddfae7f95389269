/* matching_bias.h - how much harder a set is than the originals because it was chosen by noisy
 * frequencies (Engstrom et al. 2020, "Identifying statistical bias in dataset replication"): an
 * image that was selected in 9 of 10 answers from a poor pool is worse than one from a good pool
 * with the same answers. Pure computation on arrays; called by sets/bias/bias.c.
 *
 * "Bias" is always mean true frequency of the set's images minus that of the originals of their
 * classes, every class with the weight that it has in the set; negative: the set is harder. The
 * true frequency is what many more answers would say.
 *
 * Measured are the designs: chosen by some answers of each image, as the set was by all, and
 * measured on the others. That needs no model of anything, and says nothing of a review. Estimated
 * is the set itself, for which no answers are left over: how true frequencies are spread is
 * estimated in every class, and with it what a final review removed (stats/spread.h), and every
 * image of the set gets the mean true frequency of images with its answers that were reviewed as it
 * was.
 *
 * Intervals are 95 %. The spread between workers is what a figure becomes when groups of workers
 * are left out (stats/jackknife.h says why not the bootstrap). What two images with the same
 * answers differ in truth no vote of these says: the estimate's interval adds that. */
#ifndef MEASURES_MATCHING_BIAS_H
#define MEASURES_MATCHING_BIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "domain/sampling/sampling.h"
#include "measures/votes/class_order.h"
#include "measures/votes/worker_groups.h"

struct bias_input {
    const struct bias_image *images; /* fewer than 2^31 */
    size_t n_images;
    const struct bias_vote *votes;
    size_t n_votes;
    uint32_t n_classes, n_workers, size; /* size: images per class */
    /* How the set was chosen; `matched` is 0. `keyword` and SAMPLE_STRATEGIES (not known): there is
     * no design to thin out. */
    enum sample_strategy strategy;
    bool upward;
    double threshold;         /* `threshold` */
    const double *thresholds; /* of each class, below 0: the general one; NULL: none has its own */
    /* How many each class has, of which those with answers are drawn; NULL: all are here. The
     * interval of `raw` is then of all: what the draw adds is in it. */
    const uint32_t *originals;
    unsigned groups;  /* of workers to leave out; 0: 50. Fewer workers than that: one by one */
    unsigned threads; /* 0: one. The result does not depend on it */
    uint64_t seed;    /* who is in which group */
};
struct bias_estimate {
    double value, lo, hi;
    bool known;    /* the value */
    bool interval; /* lo and hi: at least two workers voted */
};
enum { BIAS_DESIGNS_MOST = 20 };
struct bias_at { /* chosen by n answers of each image, measured on the others */
    unsigned n;
    struct bias_estimate bias; /* held less original */
    double kept,
        held; /* mean frequencies of the chosen, over the answers that chose and the others */
    double original;   /* mean frequency of the originals, all answers */
    double chosen;     /* images, on average over all ways to hold answers out */
    uint64_t held_out; /* answers about them that had no part in choosing them */
};
enum { BIAS_ANSWERS_LEAST = 3 };
enum bias_silence { /* why there is no estimate */
                    BIAS_SPEAKS,
                    BIAS_NO_VOTES,    /* no class has answers about both sides */
                    BIAS_FEW_ANSWERS, /* fewer than BIAS_ANSWERS_LEAST of the usual image */
                    BIAS_NO_TOP       /* answers that hardly tell images apart */
};
struct matching_bias {
    size_t images, originals, pool; /* with answers, in classes that have some of each */
    size_t kept, unseen;            /* of `images`, by what a review said */
    size_t removed;                 /* of `pool` */
    unsigned workers, groups;
    double raw_set, raw_original; /* the raw averages, which noise has made alike */
    struct bias_estimate raw;     /* their difference */
    unsigned answers;             /* the usual number of answers of an image */
    struct bias_at at[BIAS_DESIGNS_MOST];
    size_t n_at;
    struct bias_estimate estimated;
    enum bias_silence silence;
};
void matching_bias(const struct bias_input *in, struct arena *a, struct matching_bias *out);

#endif
