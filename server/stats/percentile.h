/* percentile.h - the range between two percentiles of a list, as NumPy's default method has them. */
#ifndef STATS_PERCENTILE_H
#define STATS_PERCENTILE_H

#include <stddef.h>

#include "stats/binomial.h"

/* From the quantile q = alpha / 2 to the quantile 1 - alpha / 2 of n > 0 numbers, 0 <= alpha <= 1. With h = q (n - 1) it
 * is the value of rank floor(h), counted from 0, and the fraction of h of the way to the next (Hyndman and Fan's
 * definition 7). `v` is put into another order; about n steps. */
struct interval percentile_interval(double *v, size_t n, double alpha);

#endif
