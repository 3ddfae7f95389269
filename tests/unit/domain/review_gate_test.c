/* review_gate_test.c - which distances let an image into a set. */
#include "unit.h"

#include <math.h>

#include "domain/review_gate.h"

TEST(gate)
{
    const double clear[] = {REVIEW_CLEAR, REVIEW_CLEAR, REVIEW_CLEAR};
    assert_true(review_passes(clear, review_targets));
    for (int m = 0; m < REVIEW_METRICS; m++) {
        double d[] = {REVIEW_CLEAR, REVIEW_CLEAR, REVIEW_CLEAR};
        d[m] = nextafter(review_targets[m], HUGE_VAL);
        assert_true(review_passes(d, review_targets));
        d[m] = review_targets[m]; /* equal is too near */
        assert_false(review_passes(d, review_targets));
        d[m] = REVIEW_NEVER;
        assert_false(review_passes(d, review_targets));
        d[m] = NAN;
        assert_false(review_passes(d, review_targets));
    }
}

/* A metric that is enabled must have searched the image, or have come after it with a declaration. */
TEST(unsearched)
{
    const struct {
        struct review_gate gate;
        unsigned known;
        int64_t image;
        bool out;
    } cases[] = {{{{{false, false, 0}, {false, false, 0}, {false, false, 0}}}, 0, 1, false},
                 {{{{true, false, 0}, {false, false, 0}, {false, false, 0}}}, 0, 1, true},
                 {{{{true, false, 0}, {false, false, 0}, {false, false, 0}}}, 1, 1, false},
                 {{{{true, false, 0}, {false, false, 0}, {false, false, 0}}}, 6, 1, true},
                 {{{{true, true, 5}, {true, true, 5}, {true, true, 5}}}, 0, 5, false},
                 {{{{true, true, 5}, {true, true, 5}, {true, true, 5}}}, 0, 6, true},
                 {{{{true, true, 5}, {true, true, 9}, {true, true, 5}}}, 5, 6, false},
                 {{{{false, true, 9}, {false, true, 9}, {true, true, 5}}}, 3, 6, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(review_unsearched(&cases[i].gate, cases[i].known, cases[i].image), cases[i].out);
    }
}
