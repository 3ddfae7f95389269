/* chi_square.c - the distribution's upper tail: the regularised incomplete gamma function, by its series below the mean and by a continued fraction (Lentz) above,
 * where each converges fast. */
#include "stats/chi_square.h"

#include <math.h>

#include "base/err.h"

enum { TERMS = 10000 }; /* about sqrt(degrees) are used: enough for a million degrees */

/* x^a e^-x / gamma(a), in a way that does not overflow. */
static double front(double a, double x)
{
    int sign;
    return exp(a * log(x) - x - lgamma_r(a, &sign));
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
