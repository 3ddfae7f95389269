/* Areas counted pair by pair, over folds; intervals over groups; five numbers. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/cluster.h"
#include "near.h"
#include "stats/separation.h"

enum { N = 120, FOLDS = 3 };

/* Values with ties; new ones a little higher. */
static void draw(struct separation_image *out, uint64_t seed, uint32_t groups, double shift)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint32_t i = 0; i < N; i++) {
        double x = floor(rng_unit(&rng) * 20) / 10 - 1;
        out[i] = (struct separation_image){x + (i % 2 ? shift : 0), i % groups, (uint8_t)(i % FOLDS), i % 2};
    }
}

static double pair_by_pair(const struct separation_image *v)
{
    double won = 0, all = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < N; k++) {
            if (v[i].fresh && !v[k].fresh && v[i].fold == v[k].fold) {
                won += v[i].score > v[k].score ? 1 : v[i].score == v[k].score ? 0.5 : 0;
                all++;
            }
        }
    }
    return won / all;
}

TEST(area_and_accuracy_are_those_of_plain_counting)
{
    struct separation_image v[N];
    for (uint64_t seed = 1; seed < 6; seed++) {
        size_t right = 0;
        draw(v, seed, N, 0.1 * (double)seed);
        struct separation s = separation_of(v, N, N, 0.05, 200, 1);
        for (size_t i = 0; i < N; i++) {
            right += v[i].fresh ? v[i].score > 0 : v[i].score < 0;
        }
        assert_int_equal(s.right, right);
        assert_near(s.accuracy, (double)right / N, 1e-15);
        assert_near(s.auc, pair_by_pair(v), 1e-12);
        assert_true(s.of_auc.lo < s.auc && s.auc < s.of_auc.hi);
        assert_true(s.of_accuracy.lo < s.accuracy && s.accuracy < s.of_accuracy.hi);
    }
}

/* Ten images that are one another's copies are one piece of evidence. */
TEST(groups_make_intervals_wider)
{
    struct separation_image v[10 * N];
    draw(v, 3, N, 0.3);
    for (size_t i = N; i < sizeof v / sizeof *v; i++) {
        v[i] = v[i - N];
    }
    struct separation once = separation_of(v, N, N, 0.05, 500, 1);
    struct separation copies = separation_of(v, sizeof v / sizeof *v, N, 0.05, 500, 1);
    assert_near(once.auc, copies.auc, 1e-12);
    assert_near(once.of_auc.lo, copies.of_auc.lo, 1e-12);
    assert_near(once.of_auc.hi, copies.of_auc.hi, 1e-12);
    assert_near(once.of_accuracy.lo, copies.of_accuracy.lo, 1e-9);
}

TEST(the_same_seed_draws_the_same_and_an_undecided_score_is_wrong)
{
    struct separation_image v[N], one[] = {{0, 0, 0, true}, {0, 1, 1, false}};
    draw(v, 4, 12, 0.2);
    struct separation a = separation_of(v, N, 12, 0.05, 100, 9), b = separation_of(v, N, 12, 0.05, 100, 9);
    struct separation c = separation_of(v, N, 12, 0.05, 100, 10);
    assert_true(a.of_auc.lo == b.of_auc.lo && a.of_auc.hi == b.of_auc.hi && a.of_auc.lo != c.of_auc.lo);
    struct separation none = separation_of(one, 2, 2, 0.05, 100, 1);
    assert_int_equal(none.right, 0);
    assert_true(isnan(none.auc) && none.of_auc.lo == 0 && none.of_auc.hi == 1);
}

TEST(what_is_always_right_is_known_as_well_as_its_groups_are_many)
{
    struct separation_image v[N];
    draw(v, 5, 10, 9); /* groups of one set each: five of either */
    struct separation s = separation_of(v, N, 10, 0.05, 100, 1);
    assert_true(s.auc == 1 && s.of_auc.hi == 1);
    assert_near(s.of_auc.lo, pow(0.025, 1.0 / 5), 1e-9);
}

TEST(five_numbers_are_numpys)
{
    double v[] = {7, 1, 3, 10, 2, 8}, one[] = {4};
    struct five_numbers f = five_numbers_of(v, 6), g = five_numbers_of(one, 1);
    assert_true(f.least == 1 && f.lower == 2.25 && f.median == 5 && f.upper == 7.75 && f.most == 10);
    assert_true(g.least == 4 && g.lower == 4 && g.median == 4 && g.upper == 4 && g.most == 4);
}

