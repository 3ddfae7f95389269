/* chi_square.h - are several proportions the same one? Pure functions. */
#ifndef STATS_CHI_SQUARE_H
#define STATS_CHI_SQUARE_H

#include <stddef.h>
#include <stdint.h>

struct chi_square {
    double statistic;
    unsigned degrees; /* 0: nothing can be said, p is 1 */
    double p;         /* chance of a statistic at least this large if they are all the same */
};

/* Pearson's test that k[i] of n[i] have one common proportion, for m groups; those with n = 0 are left
 * out. The votes are taken as independent of one another. */
struct chi_square chi_square_flat(const uint64_t *k, const uint64_t *n, size_t m);

/* Upper tail of the chi-square distribution: 1 for x <= 0. Error below 1e-12. */
double chi_square_tail(double x, unsigned degrees);

#endif
