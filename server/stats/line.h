/* line.h - a straight line through points by ordinary least squares, how sure it is, and whether the points bend away
 * from it. Pure functions. */
#ifndef STATS_LINE_H
#define STATS_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/binomial.h"

struct line { /* y = slope * x + offset */
    size_t n;
    double slope, offset;
    double r;                         /* Pearson's correlation; NAN where all y are equal */
    double slope_error, offset_error; /* standard errors; NAN for two points */
    double spread;                    /* standard deviation of the residuals, over n - 2; NAN for two points */
    double mean_x, sxx;               /* of x: mean, sum of squared deviations from it */
};
/* False, and nothing is said: fewer than two points, or all x are equal. */
bool line_fit(const double *x, const double *y, size_t n, struct line *out);
double line_value(const struct line *l, double x);
/* Where the mean of y at x is, with confidence 1 - alpha: value +- t(1 - alpha / 2, n - 2) * spread *
 * sqrt(1 / n + (x - mean_x)^2 / sxx). n > 2. */
struct interval line_band(const struct line *l, double x, double alpha);

/* Where the slope is, with confidence 1 - alpha: Student's t over n - 2. n > 2. */
struct interval line_slope_range(const struct line *l, double alpha);

/* The term in x^2 of the least-squares parabola: 0 when the line does not bend; below 0 for diminishing returns. Its
 * standard error is over n - 3, its interval Student's. */
struct line_bend {
    double term, error;
    struct interval range;
};
/* Of points that `l` was fitted to. False: fewer than four points or fewer than three different x. */
bool line_bend(const struct line *l, const double *x, const double *y, double alpha, struct line_bend *out);

#endif
