/* cluster.h - interval of a pooled proportion whose votes cluster by worker (design: study.md,
 * "Uncertainty"). Pure functions. */
#ifndef STATS_CLUSTER_H
#define STATS_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "stats/binomial.h"

/* p = sum k_w / sum n_w over workers w = 1..m. The ratio estimator's linearised variance with the
 * m / (m - 1) correction: var = m / (m - 1) * sum (k_w - p n_w)^2 / (sum n_w)^2; the interval is
 * p +- t(0.975, m - 1) * sqrt(var) on the logit scale (p and its bounds stay in 0 to 1); where p is 0 or
 * 1, or m < 2, the Clopper-Pearson interval of the largest cluster-free reading: k = 0 or n of n = m.
 * Workers with n_w = 0 are left out. No votes: [0, 1]. */
struct interval cluster_interval(const uint32_t *k, const uint32_t *n, size_t m, double alpha);

#endif
