/* feasible_test.c - how many people potential labels take, and what else is possible. */
#include "unit.h"

#include <string.h>

#include "sets/labels/feasible.h"

static const struct potential_depth depths[] = {{1, 4, 150000, 4000}, {3, 10, 500000, 12400}, {5, 16, 800000, 19400}};

static struct feasible_terms terms(int64_t people)
{
    return (struct feasible_terms){.terms = {.answers_per_grid = 9, .grids_per_place = 20, .pay_cents = 150, .max_share = 0.02, .expected_minutes = 15},
                                   .people = people, .a_day = 100, .classify = 9};
}

TEST(sixteen_labels_take_144_people_and_9)
{
    struct feasible_terms t = terms(0);
    struct feasible_way w = feasible_at(&t, &depths[2], 9, 0);
    assert_int_equal(w.people_image, 16 * 9 + 9);
    assert_int_equal(w.cost.places, (19400 * 9 + 19) / 20);
    assert_int_equal(w.people, w.cost.places);
    assert_int_equal(w.cost.pay_cents, w.cost.places * 150);
    assert_true(w.days > 87.5 && w.days < 88.5);
    assert_true(w.possible);
    t.classify = 0;
    assert_int_equal(feasible_at(&t, &depths[2], 5, 40).people_image, 16 * 5 + 40);
}

TEST(what_is_possible_instead)
{
    struct err err = {OK, "", ""};
    struct feasible_way instead[PREDICTION_K];
    struct feasible_terms t = terms(5000);
    struct feasible_way w = feasible_at(&t, &depths[2], 9, 0);
    assert_false(w.possible); /* the work takes 8730 places */
    size_t n = feasible_instead(&t, depths, 3, 0, instead);
    assert_int_equal(n, 3);
    assert_int_equal(instead[0].top, 5);
    assert_int_equal(instead[0].answers, 5); /* 19400 x 5 / 20 = 4850 */
    assert_int_equal(instead[1].answers, 8); /* 12400 x 8 / 20 = 4960 */
    assert_int_equal(instead[2].answers, 9);
    for (size_t i = 0; i < n; i++) {
        assert_true(instead[i].possible && instead[i].people <= 5000);
    }
    assert_int_equal(feasible_check(&t, &w, instead, n, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "takes 8730 different people"));
    assert_non_null(strstr(err.msg, "5 answers for each of at most 16 labels"));
    /* People are too few for a single image. */
    t = terms(28);
    err_clear(&err);
    n = feasible_instead(&t, depths, 3, 0, instead);
    assert_int_equal(n, 0);
    w = feasible_at(&t, &depths[0], 5, 0);
    assert_int_equal(feasible_check(&t, &w, instead, n, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "Find more people"));
    t = terms(9000);
    w = feasible_at(&t, &depths[2], 9, 0);
    err_clear(&err);
    assert_int_equal(feasible_check(&t, &w, instead, 0, &err), OK);
    assert_int_equal(feasible_instead(&t, depths, 3, 0, instead), 2); /* not the plan itself */
}

/* Two labels of one image, three of another; the first was shown to 40 people before, a third is in no grid. */
TEST(who_saw_an_image_cannot_be_asked_about_it)
{
    struct label_plan_book book = {0};
    const uint32_t labels[] = {2, 3, 1}, seen[] = {40, 0, 500}, grids[] = {2, 30, 0};
    for (uint32_t i = 0; i < 3; i++) {
        label_plan_image(&book, 10 + i, 1);
        for (uint32_t k = 0; k < labels[i]; k++) {
            label_plan_label(&book, k + 1);
        }
    }
    struct feasible_most most = feasible_most(&book, grids, seen, 9);
    assert_int_equal(most.grids, 30);
    assert_int_equal(most.people, 30 * 9);
    assert_int_equal(most.seen, 500);
    book.n = 2;
    most = feasible_most(&book, NULL, seen, 9);
    assert_int_equal(most.grids, 3);
    assert_int_equal(most.people, 2 * 9 + 40); /* not the one with the most labels */
    const struct potential_depth depth = {5, 3, 5, 1};
    struct feasible_terms t = terms(60);
    t.terms.max_share = 1;
    struct feasible_way w = feasible_at(&t, &depth, 9, 0);
    assert_int_equal(w.people_image, 3 * 9 + 9);
    assert_true(w.possible);
    feasible_put(&t, &most, &w);
    assert_int_equal(w.people_image, 58 + 9);
    assert_int_equal(w.people, 67);
    assert_false(w.possible);
    label_plan_release(&book);
}
