/* binomial_test.c - stats/binomial.h against published intervals, high-precision values and its
 * own inverse. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/sv.h"
#include "stats/binomial.h"

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("got %.17g, want %.17g within %g", got, want, tolerance);
    }
}

/* One row "k,n,alpha,lo,hi" of the golden table. */
static void check_row(char *text)
{
    struct sv rest = sv_trim(sv_of(text));
    double v[5];
    for (int i = 0; i < 5; i++) {
        assert_true(sv_f64(sv_cut(&rest, ','), &v[i]));
    }
    assert_null(rest.p);
    struct interval got = binomial_clopper_pearson((int64_t)v[0], (int64_t)v[1], v[2]);
    assert_near(got.lo, v[3], 1e-12);
    assert_near(got.hi, v[4], 1e-12);
}

TEST(golden_table)
{
    const char *dir = getenv("HOLDOUT_GOLDEN");
    if (!dir) {
        printf("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        skip();
    }
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s/imagenetv2/expected/clopper_pearson.csv", dir);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    size_t rows = 0;
    while (fgets(line, sizeof line, f)) {
        check_row(line);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 1239);
}

TEST(edges)
{
    struct interval v = binomial_clopper_pearson(0, 0, 0.05);
    assert_true(v.lo == 0 && v.hi == 1);
    v = binomial_clopper_pearson(0, 1, 0.05);
    assert_true(v.lo == 0);
    assert_near(v.hi, 0.975, 1e-15);
    v = binomial_clopper_pearson(1, 1, 0.05);
    assert_true(v.hi == 1);
    assert_near(v.lo, 0.025, 1e-15);
    v = binomial_clopper_pearson(0, 1000000000000, 0.05);
    assert_true(v.lo == 0);
    assert_near(v.hi * 1e12, 3.6888794541139363, 1e-9);
}

/* k of n and n-k of n are mirror images; more successes never lower an end; the share k/n lies
 * inside; a smaller alpha contains a larger one. */
TEST(shape)
{
    for (int64_t n = 1; n <= 60; n++) {
        struct interval before = {-1, -1};
        for (int64_t k = 0; k <= n; k++) {
            struct interval v = binomial_clopper_pearson(k, n, 0.05);
            struct interval mirror = binomial_clopper_pearson(n - k, n, 0.05);
            struct interval wide = binomial_clopper_pearson(k, n, 0.01);
            double share = (double)k / (double)n;
            assert_near(v.lo, 1 - mirror.hi, 1e-14);
            assert_true(v.lo > before.lo && v.hi > before.hi);
            assert_true(v.lo <= share && share <= v.hi);
            assert_true(wide.lo <= v.lo && wide.hi >= v.hi);
            before = v;
        }
    }
}

TEST(closed_forms)
{
    for (double x = 0.015625; x < 1; x += 0.015625) {
        assert_near(beta_inc(1, 1, x), x, 1e-15);
        assert_near(beta_inc(3, 1, x), x * x * x, 1e-15);
        assert_near(beta_inc(1, 4, x), 1 - pow(1 - x, 4), 1e-15);
        assert_near(beta_inc(0.5, 0.5, x), asin(sqrt(x)) / asin(1), 1e-14);
        assert_near(beta_inc(2, 3, x), x * x * (6 - 8 * x + 3 * x * x), 1e-14);
        assert_near(beta_inc(700, 900, x), 1 - beta_inc(900, 700, 1 - x), 1e-13);
    }
    assert_true(beta_inc(2, 3, 0) == 0 && beta_inc(2, 3, 1) == 1);
    assert_true(beta_inv(2, 3, 0) == 0 && beta_inv(2, 3, 1) == 1);
}

TEST(inverse)
{
    static const double shapes[] = {0.1, 0.5, 1, 2.5, 30, 1e4, 1e6};
    static const double levels[] = {1e-12, 0.005, 0.025, 0.5, 0.95, 0.999};
    const size_t n = sizeof shapes / sizeof shapes[0], m = sizeof levels / sizeof levels[0];
    for (size_t i = 0; i < n * n * m; i++) {
        double a = shapes[i / m / n], b = shapes[i / m % n], p = levels[i % m];
        double x = beta_inv(a, b, p);
        assert_true(x >= 0 && x <= 1);
        /* The answer is right to rounding when p lies between its two neighbours, with room for
         * the error of the fraction itself. */
        double below = beta_inc(a, b, fmax(0, x * (1 - 1e-13) - 1e-300));
        double above = beta_inc(a, b, fmin(1, x * (1 + 1e-13) + 1e-300));
        if (below > p * (1 + 1e-11) || above < p * (1 - 1e-11)) {
            fail_msg("a %g b %g p %g: x %.17g, I from %.17g to %.17g", a, b, p, x, below, above);
        }
    }
    assert_near(beta_inv(30, 1, 1e-300) * 1e10, 1, 1e-12);
}

/* A page shows up to 1,000 intervals, which should take less than 5 ms on the machine that serves it: printed. */
TEST(speed)
{
    double sum = 0;
    int64_t start = clock_mono_ns();
    for (int64_t k = 0; k < 1000; k++) {
        struct interval v = binomial_clopper_pearson(k % 49, 48, 0.05);
        sum += v.hi - v.lo;
    }
    double ms = (double)(clock_mono_ns() - start) / 1e6;
    print_message("1,000 intervals: %.2f ms\n", ms);
    assert_true(sum > 0);
}
