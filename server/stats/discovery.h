/* discovery.h - the same question asked of many groups: a test for each, and how many of those that stand out may do so
 * by chance. Pure functions. */
#ifndef STATS_DISCOVERY_H
#define STATS_DISCOVERY_H

#include <stddef.h>
#include <stdint.h>

#include "base/sorted.h"

/* Whether two shares are the same: Fisher's exact test, two-sided. The chance of a table with these margins that is at
 * most as likely as this one (with the tolerance of 1e-7 that R uses). 1 when a side has no trials. k <= n on both. */
double fisher_exact(uint32_t k1, uint32_t n1, uint32_t k2, uint32_t n2);

/* Benjamini and Hochberg 1995, "Controlling the false discovery rate": q[i] = the least level at which p[i] is one of
 * the discoveries, min over p_(j) >= p[i] of p_(j) m / j, at most 1. Discoveries at level `a` are those with q <= a: of
 * them a share of at most `a` is expected to be chance (under independence or positive dependence). p NAN: no test, q
 * NAN, not one of the m. `room` is for n keys. */
void false_discovery(const double *p, size_t n, struct sorted_key *room, double *q);

#endif
