/* binomial.h - intervals of a proportion k/n. Pure functions. */
#ifndef STATS_BINOMIAL_H
#define STATS_BINOMIAL_H

#include <stdint.h>

struct interval {
    double lo, hi;
};

/* Clopper-Pearson: lo = B(alpha/2; k, n-k+1), hi = B(1-alpha/2; k+1, n-k), the beta quantiles;
 * lo is 0 at k = 0, hi is 1 at k = n. n = 0 gives [0, 1].
 * 0 <= k <= n, 0 < alpha < 1. Error below 1e-12. */
struct interval binomial_clopper_pearson(int64_t k, int64_t n, double alpha);

/* Wilson's score interval of k/n, 0 < alpha < 1; n = 0 gives [0, 1]. */
struct interval binomial_wilson(int64_t k, int64_t n, double alpha);

/* A share with its 95 % interval. */
struct proportion {
    double value, lo, hi; /* 0 to 1 */
};
/* k/n and the interval by Clopper and Pearson; all NAN when n = 0. */
struct proportion binomial_proportion(int64_t k, int64_t n);
/* a - b of two figures that do not depend on each other, from their intervals: d - sqrt((a - lo_a)^2 + (hi_b - b)^2) and
 * d + sqrt((hi_a - a)^2 + (b - lo_b)^2) (Newcombe 1998, Statistics in Medicine 17, 873-890). NAN when one of them is. */
struct proportion proportion_difference(struct proportion a, struct proportion b);

/* Regularised incomplete beta I_x(a, b); a, b > 0, 0 <= x <= 1 (continued fraction, Lentz). */
double beta_inc(double a, double b, double x);
/* x with I_x(a, b) = p, by Newton safeguarded with bisection. */
double beta_inv(double a, double b, double p);

#endif
