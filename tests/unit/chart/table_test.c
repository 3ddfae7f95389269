/* table_test.c - a chart's numbers as table, CSV and JSON: the same rows in all three. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "chart/samples.h"

enum { MEMORY = 1 << 28 };

static void csv_is(const struct chart *c, const char *expected)
{
    struct str out;
    str_init(&out, 1 << 20);
    chart_csv(c, &out);
    assert_string_equal(out.p, expected);
    str_release(&out);
}

static struct chart *named(struct arena *a)
{
    static const char *const names[] = {"a, b", "say \"c\""};
    return chart_new(a,
                     &(struct chart_options){.title = "T",
                                             .x = {.label = "class", .names = names, .n_names = 2},
                                             .y = {.label = "images", .form = CHART_COUNT}});
}

TEST(bars_are_wide)
{
    struct arena a;
    arena_init(&a, MEMORY);
    struct chart *c = named(&a);
    chart_bars(c, "originals", 2, (double[]){1, 0.1});
    chart_intervals(c, 2, (double[]){0, NAN}, (double[]){3, NAN});
    chart_bars(c, "candidates", 2, (double[]){-0.0, NAN});
    csv_is(c, "class,originals,\"originals, low\",\"originals, high\",candidates\r\n"
              "\"a, b\",1,0,3,0\r\n\"say \"\"c\"\"\",0.1,,,\r\n");
    json_t *json = chart_json(c);
    char *text = json_dumps(json_object_get(json, "rows"), JSON_COMPACT);
    assert_string_equal(text, "[[\"a, b\",1,0,3,0],[\"say \\\"c\\\"\",0.10000000000000001,null,"
                              "null,null]]");
    free(text);
    json_decref(json);
    arena_release(&a);
}

TEST(lines_of_the_same_places_are_wide)
{
    struct arena a;
    arena_init(&a, MEMORY);
    struct chart *c =
        chart_new(&a, &(struct chart_options){.x = {.label = "time", .scale = CHART_TIME},
                                              .y = {.label = "n"}});
    double x[] = {0, 60000};
    chart_line(c, "one", 2, x, (double[]){1, 2});
    chart_line(c, "two", 2, x, (double[]){3, 4});
    csv_is(c, "time,one,two\r\n1970-01-01T00:00:00Z,1,3\r\n1970-01-01T00:01:00Z,2,4\r\n");
    chart_line(c, "three", 1, (double[]){1000}, (double[]){5});
    csv_is(c, "series,time,n\r\none,1970-01-01T00:00:00Z,1\r\none,1970-01-01T00:01:00Z,2\r\n"
              "two,1970-01-01T00:00:00Z,3\r\ntwo,1970-01-01T00:01:00Z,4\r\n"
              "three,1970-01-01T00:00:01Z,5\r\n");
    arena_release(&a);
}

TEST(points_have_their_names)
{
    struct arena a;
    arena_init(&a, MEMORY);
    struct chart *c = chart_new(&a, &(struct chart_options){.x = {.label = "old"}});
    const char *labels[] = {"m1", NULL};
    chart_points(c, "models", 2, (double[]){1, 2}, (double[]){3, 4}, labels);
    csv_is(c, "name,old,y\r\nm1,1,3\r\n,2,4\r\n");
    chart_band(c, "fit", 1, (double[]){1}, (double[]){2}, (double[]){3});
    csv_is(c, "series,name,old,y,low,high\r\nmodels,m1,1,3,,\r\nmodels,,2,4,,\r\nfit,,1,,2,3\r\n");
    arena_release(&a);
}

TEST(no_series_no_rows)
{
    struct arena a;
    arena_init(&a, MEMORY);
    struct chart *c = chart_new(&a, &(struct chart_options){.title = "T"});
    csv_is(c, "x,y\r\n");
    json_t *table = chart_table(c);
    assert_true(json_is_false(json_object_get(table, "any")));
    json_decref(table);
    arena_release(&a);
}

TEST(the_table_says_that_there_is_more)
{
    struct arena a;
    arena_init(&a, MEMORY);
    double x[CHART_ROWS + 1];
    for (size_t i = 0; i <= CHART_ROWS; i++) {
        x[i] = (double)i;
    }
    struct chart *c = chart_new(&a, &(struct chart_options){.title = "T"});
    chart_line(c, "l", CHART_ROWS + 1, x, x);
    json_t *table = chart_table(c), *json = chart_json(c);
    assert_int_equal(json_array_size(json_object_get(table, "rows")), CHART_ROWS);
    assert_string_equal(json_string_value(json_object_get(table, "more")),
                        "The first 200 of 201 rows. All are in the CSV and JSON files.");
    assert_int_equal(json_array_size(json_object_get(json, "rows")), CHART_ROWS + 1);
    json_decref(table);
    json_decref(json);
    arena_release(&a);
}

/* As many columns in every row of every form, and numbers right where the head says so. */
TEST(rows_are_whole)
{
    for (size_t i = 0; i < samples_count; i++) {
        struct arena a;
        arena_init(&a, MEMORY);
        json_t *table = chart_table(samples[i].make(&a)), *row;
        json_t *columns = json_object_get(table, "columns");
        size_t at, k;
        json_array_foreach(json_object_get(table, "rows"), at, row)
        {
            json_t *cells = json_object_get(row, "cells"), *cell;
            assert_int_equal(json_array_size(cells), json_array_size(columns));
            json_array_foreach(cells, k, cell)
            {
                assert_int_equal(
                    json_is_true(json_object_get(cell, "number")),
                    json_is_true(json_object_get(json_array_get(columns, k), "number")));
            }
        }
        json_decref(table);
        arena_release(&a);
    }
}
