/* percentile_test.c - stats/percentile.h against NumPy, and against sorting. */
#include "unit.h"

#include <stdlib.h>

#include "base/rng.h"
#include "near.h"
#include "stats/percentile.h"

TEST(as_numpy)
{
    static const struct {
        double alpha, lo, hi;
    } known[] = {{0.05, 1, 8.325}, {0.5, 2.25, 5}, {1, 3.5, 3.5}, {0, 1, 9}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double v[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
        struct interval got = percentile_interval(v, 10, known[i].alpha);
        assert_near(got.lo, known[i].lo, 1e-14);
        assert_near(got.hi, known[i].hi, 1e-14);
    }
    double one = 7;
    assert_near(percentile_interval(&one, 1, 0.05).hi, 7, 0);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(as_sorted)
{
    enum { MOST = 500 };
    double v[MOST], sorted[MOST];
    struct rng r;
    rng_seed(&r, 5);
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + rng_below(&r, MOST);
        uint64_t values = 1 + rng_below(&r, 1000); /* with ties */
        for (size_t i = 0; i < n; i++) {
            sorted[i] = v[i] = (double)rng_below(&r, values);
        }
        qsort(sorted, n, sizeof *sorted, by_value);
        double alpha = 0.1, lo = alpha / 2 * (double)(n - 1), hi = (1 - alpha / 2) * (double)(n - 1);
        size_t l = (size_t)lo, h = (size_t)hi;
        struct interval range = percentile_interval(v, n, alpha);
        assert_near(range.lo, sorted[l] + (lo - (double)l) * (sorted[l + (l + 1 < n)] - sorted[l]), 1e-9);
        assert_near(range.hi, sorted[h] + (hi - (double)h) * (sorted[h + (h + 1 < n)] - sorted[h]), 1e-9);
    }
}
