/* paired.c - McNemar's test as an incomplete beta; intervals in closed form. */
#include "stats/paired.h"

#include <math.h>

double paired_mcnemar(const struct paired_counts *c)
{
    int64_t n = c->first + c->second, few = c->first < c->second ? c->first : c->second;
    /* P(X <= few) of n fair coins is I_1/2(n - few, few + 1). */
    return n == 2 * few ? 1 : fmin(2 * beta_inc((double)(n - few), (double)few + 1, 0.5), 1);
}

static double correlation(const struct paired_counts *c, double n)
{
    double a = (double)c->both, b = (double)c->first, d = (double)c->second, e = (double)c->neither;
    double margins = (a + b) * (d + e) * (a + d) * (b + e), top = a * e - b * d;
    if (top > 0) {
        top = fmax(top - n / 2, 0);
    }
    return margins > 0 ? top / sqrt(margins) : 0;
}

struct proportion paired_difference(const struct paired_counts *c, double alpha)
{
    int64_t n = c->both + c->first + c->second + c->neither;
    if (n == 0) {
        return (struct proportion){(double)NAN, (double)NAN, (double)NAN};
    }
    double m = (double)n, p = (double)(c->both + c->first) / m, q = (double)(c->both + c->second) / m;
    double phi = correlation(c, m), d = (double)(c->first - c->second) / m;
    struct interval a = binomial_wilson(c->both + c->first, n, alpha), b = binomial_wilson(c->both + c->second, n, alpha);
    double down = p - a.lo, up = a.hi - p, other_down = q - b.lo, other_up = b.hi - q;
    return (struct proportion){d, d - sqrt(down * down - 2 * phi * down * other_up + other_up * other_up),
                               d + sqrt(up * up - 2 * phi * up * other_down + other_down * other_down)};
}
