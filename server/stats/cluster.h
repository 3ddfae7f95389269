/* cluster.h - interval of a pooled proportion whose votes cluster by worker. Pure functions. */
#ifndef STATS_CLUSTER_H
#define STATS_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include "stats/binomial.h"

/* p = sum k_w / sum n_w over workers w = 1..m. The ratio estimator's linearised variance with the
 * m / (m - 1) correction: var = m / (m - 1) * sum (k_w - p n_w)^2 / (sum n_w)^2; the interval is
 * p +- t(1 - alpha / 2, m - 1) * sqrt(var) on the logit scale (p and its bounds stay in 0 to 1).
 *
 * Where that says nothing it is Clopper-Pearson's: p = 0 or 1: as if each worker had one vote, 0 or
 * m of m. All workers alike (var = 0): of the votes themselves, for a sample without spread does
 * not make a number without error. One worker alone, who said both: [0, 1], as for no votes.
 * Workers with n_w = 0 are left out. */
struct interval cluster_interval(const uint32_t *k, const uint32_t *n, size_t m, double alpha);

/* The same from sums, for those who meet the workers one by one: what is added stays exact while
 * squares of one worker's votes add up to less than 2^53. */
struct cluster_sums {
    uint64_t m, k, n;
    double kk, kn, nn;
};
void cluster_add(struct cluster_sums *s, uint32_t k, uint32_t n);
/* `t` is student_quantile(s->m - 1, 1 - alpha / 2), for callers that keep it; it is not looked at
 * when s->m < 2. */
struct interval cluster_sums_interval(const struct cluster_sums *s, double alpha, double t);

/* Of two proportions whose votes come from the same workers. */
struct cluster_pair {
    struct cluster_sums a, b;
    uint64_t m;              /* workers with votes on either side */
    double kk, kn, nk, nn;   /* products of a worker's k and n of a with those of b */
};
void cluster_pair_add(struct cluster_pair *s, uint32_t ka, uint32_t na, uint32_t kb, uint32_t nb);
/* d = pa - pb, which is not known (-1 to 1) without votes on both sides. A worker who is quick to select is so on
 * both sides, so that the residuals e_w = (ka_w - pa na_w) / Na - (kb_w - pb nb_w) / Nb are taken together:
 * var = m / (m - 1) * sum e_w^2, d +- t sqrt(var), within -1 to 1. Where a side has no spread of its own (see
 * cluster_interval) the bounds are made of both sides' intervals instead
 * (proportion_difference).
 * a, b: cluster_sums_interval of the sides; t: student_quantile(s->m - 1, 1 - alpha / 2), not looked at for
 * s->m < 2. */
struct interval cluster_pair_interval(const struct cluster_pair *s, struct interval a, struct interval b, double t);

/* The p quantile of Student's t distribution, df > 0, 0 < p < 1. */
double student_quantile(double df, double p);

#endif
