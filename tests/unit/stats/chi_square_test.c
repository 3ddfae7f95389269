/* chi_square_test.c - stats/chi_square.h against closed forms and a table worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
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

static void test_tail(void **state)
{
    (void)state;
    static const double at[] = {1e-6, 0.01, 0.5, 1, 3.84, 10, 46, 47, 48, 64, 95, 300};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        for (unsigned d = 1; d <= 60; d++) {
            double want = d % 2 ? tail_odd(at[i], d) : tail_even(at[i], d);
            assert_near(chi_square_tail(at[i], d), want, 1e-12);
        }
    }
}

static void test_tail_ends(void **state)
{
    (void)state;
    assert_near(chi_square_tail(0, 47), 1, 0);
    assert_near(chi_square_tail(-1, 1), 1, 0);
    assert_near(chi_square_tail(1e6, 47), 0, 1e-300);
    /* The middle of many degrees is near their number. */
    double p = chi_square_tail(1e6, 1000000);
    assert_true(p > 0.499 && p < 0.501);
}

static void test_by_hand(void **state)
{
    (void)state;
    /* 30 of 100 and 50 of 100: p = .4, 2 * (10^2 / (100 * .4 * .6)) = 8 1/3, one degree. */
    struct chi_square x =
        chi_square_flat((const uint64_t[]){30, 0, 50}, (const uint64_t[]){100, 0, 100}, 3);
    assert_near(x.statistic, 25.0 / 3, 1e-12);
    assert_int_equal(x.degrees, 1);
    assert_near(x.p, erfc(sqrt(25.0 / 6)), 1e-12);
}

static void assert_nothing_said(const uint64_t *k, const uint64_t *n, size_t m)
{
    struct chi_square x = chi_square_flat(k, n, m);
    assert_near(x.statistic, 0, 0);
    assert_int_equal(x.degrees, 0);
    assert_near(x.p, 1, 0);
}

static void test_nothing_to_say(void **state)
{
    (void)state;
    assert_nothing_said((const uint64_t[]){0, 0}, (const uint64_t[]){0, 0}, 2);
    assert_nothing_said((const uint64_t[]){3}, (const uint64_t[]){7}, 1);
    assert_nothing_said((const uint64_t[]){0, 0}, (const uint64_t[]){7, 9}, 2);
    assert_nothing_said((const uint64_t[]){7, 9}, (const uint64_t[]){7, 9}, 2);
}

static void test_all_the_same(void **state)
{
    (void)state;
    struct chi_square x =
        chi_square_flat((const uint64_t[]){2, 4, 8}, (const uint64_t[]){10, 20, 40}, 3);
    assert_near(x.statistic, 0, 1e-12);
    assert_int_equal(x.degrees, 2);
    assert_near(x.p, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tail),         cmocka_unit_test(test_tail_ends),
        cmocka_unit_test(test_by_hand),      cmocka_unit_test(test_nothing_to_say),
        cmocka_unit_test(test_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
