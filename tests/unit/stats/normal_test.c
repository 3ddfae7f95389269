/* normal_test.c - stats/normal.h against 19 digits, and the quantile against the distribution. */
#include "unit.h"

#include "base/rng.h"
#include "near.h"
#include "stats/normal.h"

TEST(quantiles_to_the_last_digits)
{
    static const struct {
        double p, z;
    } known[] = {{0.001, -3.090232306167813535}, {0.025, -1.959963984540054212}, {0.2, -0.8416212335729141655},
                 {0.5, 0},                       {0.7, 0.5244005127080406563},   {0.975, 1.959963984540054212},
                 {1e-10, -6.361340902404056199}, {1e-300, -37.04709629936119924}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_near(normal_quantile(known[i].p), known[i].z, 1e-15 * fabs(known[i].z));
    }
}

/* In the middle, where one formula takes over from another (p = .075, r = 5), and far down the tail, where only the
 * relative error says anything. */
TEST(the_distribution_gives_the_chance_back)
{
    struct rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < 20000; i++) {
        double p = i % 2 ? rng_unit(&r) : pow(10, -12 * rng_unit(&r)), near = 0.075 + 1e-6 * (rng_unit(&r) - 0.5);
        double border = exp(-25) * (1 + 1e-6 * (rng_unit(&r) - 0.5));
        assert_near(normal_cdf(normal_quantile(p)), p, 1e-14 * p + 4e-16);
        assert_near(normal_cdf(normal_quantile(near)), near, 1e-14 * near);
        assert_near(normal_cdf(normal_quantile(border)), border, 1e-13 * border);
        if (p > 0.25) {
            assert_near(normal_quantile(1 - p), -normal_quantile(p), 1e-14 * fabs(normal_quantile(p)) + 4e-16);
        }
    }
}

TEST(ends)
{
    assert_true(normal_quantile(0) == -INFINITY && normal_quantile(1) == INFINITY);
    assert_true(isnan(normal_quantile(-0.1)) && isnan(normal_quantile(1.1)) && isnan(normal_quantile((double)NAN)));
    assert_true(normal_cdf(-INFINITY) == 0 && normal_cdf(INFINITY) == 1 && normal_cdf(0) == 0.5);
}
