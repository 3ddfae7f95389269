/* image_numbers_test.c - the figure of how many of something images have: shares of each series, what is beyond the last bar. */
#include "unit.h"

#include <string.h>

#include "figures/figures.h"

/* A cell of the chart's rows, which are its numbers from 0. */
static double cell(const json_t *chart, size_t row, const char *column)
{
    const json_t *names = json_object_get(chart, "columns");
    for (size_t i = 0; i < json_array_size(names); i++) {
        if (strcmp(json_string_value(json_array_get(names, i)), column) == 0) {
            return json_number_value(json_array_get(json_array_get(json_object_get(chart, "rows"), row), i));
        }
    }
    fail_msg("no column %s", column);
    return 0;
}

ARENA_TEST(each_series_is_shared_out_by_itself)
{
    const struct histogram_row objects[] = {{1, 3}, {2, 1}}, labels[] = {{1, 1}, {3, 1}};
    const struct figure_numbers of[] = {{"Objects", objects, 2}, {"Labels", labels, 2}};
    const struct figure_text text = {.title = "t", .description = "d"};
    json_t *got = chart_json(figure_numbers(&unit_arena, &text, "Number", of, 2));
    assert_int_equal(json_array_size(json_object_get(got, "rows")), 4);
    assert_true(cell(got, 1, "Objects") == 0.75 && cell(got, 2, "Objects") == 0.25 && cell(got, 3, "Objects") == 0);
    assert_true(cell(got, 0, "Labels") == 0 && cell(got, 1, "Labels") == 0.5 && cell(got, 3, "Labels") == 0.5);
    json_decref(got);
}

ARENA_TEST(large_numbers_are_one_bar)
{
    const struct histogram_row rows[] = {{5, 1}, {FIGURE_NUMBERS_MOST, 1}, {90, 1}, {1000, 1}};
    const struct figure_numbers of = {"Images", rows, 4};
    const struct figure_text text = {.title = "t", .description = "d"}, none = {.title = "t", .description = "d", .empty = "Nothing."};
    json_t *got = chart_json(figure_numbers(&unit_arena, &text, "Number", &of, 1));
    assert_int_equal(json_array_size(json_object_get(got, "rows")), FIGURE_NUMBERS_MOST + 1);
    assert_true(cell(got, 5, "Images") == 0.25 && cell(got, FIGURE_NUMBERS_MOST, "Images") == 0.75);
    json_decref(got);
    got = chart_json(figure_numbers(&unit_arena, &none, "Number", &of, 0));
    assert_int_equal(json_array_size(json_object_get(got, "rows")), 0);
    json_decref(got);
}
