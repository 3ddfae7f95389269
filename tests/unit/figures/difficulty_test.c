/* difficulty_test.c - the figure of all solutions: bands without an end are cut, what has no solution is not drawn. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "figures/figures.h"

enum { SERIES, NAME, X, Y, LO, HI };

/* Whether the series has a value there: of the line, or of the band. */
static bool drawn(const json_t *rows, const char *series, double x, size_t column)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *one = json_array_get(rows, i);
        const char *name = json_string_value(json_array_get(one, SERIES));
        if (name && strcmp(name, series) == 0 && json_number_value(json_array_get(one, X)) == x &&
            json_is_number(json_array_get(one, column))) {
            return true;
        }
    }
    return false;
}

ARENA_TEST(a_band_without_an_end_is_cut)
{
    /* Four models whose slope may well be 0: every spread of the new set is possible. */
    const struct line l = {.n = 4, .slope = 1.1, .offset = -0.2, .slope_error = 0.5, .offset_error = 0.3, .mean_x = 0.8};
    const struct figure_text text = {.title = "t", .description = "d"};
    struct difficulty_row rows[DIFFICULTY_ROWS];
    difficulty_curve(&l, rows);
    assert_true(isnan(rows[0].spread_new) && isnan(rows[10].spread_new_hi) && isfinite(rows[10].spread_new));
    const struct difficulty_row marked = difficulty_row_of(&l, 1, "Assumed"), none = difficulty_row_of(&l, 0, "Assumed");
    json_t *got = chart_json(figure_difficulty(&unit_arena, &text, rows, DIFFICULTY_ROWS, &marked));
    const json_t *all = json_object_get(got, "rows");
    assert_false(drawn(all, "Spread of the new set", 0, Y) || drawn(all, "Spread of the new set", 0, HI));
    assert_true(drawn(all, "Spread of the new set", 1, Y) && drawn(all, "Spread of the new set", 1, HI));
    assert_true(drawn(all, "Assumed", 1, Y));
    json_decref(got);
    got = chart_json(figure_difficulty(&unit_arena, &text, rows, DIFFICULTY_ROWS, &none));
    assert_false(drawn(json_object_get(got, "rows"), "Assumed", 0, Y));
    json_decref(got);
}
