/* agreement_test.c - controls and agreement on grids small enough to reckon by hand. */
#include "unit.h"

#include "domain/votes/agreement.h"

static void assert_near(double got, double want)
{
    assert_true(got - want < 1e-12 && want - got < 1e-12);
}

/* Cells 0, 1 positive; 2, 3 negative; 4 gold of the class; 5 gold of another; 6, 7 candidates. */
static const struct agreement_key key = {8, 0x03, 0x0c, 0x30, 0x10, false};

TEST(controls_are_counted)
{
    /* Selected: one positive, one negative, the gold of another class, one candidate. */
    const struct agreement_answer a = {0x01 | 0x04 | 0x20 | 0x40, true};
    struct agreement s;
    agreement_compute(&key, &a, 1, &s);
    assert_int_equal(s.selected, 4);
    assert_int_equal(s.pos, 2);
    assert_int_equal(s.pos_right, 1);
    assert_int_equal(s.neg, 2);
    assert_int_equal(s.neg_right, 1);
    assert_int_equal(s.gold, 2);
    assert_int_equal(s.gold_right, 0);
    assert_near(s.control, 0.5);
    assert_false(s.compared);
}

TEST(without_controls_there_is_no_accuracy)
{
    const struct agreement_key plain = {.n = 3};
    const struct agreement_answer a = {0x5, true};
    struct agreement s;
    agreement_compute(&plain, &a, 1, &s);
    assert_true(s.control < 0);
    assert_int_equal(s.pos + s.neg + s.gold, 0);
}

/* Labels 0 and 2 are there: nothing else is right, and it is one thing. */
TEST(a_check_is_right_as_a_whole)
{
    const struct agreement_key check = {.n = 3, .gold = 0x7, .gold_positive = 0x5, .whole = true};
    const struct agreement_answer a[] = {{0x5, true}, {0x1, true}, {0x7, true}};
    struct agreement s[3];
    agreement_compute(&check, a, 3, s);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s[i].gold, 1);
        assert_int_equal(s[i].gold_right, i == 0);
    }
    const struct agreement_key none = {.n = 3, .whole = true}; /* a task that is no check */
    agreement_compute(&none, a, 3, s);
    assert_int_equal(s[0].gold + s[0].gold_right, 0);
}

/* Four cells, three people: A selects 0 1, B selects 0, C selects 0 1 2.
 * A: cells 0 f=1 -> 1; 1 f=1/2 -> 1/2; 2 f=1/2, not selected -> 1/2; 3 f=0 -> 1: mean 3/4.
 * B: 0 f=1 -> 1; 1 f=1, not selected -> 0; 2 f=1/2 -> 1/2; 3 -> 1: mean 5/8.
 * C: 0 -> 1; 1 f=1/2 -> 1/2; 2 f=0, selected -> 0; 3 -> 1: mean 5/8. */
TEST(agreement_with_the_others)
{
    const struct agreement_key plain = {.n = 4};
    const struct agreement_answer a[] = {{0x3, true}, {0x1, true}, {0x7, true}};
    struct agreement s[3];
    agreement_compute(&plain, a, 3, s);
    assert_near(s[0].agreement, 0.75);
    assert_near(s[1].agreement, 0.625);
    assert_near(s[2].agreement, 0.625);
    double mean = (0.75 + 0.625 + 0.625) / 3;
    for (int i = 0; i < 3; i++) {
        assert_true(s[i].compared);
        assert_near(s[i].relative, s[i].agreement - mean);
    }
}

/* The same, and D, who selected everything and does not count: compared with all three, it changes
 * nobody else's agreement. Cells 0 f=1 -> 1; 1 f=2/3; 2 f=1/3; 3 f=0: mean 1/2. */
TEST(what_does_not_count_is_compared_but_not_with)
{
    const struct agreement_key plain = {.n = 4};
    const struct agreement_answer a[] = {{0xf, false}, {0x3, true}, {0x1, true}, {0x7, true}};
    struct agreement s[4];
    agreement_compute(&plain, a, 4, s);
    assert_near(s[0].agreement, 0.5);
    assert_near(s[0].relative, 0.5 - 2.0 / 3);
    assert_near(s[1].agreement, 0.75);
    assert_near(s[2].agreement, 0.625);
}

TEST(one_answer_that_counts)
{
    const struct agreement_key plain = {.n = 2};
    const struct agreement_answer a[] = {{0x1, true}, {0x3, false}};
    struct agreement s[2];
    agreement_compute(&plain, a, 2, s);
    assert_false(s[0].compared); /* only somebody who does not count is there */
    assert_true(s[1].compared);
    assert_near(s[1].agreement, 0.5);
    assert_near(s[1].relative, 0); /* no mean to differ from */
}

TEST(all_48_cells)
{
    const struct agreement_key full = {.n = GRID_CELLS};
    const uint64_t all = ((uint64_t)1 << GRID_CELLS) - 1;
    const struct agreement_answer a[] = {{all, true}, {all, true}, {0, true}};
    struct agreement s[3];
    agreement_compute(&full, a, 3, s);
    assert_int_equal(s[0].selected, 48);
    assert_near(s[0].agreement, 0.5);
    assert_near(s[2].agreement, 0);
}

TEST(spread)
{
    double odd[] = {42, 30, 245}, even[] = {4, 1, 3, 2};
    struct agreement_spread s = agreement_spread(odd, 3);
    assert_near(s.least, 30);
    assert_near(s.most, 245);
    assert_near(s.median, 42);
    assert_near(s.mean, 317.0 / 3);
    s = agreement_spread(even, 4);
    assert_near(s.median, 2.5);
    assert_near(agreement_spread(NULL, 0).mean, 0);
}
