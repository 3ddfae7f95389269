/* standardised_test.c - differences in standard deviations: by hand, and how often the intervals
 * hold. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/standardised.h"

static struct moments of(const double *x, size_t n)
{
    struct moments m = {0};
    for (size_t i = 0; i < n; i++) {
        moments_add(&m, x[i]);
    }
    return m;
}

static void near(double x, double y)
{
    assert_true(fabs(x - y) < 1e-12);
}

TEST(moments)
{
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct moments m = of(x, 8);
    assert_int_equal(m.n, 8);
    near(m.mean, 5);
    near(m.m2, 32);
}

/* a: mean 3, variance 2.5, n 5; b: mean 6, variance 5/3, n 4. */
TEST(by_hand)
{
    const double x[] = {1, 2, 3, 4, 5}, y[] = {4.5, 5.5, 6.5, 7.5};
    struct moments a = of(x, 5), b = of(y, 4);
    struct standardised s = standardised_difference(&a, &b);
    double s2 = (2.5 + 5.0 / 3) / 2, d = 3 / sqrt(s2);
    double var = d * d * (2.5 * 2.5 / 4 + 25.0 / 9 / 3) / (8 * s2 * s2) + (2.5 / 4 + 5.0 / 9) / s2;
    assert_true(s.known);
    near(s.d, d);
    near(s.lo, d - 1.959963984540054 * sqrt(var));
    near(s.hi, d + 1.959963984540054 * sqrt(var));
    struct standardised back = standardised_difference(&b, &a);
    near(back.d, -s.d);
    near(back.lo, -s.hi);
}

TEST(what_says_nothing)
{
    const double x[] = {1, 2, 3}, same[] = {4, 4, 4};
    size_t used;
    struct moments a = of(x, 3), one = of(x, 1), flat = of(same, 3), none = {0};
    assert_false(standardised_difference(&a, &one).known);
    assert_false(standardised_difference(&none, &a).known);
    assert_false(standardised_difference(&flat, &flat).known);
    assert_true(standardised_difference(&a, &flat).known); /* one side has spread */
    assert_false(standardised_strata(NULL, 0, &used).known);
    assert_int_equal(used, 0);
    const struct stratum apart[] = {{.a = a}, {.b = a}};
    assert_false(standardised_strata(apart, 2, &used).known);
    assert_int_equal(used, 0);
}

/* Every stratum has equal means on either side; only how many of each there are differs. */
TEST(shares_of_strata_are_no_difference)
{
    const double low[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, high[] = {10, 11, 12, 10, 11, 12};
    size_t used;
    struct stratum s[] = {{of(low, 12), of(low, 3)}, {of(high, 3), of(high, 6)}, {of(low, 3), {0}}};
    struct moments a = of(low, 12), b = of(low, 3);
    for (int i = 0; i < 6; i++) {
        moments_add(i < 3 ? &a : &b, high[i]);
        moments_add(&b, high[i]);
    }
    assert_true(standardised_difference(&a, &b).d > 0.5);
    struct standardised d = standardised_strata(s, 3, &used);
    assert_true(d.known);
    assert_int_equal(used, 2);
    near(d.d, 0);
    assert_true(d.lo < 0 && d.hi > 0);
}

static double normal(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static struct moments draw(struct rng *r, int n, double mean, double sd)
{
    struct moments m = {0};
    for (int i = 0; i < n; i++) {
        moments_add(&m, mean + sd * normal(r));
    }
    return m;
}

/* The truth lies inside about 95 times of 100, also with unequal spreads and sizes. */
TEST(coverage)
{
    enum { TIMES = 4000 };
    static const struct {
        int na, nb;
        double mean, sda, sdb;
    } cases[] = {
        {50, 10, 0, 1, 1}, {50, 10, 0.8, 1, 1}, {40, 15, 0.5, 1, 2}, {200, 200, 0.3, 2, 1}};
    struct rng r;
    rng_seed(&r, 6);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double sa = cases[k].sda, sb = cases[k].sdb;
        double truth = cases[k].mean / sqrt((sa * sa + sb * sb) / 2);
        int held = 0;
        for (int i = 0; i < TIMES; i++) {
            struct moments a = draw(&r, cases[k].na, 0, sa),
                           b = draw(&r, cases[k].nb, cases[k].mean, sb);
            struct standardised s = standardised_difference(&a, &b);
            held += s.lo <= truth && truth <= s.hi;
        }
        assert_true(held > TIMES * 93 / 100 && held < TIMES * 97 / 100);
    }
}

TEST(coverage_of_strata)
{
    enum { TIMES = 2000, STRATA = 20 };
    struct rng r;
    int held = 0;
    rng_seed(&r, 7);
    for (int i = 0; i < TIMES; i++) {
        struct stratum s[STRATA];
        size_t used;
        for (int k = 0; k < STRATA; k++) {
            s[k] = (struct stratum){draw(&r, 12, k, 1), draw(&r, 4 + k % 5, k + 0.5, 1)};
        }
        struct standardised d = standardised_strata(s, STRATA, &used);
        /* The spread of all: within 1, between the strata of 0 to 19 (b has other shares). */
        double mean = 0, n = 0, between = 0;
        for (int k = 0; k < STRATA; k++) {
            mean += k * (4.0 + k % 5);
            n += 4.0 + k % 5;
        }
        for (int k = 0; k < STRATA; k++) {
            between += (k - mean / n) * (k - mean / n) * (4.0 + k % 5) / n;
        }
        double truth = 0.5 / sqrt((1 + 33.25 + 1 + between) / 2);
        held += d.lo <= truth && truth <= d.hi;
    }
    assert_true(held > TIMES * 93 / 100 && held < TIMES * 97 / 100);
}
