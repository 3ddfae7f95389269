/* evaluation_test.c - domain/evaluation/evaluation.h: which images, in which order, which are fast. */
#include "unit.h"

#include "domain/evaluation/evaluation.h"

TEST(classes_differ_by_one_at_most)
{
    struct rng r;
    uint32_t quota[7], seen[7] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint32_t sum = 0;
        rng_seed(&r, seed);
        evaluation_spread(17, 7, &r, quota);
        for (int k = 0; k < 7; k++) {
            assert_true(quota[k] == 2 || quota[k] == 3);
            sum += quota[k];
            seen[k] += quota[k] == 3;
        }
        assert_int_equal(sum, 17);
    }
    for (int k = 0; k < 7; k++) { /* 3 of 7 have one more: 86 of 200 is expected */
        assert_in_range(seen[k], 50, 125);
    }
    evaluation_spread(14, 7, &r, quota);
    assert_int_equal(quota[0], 2);
    assert_int_equal(quota[6], 2);
}

/* Appendix B.2.5: 5 % of 2,000 images were 115 with all those that as many models have right. */
TEST(the_hardest_have_all_ties)
{
    const uint32_t right[] = {9, 0, 3, 3, 0, 5, 3, 9, 9, 7};
    struct evaluation_cut cut = evaluation_hardest(right, 10, 2);
    assert_int_equal(cut.images, 2);
    assert_int_equal(cut.most_right, 0);
    cut = evaluation_hardest(right, 10, 3);
    assert_int_equal(cut.images, 5);
    assert_int_equal(cut.most_right, 3);
    cut = evaluation_hardest(right, 10, 1);
    assert_int_equal(cut.images, 2);
    cut = evaluation_hardest(right, 10, 10);
    assert_int_equal(cut.images, 10);
    assert_int_equal(cut.most_right, 9);
    cut = evaluation_hardest(right, 10, 8);
    assert_int_equal(cut.images, 10);
}

TEST(everybody_has_an_order_of_their_own)
{
    enum { N = 500 };
    uint32_t ada[N], again[N], grace[N];
    bool there[N] = {false};
    int same = 0, stayed = 0;
    evaluation_order(7, 2, N, ada);
    evaluation_order(7, 2, N, again);
    evaluation_order(7, 3, N, grace);
    assert_memory_equal(ada, again, sizeof ada);
    for (int i = 0; i < N; i++) {
        assert_true(ada[i] < N && !there[ada[i]]);
        there[ada[i]] = true;
        same += ada[i] == grace[i];
        stayed += ada[i] == (uint32_t)i;
    }
    assert_true(same < 10 && stayed < 10);
}

TEST(fast_is_a_median_of_three_people_below_a_minute)
{
    int64_t two[] = {1000, 1000}, three[] = {59999, 900000, 10}, slow[] = {60000, 900000, 10}, four[] = {50000, 69999, 1, 900000},
            even[] = {50000, 70000, 1, 900000};
    assert_false(evaluation_fast(two, 2));
    assert_true(evaluation_fast(three, 3));
    assert_false(evaluation_fast(slow, 3));
    assert_true(evaluation_fast(four, 4));
    assert_false(evaluation_fast(even, 4));
}

TEST(words_of_choices)
{
    enum evaluation_by by;
    assert_true(evaluation_word_of(SV("hardest"), &by) && by == EVALUATION_HARDEST);
    assert_true(evaluation_word_of(sv_of(evaluation_word(EVALUATION_CLASS)), &by) && by == EVALUATION_CLASS);
    assert_false(evaluation_word_of(SV("easiest"), &by));
}
