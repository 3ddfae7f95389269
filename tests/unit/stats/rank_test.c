/* rank_test.c - stats/rank.h against examples worked out by hand and by SciPy, and Kendall's against all pairs. */
#include "unit.h"

#include "base/rng.h"
#include "near.h"
#include "stats/rank.h"

TEST(orders)
{
    const double up[5] = {1, 2, 3, 4, 5}, down[5] = {9, 7, 5, 3, 1}, one[5] = {1, 2, 3, 5, 4};
    assert_near(rank_spearman(up, up, 5), 1, 1e-15);
    assert_near(rank_kendall(up, up, 5), 1, 1e-15);
    assert_near(rank_spearman(up, down, 5), -1, 1e-15);
    assert_near(rank_kendall(up, down, 5), -1, 1e-15);
    assert_near(rank_spearman(up, one, 5), 1 - 6 * 2.0 / (5 * 24), 1e-15); /* 1 - 6 sum d^2 / (n (n^2 - 1)) */
    assert_near(rank_kendall(up, one, 5), 8.0 / 10, 1e-15);                /* one pair of ten is the other way round */
}

TEST(ties)
{
    const double a[10] = {1, 2, 2, 3, 4, 5, 5, 5, 6, 7}, b[10] = {2, 1, 3, 3, 5, 4, 6, 6, 6, 8};
    assert_near(rank_spearman(a, b, 10), 0.921875, 1e-14);
    assert_near(rank_kendall(a, b, 10), 0.8292682926829268, 1e-14);
}

static int sign(double v)
{
    return (v > 0) - (v < 0);
}

TEST(kendall_is_that_of_all_pairs)
{
    enum { MOST = 60 };
    double x[MOST], y[MOST];
    struct rng r;
    rng_seed(&r, 3);
    for (int round = 0; round < 200; round++) {
        size_t n = 2 + rng_below(&r, MOST - 1);
        uint64_t values = 2 + rng_below(&r, 40);
        double above = 0, in_x = 0, in_y = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)rng_below(&r, values);
            y[i] = x[i] + (double)rng_below(&r, values);
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < n; j++) {
                above += sign(x[i] - x[j]) * sign(y[i] - y[j]);
                in_x += x[i] != x[j];
                in_y += y[i] != y[j];
            }
        }
        double tau = rank_kendall(x, y, n);
        if (in_x > 0 && in_y > 0) {
            assert_near(tau, above / sqrt(in_x * in_y), 1e-12);
        } else {
            assert_true(isnan(tau));
        }
    }
}

TEST(nothing_to_order)
{
    const double same[3] = {2, 2, 2}, up[3] = {1, 2, 3};
    assert_true(isnan(rank_spearman(same, up, 3)) && isnan(rank_spearman(up, same, 3)));
    assert_true(isnan(rank_kendall(same, up, 3)) && isnan(rank_kendall(up, same, 3)));
    assert_true(isnan(rank_spearman(up, up, 1)) && isnan(rank_kendall(up, up, 1)) && isnan(rank_kendall(up, up, 0)));
}
