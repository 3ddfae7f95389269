/* held_out_test.c - designs of half of four answers, worked out by hand for each strategy: of four
 * answers with two ticks, two kept ones have 0, 1 or 2 ticks with chances 1/6, 4/6, 1/6. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "measures/votes/held_out.h"

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12)) {
        fail_msg("%.17g is not %.17g", got, want);
    }
}

static struct held_out_sums sums_of(const struct held_out_rules *r, struct spread_cell candidate,
                                    struct spread_cell original)
{
    struct held_out *h = held_out_new(r);
    struct held_out_sums sums[HELD_OUT_DESIGNS] = {{0}};
    const struct held_out_class c = {&candidate, &original, 1, 1, 0.7, 0.75};
    held_out_add(h, &c, sums);
    held_out_free(h);
    return sums[0];
}

static const struct spread_cell two_of_four = {4, 2, 1, 0}, four_of_four = {4, 4, 1, 0};

TEST(matched)
{
    struct held_out_rules r = {SAMPLE_MATCHED, false, 1, {0.5}, 1};
    /* The original is always in the highest bin, the candidate in one of six; then its others are
     * blank. */
    struct held_out_sums s = sums_of(&r, two_of_four, four_of_four);
    assert_near(s.chosen, 1.0 / 6);
    assert_near(s.kept, 1.0 / 6);
    assert_near(s.held, 0);
    assert_near(s.answers, 2.0 / 6);
    assert_near(s.original, 0.75 / 6);
    /* The other way round the candidate is wanted there in one of six only. */
    s = sums_of(&r, four_of_four, two_of_four);
    assert_near(s.chosen, 1.0 / 6);
    assert_near(s.held, 1.0 / 6);
    /* Or for the lower bins too. */
    r.upward = true;
    s = sums_of(&r, four_of_four, two_of_four);
    assert_near(s.chosen, 1);
    assert_near(s.kept, 1);
    assert_near(s.answers, 2);
    /* Both alike: every bin has what it wants. */
    s = sums_of(&r, two_of_four, two_of_four);
    assert_near(s.chosen, 1);
    assert_near(s.kept, 0.5);
    assert_near(s.held, 0.5);
}

TEST(threshold_and_top)
{
    struct held_out_rules r = {SAMPLE_THRESHOLD, false, 1, {0.5}, 1};
    struct held_out_sums s = sums_of(&r, two_of_four, four_of_four);
    assert_near(s.chosen, 1.0 / 6);
    assert_near(s.held, 0);
    s = sums_of(&r, (struct spread_cell){4, 4, 5, 0}, four_of_four);
    assert_near(s.chosen, 1);
    assert_near(s.kept, 1);
    r.strategy = SAMPLE_TOP;
    s = sums_of(&r, two_of_four, four_of_four);
    assert_near(s.chosen, 1);
    assert_near(s.held, 0.5);
    /* Of six alike one is expected to look best, and only look so. */
    s = sums_of(&r, (struct spread_cell){4, 2, 6, 0}, four_of_four);
    assert_near(s.chosen, 1);
    assert_near(s.kept, 1);
    assert_near(s.held, 0);
}

/* One answer has none beside it. Of two, one is kept whatever the share; equal cells share a bin.
 */
TEST(few_answers)
{
    struct held_out_rules r = {SAMPLE_TOP, false, 1, {0.99, 0.01}, 2};
    struct held_out *h = held_out_new(&r);
    struct held_out_sums sums[HELD_OUT_DESIGNS] = {{0}};
    const struct spread_cell pool[] = {{1, 1, 9, 0}, {2, 2, 1, 0}, {2, 1, 2, 0}};
    const struct held_out_class c = {pool, NULL, 3, 0, 0, 0};
    held_out_add(h, &c, sums);
    for (int d = 0; d < 2;
         d++) { /* the one with both ticks, and two of which each is ticked half of the time */
        assert_near(sums[d].chosen, 1);
        assert_near(sums[d].kept, 1);
        assert_near(sums[d].held, 0.5);
        assert_near(sums[d].answers, 1);
    }
    held_out_free(h);
}

/* The mean over all draws of three of five answers, by drawing. */
TEST(as_if_drawn)
{
    enum { DRAWS = 400000 };
    struct held_out_rules r = {SAMPLE_THRESHOLD, false, 1, {0.6}, 1};
    uint32_t votes[5] = {1, 1, 1, 0, 0};
    double chosen = 0, held = 0;
    struct rng rng;
    struct held_out_sums s = sums_of(&r, (struct spread_cell){5, 3, 1, 0}, four_of_four);
    rng_seed(&rng, 8);
    for (int i = 0; i < DRAWS; i++) {
        rng_shuffle_u32(&rng, votes, 5);
        if ((votes[0] + votes[1] + votes[2]) / 3.0 >= 0.7) {
            chosen++;
            held += (votes[3] + votes[4]) / 2.0;
        }
    }
    assert_true(fabs(s.chosen - chosen / DRAWS) < 0.003);
    assert_true(fabs(s.held - held / DRAWS) < 0.003);
}
