/* plan_summary_test.c - what a plan costs and covers, in numbers worked out by hand. */
#include "unit.h"

#include <math.h>

#include "domain/grids/plan_summary.h"

static struct plan_cost cost(int64_t grids, int64_t per_place, double share)
{
    const struct plan_terms t = {10, per_place, 150, share, 15};
    struct plan_cost c;
    plan_cost(&t, grids, &c);
    return c;
}

TEST(cost)
{
    struct plan_cost c = cost(5000, 20, 0.02);
    assert_int_equal(c.answers, 50000);
    assert_int_equal(c.per_place, 20);
    assert_int_equal(c.places, 2500);
    assert_int_equal(c.pay_cents, 375000);
    assert_true(fabs(c.hours - 625) < 1e-9);
    assert_true(fabs(c.hourly_cents - 600) < 1e-9);
    c = cost(5001, 20, 0.02); /* half a place is a place */
    assert_int_equal(c.places, 2501);
    c = cost(0, 20, 0.02);
    assert_int_equal(c.places, 0);
    assert_int_equal(c.pay_cents, 0);
}

/* 8 grids of 10 answers, 2 % of which are one grid a person, and a place that is paid for 20. */
TEST(real_minutes)
{
    struct plan_cost c = cost(8, 20, 0.02);
    assert_int_equal(c.places, 80);
    assert_int_equal(c.pay_cents, 12000);
    assert_true(fabs(c.minutes - 0.75) < 1e-9);
    assert_true(fabs(c.hours - 1) < 1e-9);
    assert_true(fabs(c.hourly_cents - 12000) < 1e-6);
    assert_true(c.short_of_work);
    assert_true(fabs(c.fuller_share - 0.1) < 1e-9);
    assert_int_equal(c.fair_cents, 8);
    c = cost(8, 20, 0.1); /* all eight grids, still not twenty */
    assert_int_equal(c.per_place, 8);
    assert_true(c.short_of_work);
    assert_true(c.fuller_share == 0);
    assert_int_equal(c.fair_cents, 60);
    assert_false(cost(8, 8, 0.1).short_of_work);
    assert_false(cost(75, 20, 0.02).short_of_work); /* 15 of 20 */
    assert_true(cost(70, 20, 0.02).short_of_work);
    assert_true(fabs(cost(70, 20, 0.02).fuller_share - 0.03) < 1e-9);
    assert_false(cost(0, 20, 0.02).short_of_work);
}

/* Minutes are read, and one of these is typed again as an option: never "1.4e+02". */
TEST(the_sentence_about_short_work)
{
    const struct plan_terms t = {10, 100, 5000, 0.02, 200};
    struct plan_cost c;
    struct arena a;
    arena_init(&a, 4096);
    plan_cost(&t, 350, &c);
    assert_string_equal(plan_short_said(&a, &t, &c, SV("USD")),
                        "A person can do only 70 of the 100 grids that the pay is for. That is about "
                        "140 min of work at 21.43 USD an hour, not 200 min at 15.00.");
    plan_cost(&t, 5000, &c);
    assert_null(plan_short_said(&a, &t, &c, SV("USD")));
    arena_release(&a);
}

TEST(grids_a_person)
{
    assert_int_equal(plan_grids_a_person(20, 0.02, 0, 0), 20); /* nothing is known */
    assert_int_equal(plan_grids_a_person(20, 1, 80, 8), 8);
    assert_int_equal(plan_grids_a_person(20, 0.02, 80, 8), 1);
    assert_int_equal(plan_grids_a_person(20, 0.07, 100, 50), 7);
}

/* Nobody answers more than the share, than a place holds, or a grid twice. */
TEST(places_are_people)
{
    assert_int_equal(cost(50, 20, 0.02).per_place, 10); /* of 500 answers */
    assert_int_equal(cost(50, 20, 0.02).places, 50);
    assert_int_equal(cost(2, 20, 0.02).per_place, 1); /* at least one */
    assert_int_equal(cost(2, 20, 0.02).places, 20);
    assert_int_equal(cost(3, 20, 1).per_place, 3);
    assert_int_equal(cost(3, 20, 1).places, 10);
}

/* originals, covered, covered_after */
static const struct class_coverage classes[] = {
    {1, 50, 20, 25, 100, 10, 0, 1}, {2, 50, 3, 20, 10, 10, 4, 0}, {3, 50, 0, 19, 0, 0, 0, 0},
    {4, 19, 0, 0, 7, 7, 7, 2},      {5, 0, 0, 0, 1, 0, 0, 0},     {6, 12, 0, 12, 0, 0, 0, 0},
};
enum { CLASSES = sizeof classes / sizeof *classes };

TEST(totals)
{
    struct coverage_totals t;
    coverage_totals(classes, CLASSES, 20, &t);
    assert_int_equal(t.classes, 6);
    assert_int_equal(t.reached, 1);
    assert_int_equal(t.reached_after, 2);
    assert_int_equal(t.below_after, 1);
    assert_int_equal(t.impossible, 3);
    assert_int_equal(t.candidates, 118);
    assert_int_equal(t.open, 27);
    assert_int_equal(t.open_after, 11);
    assert_int_equal(t.hidden, 3);
    coverage_totals(classes, CLASSES, 0, &t);
    assert_int_equal(t.reached, 6);
    assert_int_equal(t.below_after + t.impossible, 0);
}

TEST(worst)
{
    static const size_t order[] = {3, 4, 5, 2};
    size_t worst[CLASSES];
    for (size_t most = 0; most <= CLASSES; most++) {
        size_t n = coverage_worst(classes, CLASSES, 20, most, worst);
        assert_int_equal(n, most < 4 ? most : 4);
        assert_memory_equal(worst, order, n * sizeof *order);
    }
    assert_int_equal(coverage_worst(classes, CLASSES, 0, CLASSES, worst), 0);
}
