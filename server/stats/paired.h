/* paired.h - two who judged the same images (a person and a model, two models): whether one is right more often. Pure
 * functions. */
#ifndef STATS_PAIRED_H
#define STATS_PAIRED_H

#include <stdint.h>

#include "stats/binomial.h"

/* Of n images: who was right. */
struct paired_counts {
    int64_t both, first, second, neither; /* first: the first alone */
};

/* The exact two-sided test of McNemar: of the images that one alone has right, twice the chance that at most so few are
 * the rarer one's when each has the same chance, at most 1. 1 when there are none. */
double paired_mcnemar(const struct paired_counts *c);

/* (first - second) / n and its interval: Newcombe 1998, Statistics in Medicine 17, 2635-2650, method 10: Wilson's
 * intervals of both shares put together with the correlation phi of the pairs, whose numerator is made smaller by n / 2
 * where it is positive (not below 0). All NAN for n = 0. */
struct proportion paired_difference(const struct paired_counts *c, double alpha);

#endif
