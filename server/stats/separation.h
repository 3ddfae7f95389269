/* separation.h - how well held-out scores tell two sets apart: accuracy and the area under the ROC curve, with intervals
 * that know which images belong together. Pure functions. */
#ifndef STATS_SEPARATION_H
#define STATS_SEPARATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/binomial.h"

struct separation_image {
    double score;   /* above 0: said to be new */
    uint32_t group; /* below n_groups */
    uint8_t fold;   /* below 256; scores of two folds are not compared, for they come from two models */
    bool fresh;     /* it is new */
};
struct separation {
    size_t right;                 /* of n: the score's sign is that of the set; a score of 0 is wrong */
    double accuracy, auc;         /* auc: NAN when no fold has both */
    struct interval of_accuracy, of_auc;
};
/* accuracy = right / n with the interval of cluster.h over groups: images of one group are one piece of evidence.
 * auc = the share of pairs (a new image and an original of the same fold) in which the new one has the higher score,
 * ties counting half: the Mann-Whitney statistic, added up over folds. Its interval is that of percentiles over
 * `resamples` draws of groups with replacement, rng_stream(seed, draw); [0, 1] when resamples is 0 or nothing is
 * known. Where auc is 0 or 1 every draw says the same, and the interval is instead that of as many of as many, counted
 * in groups of the set that has fewer of them (Clopper and Pearson). alpha: 0.05 for 95 %. Time: n for each draw. n > 0, n_groups > 0. */
struct separation separation_of(const struct separation_image *images, size_t n, size_t n_groups, double alpha,
                                uint32_t resamples, uint64_t seed);

/* Least value, quartiles (NumPy's default definition) and greatest of n > 0 numbers, which are sorted. */
struct five_numbers {
    double least, lower, median, upper, most;
};
struct five_numbers five_numbers_of(double *v, size_t n);

#endif
