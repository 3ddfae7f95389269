/* shrink.h - many groups of few trials each: how far their true values lie apart, and what each group's value probably
 * is once what all of them have in common is known (empirical Bayes). Pure functions.
 *
 * Shares: the true share of a group is drawn from a beta distribution, its right answers from a binomial one (beta-
 * binomial). The distribution's mean and its correlation g = 1 / (a + b + 1) are the moment estimates of Kleinman 1973,
 * "Proportions with extraneous variance: single and independent samples" (JASA 68, section 3): with weights
 * w_i = n_i / (1 + g (n_i - 1)), w = sum w_i,
 *     p = sum w_i p_i / w,    S = sum w_i (p_i - p)^2,
 *     g = (S - p q sum (w_i / n_i)(1 - w_i / w)) / (p q (sum w_i (1 - w_i / w) - sum (w_i / n_i)(1 - w_i / w))),
 * from w_i = n_i until g settles, within 0 to 1. The share of a group is then that of Beta(p M + k, q M + n - k),
 * M = 1 / g - 1: its mean and its 2.5 % and 97.5 % quantiles, p and M taken as known.
 *
 * Differences: the true ones are normal with variance t2 around their mean, each measured with its own variance v_i.
 * t2 = max(0, (Q - (m - 1)) / (W - sum w_i^2 / W)), w_i = 1 / v_i, W their sum, Q = sum w_i (d_i - d)^2 around the
 * weighted mean (DerSimonian and Laird 1986, "Meta-analysis in clinical trials"); then as Efron and Morris 1975, "Data
 * analysis using Stein's estimator and its generalizations": mean + B (d_i - mean), B = t2 / (t2 + v_i), with variance
 * B v_i + (1 - B)^2 times that of the mean. */
#ifndef STATS_SHRINK_H
#define STATS_SHRINK_H

#include <stddef.h>

#include "stats/binomial.h"

struct share_group {   /* k of n; need not be whole: see the caller's effective numbers. n 0: a group of nothing */
    double k, n;
};
struct share_spread {
    double mean;       /* of the true shares; NAN without any trial */
    double strength;   /* M: the trials that knowing the other groups is worth; INFINITY: no spread beyond chance */
    double k, n;       /* of all groups together */
};
struct share_spread share_spread_of(const struct share_group *groups, size_t n);
/* Of one group; without trials of its own it is what all are like, NAN when nobody has any. Where there is no spread it
 * is the common share, with the quantiles of Beta(k + 1/2, n - k + 1/2) of all trials together (Jeffreys). */
struct proportion share_spread_of_group(const struct share_spread *s, const struct share_group *g);

struct difference {    /* measured, and with which variance, above 0; value NAN: not known */
    double value, variance;
};
struct difference_spread {
    size_t n;          /* differences that are known */
    double mean, variance; /* t2; the mean NAN without any */
    double of_mean;    /* the mean's own variance */
};
struct difference_spread difference_spread_of(const struct difference *list, size_t n);
/* With 95 % bounds; all NAN for one that is not known. */
struct proportion difference_shrunk(const struct difference_spread *s, const struct difference *d);

#endif
