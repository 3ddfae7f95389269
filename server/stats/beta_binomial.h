/* beta_binomial.h - k of n answers when the true frequencies of the images are spread like a beta
 * distribution: what that distribution is, and what an image's answers then say about it. Called by
 * live/matching_bias.c. Pure functions. */
#ifndef STATS_BETA_BINOMIAL_H
#define STATS_BETA_BINOMIAL_H

#include <stddef.h>
#include <stdint.h>

struct beta_cell { /* `count` images with `selected` of `shown` answers */
    uint32_t shown, selected, count;
};
/* Beta(a, b) as mean a / (a + b) and size a + b: how many answers the distribution is worth. */
struct beta {
    double mean, size;
};
/* How strongly a fit is held to where others lie: a normal distribution of the logit of the mean
 * and of the logarithm of the size around `centre`, which 0 for a deviation turns off. A few dozen
 * images move it freely; three images do not make a spike at 0 of it. */
struct beta_hold {
    struct beta centre;
    double logit_mean_sd, log_size_sd;
};
enum { BETA_SHOWN_MOST = 400 };

/* The most likely Beta given the cells; shown <= BETA_SHOWN_MOST. `start` is where the search
 * begins; the result is the same from anywhere near. The mean stays in [1e-5, 1 - 1e-5] and the
 * size in [.02, 1e4]: without spread beyond that of answers it is the latter. Without cells it is
 * the centre. */
struct beta beta_binomial_fit(const struct beta_cell *cells, size_t n, const struct beta_hold *hold,
                              const struct beta *start);

/* The distribution of a true frequency, given `selected` of `shown`: its mean and variance. */
double beta_posterior_mean(const struct beta *b, uint32_t shown, uint32_t selected);
double beta_posterior_variance(const struct beta *b, uint32_t shown, uint32_t selected);

#endif
