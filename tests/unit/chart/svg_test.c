/* svg_test.c - every form of chart is well-formed, the same bytes for the same input
 * (tests/data/charts, written anew with --write DIR), and stays so for text and numbers that nobody
 * would think of. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "chart/samples.h"
#include "chart/xml.h"

static const char golden[] = "tests/data/charts";

enum { MEMORY = 1 << 28, SIZE_MOST = 300 * 1024, MANY = 250000 };

static struct chart *plain(struct arena *a, struct chart_axis x, struct chart_axis y)
{
    arena_init(a, MEMORY);
    return chart_new(a, &(struct chart_options){
                            .title = "Title", .description = "What one sees.", .x = x, .y = y});
}

static const struct chart_axis numbers;

/* The chart's SVG after a check; released by the caller. */
static struct str drawn(const struct chart *c, struct xml_facts *facts)
{
    struct str out = sample_svg(c, "x");
    *facts = xml_check("chart", str_sv(&out));
    assert_false(out.over);
    assert_null(strstr(out.p, "nan"));
    assert_null(strstr(out.p, "inf"));
    assert_null(strstr(out.p, "\"-0\""));
    return out;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, what)); p++) {
        n++;
    }
    return n;
}

TEST(the_same_bytes_as_ever)
{
    for (size_t i = 0; i < samples_count; i++) {
        struct arena a;
        struct err err = {0};
        arena_init(&a, MEMORY);
        struct str first = sample_svg(samples[i].make(&a), samples[i].name);
        struct str again = sample_svg(samples[i].make(&a), samples[i].name);
        xml_check(samples[i].name, str_sv(&first));
        assert_string_equal(first.p, again.p);
        struct str kept;
        str_init(&kept, 1 << 20);
        const char *path = arena_printf(&a, "%s/%s.svg", golden, samples[i].name);
        if (fs_read(path, &kept, &err)) {
            fail_msg("%s", err.msg);
        }
        if (!sv_eq(str_sv(&kept), str_sv(&first))) {
            fail_msg("%s is drawn otherwise: look at it, then write it with svg_test --write %s",
                     path, golden);
        }
        str_release(&kept);
        str_release(&first);
        str_release(&again);
        arena_release(&a);
    }
}

TEST(text_is_escaped_and_made_valid)
{
    struct arena a;
    arena_init(&a, MEMORY);
    const char *bad[] = {"<script>alert(1)</script>", "a\"b'c&d", "\x01\x02\t\n", "\xff\xfe\xc3",
                         "\xed\xa0\x80 \xef\xbf\xbf", ""};
    struct chart *c =
        chart_new(&a, &(struct chart_options){.title = "]]><b>",
                                              .description = "\xf0\x9f\x90\xb6 & \x0b",
                                              .x = {.label = "</text>", .names = bad, .n_names = 6},
                                              .y = {.label = "\"><"}});
    chart_bars(c, "<&>", 6, (double[]){1, 2, 3, 4, 5, 6});
    chart_bars(c, NULL, 6, (double[]){1, 2, 3, 4, 5, 6});
    chart_rule(c, true, 2, "<rule>");
    struct xml_facts facts;
    struct str svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "&lt;script&gt;"));
    assert_null(strstr(svg.p, "<script"));
    assert_non_null(strstr(svg.p, "\xf0\x9f\x90\xb6"));
    str_release(&svg);
    /* Whatever JSON cannot hold is gone there as well. */
    json_t *table = chart_table(c), *json = chart_json(c);
    assert_non_null(table);
    assert_non_null(json);
    json_decref(table);
    json_decref(json);
    arena_release(&a);
}

TEST(what_is_not_a_number_is_left_out)
{
    struct arena a;
    struct chart *c = plain(&a, numbers, numbers);
    double x[] = {1, NAN, 3, 4, INFINITY, 6, 7}, y[] = {1, 2, NAN, 4, 5, -INFINITY, 1e305};
    chart_points(c, "p", 7, x, y, NULL);
    chart_intervals(c, 7, (double[]){0, 0, 0, NAN, 0, 0, 0}, (double[]){2, 2, 2, 2, 2, 2, 2});
    struct xml_facts facts;
    struct str svg = drawn(c, &facts);
    assert_int_equal(count(svg.p, "class=\"m\""), 2);
    str_release(&svg);
    arena_release(&a);
}

TEST(a_gap_parts_a_line)
{
    struct arena a;
    struct chart *c = plain(&a, numbers, numbers);
    chart_line(c, "l", 5, (double[]){1, 2, 3, 4, 5}, (double[]){1, 2, NAN, 4, 5});
    struct xml_facts facts;
    struct str svg = drawn(c, &facts);
    const char *path = strstr(svg.p, "<path fill=\"none\" stroke-linecap=\"round\" d=\"M");
    assert_non_null(path);
    size_t parts = 0;
    for (const char *p = strstr(path, "d=") + 3; *p != '"'; p++) {
        parts += *p == 'M';
    }
    assert_int_equal(parts, 2);
    str_release(&svg);
    arena_release(&a);
}

TEST(one_point_and_none)
{
    static const double values[] = {0, -0.0, 3, -7e-20, 1e300, -1e300, 5e-324, 1e15};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct arena a;
        struct xml_facts facts;
        struct chart *c = plain(&a, numbers, numbers);
        chart_points(c, "p", 1, &values[i], &values[i], NULL);
        struct str svg = drawn(c, &facts);
        assert_int_equal(count(svg.p, "class=\"m\""), 1);
        str_release(&svg);
        arena_release(&a);
    }
    struct arena a;
    struct xml_facts facts;
    struct chart *c = plain(&a, numbers, numbers);
    chart_line(c, "l", 0, NULL, NULL);
    chart_points(c, "p", 1, (double[]){NAN}, (double[]){1}, NULL);
    struct str svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "There is nothing to show yet."));
    str_release(&svg);
    arena_release(&a);
}

TEST(huge_values_have_an_axis)
{
    struct arena a;
    struct xml_facts facts;
    struct chart *c = plain(&a, numbers, numbers);
    chart_line(c, "l", 2, (double[]){-1e300, 1e300}, (double[]){-1e300, 1e300});
    struct str svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "1e300"));
    str_release(&svg);
    arena_release(&a);
}

TEST(values_without_a_place_are_counted)
{
    struct arena a;
    struct xml_facts facts;
    struct chart_axis logarithmic = {.scale = CHART_LOG}, probit = {.scale = CHART_PROBIT};
    struct chart *c = plain(&a, logarithmic, logarithmic);
    chart_points(c, "p", 4, (double[]){0, 1, 10, 100}, (double[]){1, -1, 10, 100}, NULL);
    struct str svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "2 values have no place on these axes"));
    assert_int_equal(count(svg.p, "class=\"m\""), 2);
    str_release(&svg);
    arena_release(&a);
    c = plain(&a, probit, probit);
    chart_points(c, "p", 3, (double[]){0, 0.5, 1}, (double[]){0.2, 0.5, 0.9}, NULL);
    svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "2 values have no place on these axes"));
    str_release(&svg);
    arena_release(&a);
    c = plain(&a, (struct chart_axis){.lo = 0, .hi = 10}, numbers);
    chart_points(c, "p", 3, (double[]){5, 10, 11}, (double[]){1, 2, 3}, NULL);
    svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "1 value has no place on these axes"));
    str_release(&svg);
    arena_release(&a);
}

/* A generator of its own: the picture must not depend on the C library's. */
static double noise(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 33) / 2147483648.0;
}

static double *many(struct arena *a, uint64_t seed)
{
    double *v = arena_alloc(a, MANY * sizeof *v);
    for (size_t i = 0; i < MANY; i++) {
        v[i] = noise(&seed) + noise(&seed);
    }
    return v;
}

TEST(hundreds_of_thousands_stay_small)
{
    struct arena a;
    struct xml_facts facts;
    struct chart *c = plain(&a, numbers, numbers);
    double *x = many(&a, 1), *y = many(&a, 2);
    chart_points(c, "one", MANY, x, y, NULL);
    chart_points(c, "two", MANY, y, x, NULL);
    struct str svg = drawn(c, &facts);
    assert_true(svg.n < SIZE_MOST);
    assert_non_null(strstr(svg.p, "near each other are drawn as one larger mark"));
    assert_non_null(strstr(svg.p, " points near "));
    str_release(&svg);
    arena_release(&a);

    c = plain(&a, numbers, numbers);
    x = many(&a, 1);
    y = many(&a, 2);
    chart_line(c, "wild", MANY, x, y); /* back and forth: nothing lies on anything */
    svg = drawn(c, &facts);
    assert_true(svg.n < SIZE_MOST);
    str_release(&svg);
    arena_release(&a);
}

/* Thinning a line must not lose the one value that matters. */
TEST(a_thin_line_keeps_its_peak)
{
    struct arena a;
    struct xml_facts facts;
    struct chart *c = plain(&a, numbers, (struct chart_axis){.lo = 0, .hi = 10});
    double *x = arena_alloc(&a, MANY * sizeof *x), *y = arena_calloc(&a, MANY, sizeof *y);
    for (size_t i = 0; i < MANY; i++) {
        x[i] = (double)i;
    }
    y[123456] = 10;
    chart_line(c, "l", MANY, x, y);
    struct str svg = drawn(c, &facts);
    /* The upper edge of the data, which nothing but the peak reaches. */
    const char *clip = strstr(svg.p, "-data\"><rect x=");
    assert_non_null(clip);
    double top = strtod(strstr(clip, " y=\"") + 4, NULL) + 6;
    char peak[32];
    snprintf(peak, sizeof peak, " %gL", top);
    assert_non_null(strstr(svg.p, peak));
    assert_true(svg.n < SIZE_MOST);
    str_release(&svg);
    arena_release(&a);
}

TEST(too_much_is_refused_in_words)
{
    struct arena a;
    struct xml_facts facts;
    const char *names[CHART_BARS + 1];
    double *values;
    struct str svg;
    for (size_t i = 0; i <= CHART_BARS; i++) {
        names[i] = "n";
    }
    struct chart *c =
        plain(&a, (struct chart_axis){.names = names, .n_names = CHART_BARS + 1}, numbers);
    values = arena_calloc(&a, CHART_VALUES + 1, sizeof *values);
    chart_bars(c, "b", CHART_BARS + 1, values);
    svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "too many bars"));
    str_release(&svg);
    struct str csv;
    str_init(&csv, 1 << 20);
    chart_csv(c, &csv);
    assert_int_equal(count(csv.p, "\r\n"), CHART_BARS + 2);
    str_release(&csv);

    c = chart_new(&a, &(struct chart_options){.title = "t"});
    chart_line(c, "l", CHART_VALUES + 1, values, values);
    chart_intervals(c, CHART_VALUES + 1, values, values);
    svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "more than half a million"));
    str_release(&svg);

    c = chart_new(&a, &(struct chart_options){.title = "t"});
    for (int i = 0; i < 9; i++) {
        chart_line(c, arena_printf(&a, "series %d", i), 2, (double[]){0, 1}, (double[]){0, 1});
    }
    svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "more than eight series"));
    str_release(&svg);
    arena_release(&a);
}

TEST(long_labels_are_cut_and_kept)
{
    struct arena a;
    struct xml_facts facts;
    static const char name[] = "a synset of many words, which is longer than any place for it";
    const char *names[] = {name, "short"};
    struct chart *c = plain(&a, (struct chart_axis){.names = names, .n_names = 2},
                            (struct chart_axis){.form = CHART_COUNT});
    chart_bars(c, "b", 2, (double[]){1, 2});
    struct str svg = drawn(c, &facts);
    assert_non_null(strstr(svg.p, "\xe2\x80\xa6</text>"));
    assert_true(count(svg.p, "<title>a synset of many words, which is longer than any place for "
                             "it</title>") >= 1);
    str_release(&svg);
    arena_release(&a);
}

/* Two charts on one page share no id. */
TEST(ids_begin_with_the_charts)
{
    struct arena a;
    arena_init(&a, MEMORY);
    struct str both;
    str_init(&both, 1 << 20);
    str_addz(&both, "<div>");
    chart_svg(samples[0].make(&a), "one", &both);
    chart_svg(samples[0].make(&a), "two", &both);
    str_addz(&both, "</div>");
    xml_check("two charts", str_sv(&both));
    str_release(&both);
    arena_release(&a);
}

TEST(series_of_one_name_are_one)
{
    struct arena a;
    struct xml_facts facts;
    struct chart *c = plain(&a, numbers, numbers);
    chart_band(c, "fit", 2, (double[]){0, 1}, (double[]){0, 0}, (double[]){1, 1});
    chart_line(c, "fit", 2, (double[]){0, 1}, (double[]){0, 1});
    struct str svg = drawn(c, &facts);
    assert_int_equal(count(svg.p, "class=\"c1\""), 2);
    assert_int_equal(count(svg.p, "class=\"c2\""), 0);
    json_t *table = chart_table(c);
    assert_int_equal(json_array_size(json_object_get(table, "series")), 1);
    assert_true(json_is_false(json_object_get(table, "switches")));
    json_decref(table);
    str_release(&svg);
    arena_release(&a);
}

static int write_all(const char *folder)
{
    for (size_t i = 0; i < samples_count; i++) {
        struct arena a;
        struct err err = {0};
        arena_init(&a, MEMORY);
        struct str svg = sample_svg(samples[i].make(&a), samples[i].name);
        const char *path = arena_printf(&a, "%s/%s.svg", folder, samples[i].name);
        if (fs_write_whole(path, svg.p, svg.n, false, &err)) {
            fprintf(stderr, "%s\n", err.msg);
            return 1;
        }
        str_release(&svg);
        arena_release(&a);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        return write_all(argv[2]);
    }
    return unit_run();
}

TEST(cells_are_rows_of_marks)
{
    static const double column[3] = {0.5};
    static const char *names[2];
    struct arena a;
    struct xml_facts facts;
    names[0] = names[1] = "row";
    struct chart *c = plain(&a, (struct chart_axis){.names = names, .n_names = 2}, (struct chart_axis){.form = CHART_PERCENT});
    chart_cells(c, "one", 2, column);
    chart_cells(c, "two", 2, column + 1);
    struct str out = drawn(c, &facts);
    assert_int_equal(count(out.p, "class=\"m\""), 4);
    assert_int_equal(count(out.p, "<g class=\"c1\""), 2);
    assert_non_null(strstr(out.p, "<title>row, one: 50.0 %</title>"));
    json_t *table = chart_table(c);
    assert_int_equal(json_array_size(json_object_get(table, "columns")), 3);
    assert_false(json_is_true(json_object_get(table, "switches")));
    json_decref(table);
    str_release(&out);
    /* One too many: the table has them all the same. */
    for (size_t i = 2; i <= CHART_CELLS; i++) {
        chart_cells(c, "more", 2, column);
    }
    out = drawn(c, &facts);
    assert_non_null(strstr(out.p, "too many cells"));
    str_release(&out);
    arena_release(&a);
}
