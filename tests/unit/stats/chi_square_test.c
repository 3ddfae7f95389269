/* chi_square_test.c - stats/chi_square.h against closed forms. */
#include "unit.h"

#include <math.h>

#include "stats/chi_square.h"

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("got %.17g, want %.17g within %g", got, want, tolerance);
    }
}

/* With an even number of degrees the tail is a finite sum: e^-h (1 + h + h^2/2! + ...), h = x / 2. */
static double tail_even(double x, unsigned degrees)
{
    double term = exp(-x / 2), sum = term;
    for (unsigned j = 1; j < degrees / 2; j++) {
        term *= x / 2 / j;
        sum += term;
    }
    return sum;
}

/* With an odd one it is that of one degree, erfc, and a sum over the odd ones below. */
static double tail_odd(double x, unsigned degrees)
{
    double sum = erfc(sqrt(x / 2)), term = sqrt(2 * x / 3.14159265358979323846) * exp(-x / 2);
    for (unsigned d = 3; d <= degrees; d += 2) {
        sum += term;
        term *= x / d;
    }
    return sum;
}

TEST(tail)
{
    static const double at[] = {1e-6, 0.01, 0.5, 1, 3.84, 10, 46, 47, 48, 64, 95, 300};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        for (unsigned d = 1; d <= 60; d++) {
            double want = d % 2 ? tail_odd(at[i], d) : tail_even(at[i], d);
            assert_near(chi_square_tail(at[i], d), want, 1e-12);
        }
    }
}

TEST(tail_ends)
{
    assert_near(chi_square_tail(0, 47), 1, 0);
    assert_near(chi_square_tail(-1, 1), 1, 0);
    assert_near(chi_square_tail(1e6, 47), 0, 1e-300);
    /* The middle of many degrees is near their number. */
    double p = chi_square_tail(1e6, 1000000);
    assert_true(p > 0.499 && p < 0.501);
}
