/* jackknife.c - the spread of a figure between groups that are left out. */
#include "stats/jackknife.h"

#include <math.h>

#include "base/err.h"
#include "stats/cluster.h"

double jackknife_variance(const double *without, size_t n)
{
    double mean = 0, squares = 0;
    if (n < 2) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        mean += without[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (without[i] - mean) * (without[i] - mean);
    }
    return squares * (double)(n - 1) / (double)n;
}

struct interval jackknife_interval(double value, double variance, size_t n, double alpha)
{
    BUG_IF(n < 2);
    double half = student_quantile((double)(n - 1), 1 - alpha / 2) * sqrt(variance);
    return (struct interval){value - half, value + half};
}
