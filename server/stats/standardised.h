/* standardised.h - how far apart two groups are, in standard deviations: what "differs" means for
 * numbers that have different units. Pure functions. */
#ifndef STATS_STANDARDISED_H
#define STATS_STANDARDISED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Count, mean and sum of squared deviations, one value at a time (Welford). Zeroed: nothing yet. */
struct moments {
    uint64_t n;
    double mean, m2;
};
void moments_add(struct moments *m, double x);

struct standardised {
    bool known;        /* two values and more on either side, and some spread */
    double d, lo, hi;  /* 95 % */
};
/* (mean b - mean a) / sqrt((variance a + variance b) / 2): the standardised difference of balance checks
 * (Austin 2009), with the interval of Bonett (2008), which does not need equal variances: for df = n - 1,
 * s the denominator and v the variances
 *   var = d^2 (va^2 / dfa + vb^2 / dfb) / (8 s^4) + (va / dfa + vb / dfb) / s^2,   d +- 1.96 sqrt(var). */
struct standardised standardised_difference(const struct moments *a, const struct moments *b);

/* The same over strata (classes): the mean over strata of (mean b - mean a), weighted by the b's in each, so
 * that strata which have more of one side than of the other do not look like a difference. The standard
 * deviation is that of all values of a side; the error is that of the means within strata, with one variance
 * within strata a side. Strata that lack a side are left out; *used says how many remain. */
struct stratum {
    struct moments a, b;
};
struct standardised standardised_strata(const struct stratum *s, size_t n, size_t *used);

#endif
