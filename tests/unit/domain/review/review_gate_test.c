/* review_gate_test.c - which metrics a project begins with, and which distances let an image into a set. */
#include "unit.h"

#include <math.h>

#include "domain/review/review_gate.h"

TEST(published_metrics)
{
    struct review_gate gate;
    review_gate_usual(&gate);
    assert_int_equal(gate.n, REVIEW_METRICS);
    assert_string_equal(gate.metric[REVIEW_L2].name, "l2");
    assert_int_equal(gate.metric[REVIEW_L2].side, 256);
    assert_float_equal(gate.metric[REVIEW_L2].threshold, 1.2e8, 0);
    assert_string_equal(gate.metric[REVIEW_FC7].name, "fc7");
    assert_int_equal(gate.metric[REVIEW_FC7].kind, NEAR_FEATURE);
    assert_float_equal(gate.metric[REVIEW_FC7].threshold, 1.32e4, 0);
    assert_int_equal(gate.metric[REVIEW_DSSIM].window, 35);
    assert_float_equal(gate.metric[REVIEW_DSSIM].threshold, .2205, 0);
    for (size_t m = 0; m < gate.n; m++) {
        assert_false(gate.metric[m].enabled || gate.metric[m].declared);
        assert_int_equal(review_gate_find(&gate, sv_of(gate.metric[m].name)), m);
    }
    assert_int_equal(review_gate_find(&gate, SV("l")), gate.n);
    assert_int_equal(review_metric_usual(NEAR_DSSIM).window, 35);
    assert_string_equal(review_metric_usual(NEAR_L2).name, "");
}

TEST(gate)
{
    assert_true(review_passes(REVIEW_CLEAR, 1.2e8));
    assert_true(review_passes(nextafter(1.2e8, HUGE_VAL), 1.2e8));
    assert_false(review_passes(1.2e8, 1.2e8)); /* equal is too near */
    assert_false(review_passes(REVIEW_NEVER, .2205));
    assert_false(review_passes(NAN, .2205));
}

struct state {
    bool enabled;
    int64_t searched_until;
};

/* A metric that is enabled must have searched the image, or have come after it with a declaration. */
TEST(unsearched)
{
    const struct {
        struct state metric[REVIEW_METRICS];
        unsigned known;
        int64_t image;
        bool out;
    } cases[] = {{{{false, 0}, {false, 0}, {false, 0}}, 0, 1, false}, {{{true, 0}, {false, 0}, {false, 0}}, 0, 1, true},
                 {{{true, 0}, {false, 0}, {false, 0}}, 1, 1, false},  {{{true, 0}, {false, 0}, {false, 0}}, 6, 1, true},
                 {{{true, 5}, {true, 5}, {true, 5}}, 0, 5, false},    {{{true, 5}, {true, 5}, {true, 5}}, 0, 6, true},
                 {{{true, 5}, {true, 9}, {true, 5}}, 5, 6, false},    {{{false, 9}, {false, 9}, {true, 5}}, 3, 6, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct review_gate gate;
        review_gate_usual(&gate);
        for (int m = 0; m < REVIEW_METRICS; m++) {
            gate.metric[m].enabled = cases[i].metric[m].enabled;
            gate.metric[m].searched_until = cases[i].metric[m].searched_until;
        }
        assert_int_equal(review_unsearched(&gate, cases[i].known, cases[i].image), cases[i].out);
    }
}

/* A metric of the project's own stands behind the published ones, and is asked for like them. */
TEST(another_metric)
{
    struct review_gate gate;
    review_gate_usual(&gate);
    gate.metric[gate.n++] = (struct review_metric){.name = "small", .kind = NEAR_L2, .side = 32, .enabled = true};
    assert_true(review_unsearched(&gate, 7, 1));
    assert_false(review_unsearched(&gate, 8, 1));
}
