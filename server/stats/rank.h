/* rank.h - how far two lists of numbers put the same things into the same order. Pure functions. */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stddef.h>

/* Spearman's rho: Pearson's correlation of the ranks, where equal values share the mean of theirs. -1 to 1; NAN: fewer
 * than two things, or one of the lists has one value only. */
double rank_spearman(const double *x, const double *y, size_t n);
/* Kendall's tau-b, in n log n steps (Knight 1966): (concordant - discordant pairs) / sqrt((pairs - ties in x) *
 * (pairs - ties in y)). -1 to 1; NAN as above. */
double rank_kendall(const double *x, const double *y, size_t n);

#endif
