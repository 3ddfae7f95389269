/* kappa_test.c - stats/kappa.h against a published example and numbers worked out by hand. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
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

/* Cohen 1960, "A coefficient of agreement for nominal scales", table 2, of 200: po .70, pe .41, kappa .492. */
TEST(cohens_example)
{
    static const int64_t table[] = {88, 10, 2, 14, 40, 6, 18, 10, 12};
    assert_true(fabs(kappa_cohen(table, 3) - 0.492) < 5e-4);
}

TEST(nothing_to_tell)
{
    static const int64_t none[] = {0, 0, 0, 0}, one[] = {7, 0, 0, 0};
    assert_true(isnan(kappa_cohen(none, 2)));
    assert_true(isnan(kappa_cohen(one, 2)));
}

/* A judge who repeats the other in 8 of 10 cases and guesses otherwise: kappa is .8; clusters of four alike make the
 * interval twice as wide. */
ARENA_TEST(interval)
{
    struct judged *list = arena_alloc(&unit_arena, 400 * sizeof *list);
    struct rng rng;
    int inside = 0;
    double alone = 0, clustered = 0;
    rng_seed(&rng, 8);
    for (int world = 0; world < 100; world++) {
        for (uint32_t i = 0; i < 400; i++) {
            uint8_t first = (uint8_t)rng_below(&rng, 3);
            list[i] = (struct judged){i, first, rng_below(&rng, 10) < 8 ? first : (uint8_t)rng_below(&rng, 3)};
        }
        struct proportion k = kappa_interval(list, 400, 200, 1, 0.05, &unit_arena);
        inside += k.lo <= 0.8 && k.hi >= 0.8;
        alone += k.hi - k.lo;
        for (uint32_t i = 0; i < 400; i++) {
            list[i] = list[i / 4 * 4];
            list[i].cluster = i / 4;
        }
        k = kappa_interval(list, 400, 200, 1, 0.05, &unit_arena);
        clustered += k.hi - k.lo;
    }
    print_message("kappa inside in %d of 100 worlds; clusters: %.2f times as wide\n", inside, clustered / alone);
    assert_in_range(inside, 88, 100);
    assert_true(clustered / alone > 1.8 && clustered / alone < 2.2);
    assert_true(isnan(kappa_interval(list, 0, 10, 1, 0.05, &unit_arena).value));
}
