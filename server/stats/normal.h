/* normal.h - the standard normal distribution. Pure functions. */
#ifndef STATS_NORMAL_H
#define STATS_NORMAL_H

/* The chance of a value up to z: erfc(-z / sqrt(2)) / 2, whose digits are good far down the left tail too. */
double normal_cdf(double z);
/* The z with normal_cdf(z) = p: M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988), routine PPND16;
 * relative error below 1e-15. -INFINITY at 0, INFINITY at 1, NAN for what is no
 * chance. */
double normal_quantile(double p);

#endif
