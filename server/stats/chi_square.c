/* chi_square.c - Pearson's test of equal proportions, and the distribution's upper tail: the regularised
 * incomplete gamma function, by its series below the mean and by a continued fraction (Lentz) above,
 * where each converges fast. */
#include "stats/chi_square.h"

#include <math.h>

#include "base/err.h"

enum { TERMS = 10000 }; /* about sqrt(degrees) are used: enough for a million degrees */

/* x^a e^-x / gamma(a), in a way that does not overflow. */
static double front(double a, double x)
{
    return exp(a * log(x) - x - lgamma(a));
}

static double lower_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int n = 1; n < TERMS && term > sum * 1e-17; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * front(a, x);
}

static double upper_fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
    for (int n = 1; n < TERMS; n++) {
        double an = -n * (n - a);
        b += 2;
        d = an * d + b;
        c = b + an / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= c * d;
        if (fabs(c * d - 1) < 1e-16) {
            break;
        }
    }
    return h * front(a, x);
}

double chi_square_tail(double x, unsigned degrees)
{
    BUG_IF(degrees == 0);
    double a = degrees / 2.0, half = x / 2;
    if (!(half > 0)) {
        return 1;
    }
    return half < a + 1 ? 1 - lower_series(a, half) : upper_fraction(a, half);
}

struct chi_square chi_square_flat(const uint64_t *k, const uint64_t *n, size_t m)
{
    struct chi_square out = {0, 0, 1};
    double all = 0, selected = 0;
    unsigned groups = 0;
    for (size_t i = 0; i < m; i++) {
        all += (double)n[i];
        selected += (double)k[i];
        groups += n[i] > 0;
    }
    if (groups < 2 || selected <= 0 || selected >= all) {
        return out; /* one group, or nothing that could differ */
    }
    double p = selected / all;
    for (size_t i = 0; i < m; i++) {
        if (n[i] > 0) {
            double off = (double)k[i] - p * (double)n[i];
            out.statistic += off * off / ((double)n[i] * p * (1 - p));
        }
    }
    out.degrees = groups - 1;
    out.p = chi_square_tail(out.statistic, out.degrees);
    return out;
}
