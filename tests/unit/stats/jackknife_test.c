/* jackknife_test.c - the variance by hand, and for a mean the one that everybody knows. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/jackknife.h"

TEST(by_hand)
{
    static const double without[] = {1, 2, 6};
    /* Around 3: 4 + 1 + 9, times 2/3. */
    assert_true(fabs(jackknife_variance(without, 3) - 28.0 / 3) < 1e-12);
    assert_true(jackknife_variance(without, 1) == 0 && jackknife_variance(NULL, 0) == 0);
    struct interval i = jackknife_interval(5, 4, 3, 0.05);
    assert_true(fabs(i.lo - (5 - 2 * 4.3026527297)) < 1e-8);
    assert_true(fabs(i.hi - (5 + 2 * 4.3026527297)) < 1e-8);
}

/* Of a mean of n numbers, each left out in turn, it is their variance over n. */
TEST(of_a_mean)
{
    enum { N = 50 };
    double x[N], without[N], sum = 0, squares = 0;
    struct rng r;
    rng_seed(&r, 2);
    for (int i = 0; i < N; i++) {
        x[i] = rng_unit(&r);
        sum += x[i];
    }
    for (int i = 0; i < N; i++) {
        without[i] = (sum - x[i]) / (N - 1);
        squares += (x[i] - sum / N) * (x[i] - sum / N);
    }
    assert_true(fabs(jackknife_variance(without, N) - squares / (N - 1) / N) < 1e-15);
}
