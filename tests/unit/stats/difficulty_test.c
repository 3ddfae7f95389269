/* difficulty_test.c - solutions put back into both equations, and worlds whose truth is known. */
#include "unit.h"

#include <math.h>

#include "stats/difficulty.h"

TEST(every_solution_gives_the_same_line)
{
    const struct line l = {.n = 60, .slope = 0.97, .offset = -0.33, .slope_error = 0.01, .offset_error = 0.02, .mean_x = 0.7};
    for (double spread = 0; spread <= 4; spread += 0.25) {
        struct difficulty_solution s;
        assert_true(difficulty_solve(&l, spread, &s));
        double scale = sqrt(s.spread_new * s.spread_new + 1);
        assert_true(fabs(sqrt(spread * spread + 1) / scale - l.slope) < 1e-12);
        assert_true(fabs(-s.shift / scale - l.offset) < 1e-12);
        assert_true(s.shift_range.lo < s.shift && s.shift < s.shift_range.hi);
        assert_true(s.spread_range.lo <= s.spread_new && s.spread_new <= s.spread_range.hi);
    }
}

TEST(a_steep_line_needs_a_spread)
{
    const struct line l = {.n = 60, .slope = 1.25, .offset = -0.3};
    struct difficulty_solution s;
    assert_false(difficulty_solve(&l, 0.7, &s));
    assert_true(difficulty_solve(&l, 0.75, &s) && fabs(s.spread_new) < 1e-6);
    const struct line falls = {.n = 60, .slope = -1, .offset = 0}, few = {.n = 2, .slope = 1, .offset = 0};
    assert_false(difficulty_solve(&falls, 1, &s) || difficulty_solve(&few, 1, &s));
}

/* Told the true spread of the originals, the equations give back the other two. */
TEST(a_known_world_is_found_again)
{
    const struct difficulty_world w = {.models = 30, .images = 20000, .spread_original = 1, .spread_new = 1.3, .shift = 0.4, .seed = 7};
    struct line l, again;
    struct difficulty_solution s;
    assert_true(difficulty_simulate(&w, &l) && difficulty_simulate(&w, &again));
    assert_true(l.slope == again.slope && l.offset == again.offset);
    assert_true(difficulty_solve(&l, w.spread_original, &s));
    assert_true(fabs(s.spread_new - w.spread_new) < 0.06 && fabs(s.shift - w.shift) < 0.06);
    const struct difficulty_world blank = {.models = 5, .images = 1, .seed = 1};
    assert_false(difficulty_simulate(&blank, &l));
}
