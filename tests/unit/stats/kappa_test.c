/* kappa_test.c - stats/kappa.h against numbers worked out by hand. */
#include "unit.h"

#include <math.h>

#include "stats/kappa.h"

TEST(tables)
{
    /* Cohen's own form: 20 and 15 alike of 50, margins 25/25 and 30/20: po .7, pe .5. */
    static const int64_t two[] = {20, 5, 10, 15};
    assert_true(fabs(kappa_cohen(two, 2) - 0.4) < 1e-12);
    static const int64_t all[] = {3, 0, 0, 0, 4, 0, 0, 0, 5};
    assert_true(fabs(kappa_cohen(all, 3) - 1) < 1e-12);
    static const int64_t against[] = {0, 5, 5, 0};
    assert_true(fabs(kappa_cohen(against, 2) + 1) < 1e-12);
    /* po 6/10, pe (4*5 + 4*3 + 2*2) / 100 = .36 */
    static const int64_t three[] = {3, 1, 0, 1, 2, 1, 1, 0, 1};
    assert_true(fabs(kappa_cohen(three, 3) - 0.24 / 0.64) < 1e-12);
}

TEST(nothing_to_tell)
{
    static const int64_t none[] = {0, 0, 0, 0}, one[] = {7, 0, 0, 0};
    assert_true(isnan(kappa_cohen(none, 2)));
    assert_true(isnan(kappa_cohen(one, 2)));
}
