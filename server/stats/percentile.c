/* percentile.c - Hoare's selection (Algorithm 65, FIND). */
#include "stats/percentile.h"

#include <math.h>

#include "base/err.h"

/* Puts the value of rank k to v[k], none greater before it and none less behind it. */
static void select_rank(double *v, ptrdiff_t n, ptrdiff_t k)
{
    for (ptrdiff_t lo = 0, hi = n - 1; lo < hi;) {
        double pivot = v[k];
        ptrdiff_t i = lo, j = hi;
        while (i <= j) {
            while (v[i] < pivot) {
                i++;
            }
            while (v[j] > pivot) {
                j--;
            }
            if (i <= j) {
                double t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        lo = j < k ? i : lo;
        hi = k < i ? j : hi;
    }
}

static double quantile(double *v, size_t n, double q)
{
    double h = q * (double)(n - 1), fraction = h - floor(h);
    size_t k = (size_t)h;
    select_rank(v, (ptrdiff_t)n, (ptrdiff_t)k);
    if (k + 1 == n || fraction <= 0) {
        return v[k];
    }
    double next = v[k + 1];
    for (size_t i = k + 2; i < n; i++) {
        next = v[i] < next ? v[i] : next;
    }
    return v[k] + fraction * (next - v[k]);
}

struct interval percentile_interval(double *v, size_t n, double alpha)
{
    BUG_IF(n == 0 || !(alpha >= 0 && alpha <= 1));
    double lo = quantile(v, n, alpha / 2);
    return (struct interval){lo, quantile(v, n, 1 - alpha / 2)};
}
