/* jackknife.h - the interval of a figure that was made from votes of many workers, from what it
 * becomes when groups of workers are left out. Pure functions.
 *
 * Why not the bootstrap: drawing workers with replacement gives some of them twice, and two equal
 * votes about an image look like two answers that agree. Every figure that reads from the votes of
 * an image how noisy they are (a fitted spread, a check on held-out votes) then sees images that
 * are surer than they are. Leaving out repeats nothing. */
#ifndef STATS_JACKKNIFE_H
#define STATS_JACKKNIFE_H

#include <stddef.h>

#include "stats/binomial.h"

/* Variance of the figure: (n - 1) / n times the sum of squares of what it is without each of n
 * equally large groups, around their mean. 0 for n < 2, which says nothing. */
double jackknife_variance(const double *without, size_t n);
/* value +- t(1 - alpha / 2, n - 1) sqrt(variance). n > 1. */
struct interval jackknife_interval(double value, double variance, size_t n, double alpha);

#endif
