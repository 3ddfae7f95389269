/* form_test.c - numbers and times as people and programs read them. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "chart/form.h"

#define MINUS "\xe2\x88\x92"

static void is(enum chart_form form, double v, const char *expected)
{
    struct chart_axis axis = {.form = form};
    char text[FORM_TEXT];
    form_value(&axis, v, text);
    assert_string_equal(text, expected);
}

TEST(values_for_people)
{
    is(CHART_NUMBER, 0, "0");
    is(CHART_NUMBER, -0.0, "0");
    is(CHART_NUMBER, 1234567, "1,234,567");
    is(CHART_NUMBER, -1234.5, MINUS "1,234");
    is(CHART_NUMBER, 12.3456, "12.35");
    is(CHART_NUMBER, 0.012345, "0.01235");
    is(CHART_NUMBER, 0.5, "0.5");
    is(CHART_NUMBER, 9.9999, "10");
    is(CHART_NUMBER, -1.5e20, MINUS "1.5e20");
    is(CHART_NUMBER, 2.5e-9, "2.5e-9");
    is(CHART_NUMBER, 1e300, "1e300");
    is(CHART_COUNT, 12345, "12,345");
    is(CHART_COUNT, 2.5, "2.5");
    is(CHART_COUNT, 1e6, "1,000,000");
    is(CHART_SHARE, 0.734, "0.73");
    is(CHART_SHARE, 1, "1.00");
    is(CHART_SHARE, -0.001, "0.00");
    is(CHART_PERCENT, 0.4125, "41.2 %");
    is(CHART_PERCENT, 1, "100.0 %");
    is(CHART_PERCENT, -0.05, MINUS "5.0 %");
}

TEST(ticks)
{
    char text[FORM_TEXT];
    form_tick(CHART_NUMBER, 0.30000000000000004, 0.1, text);
    assert_string_equal(text, "0.3");
    form_tick(CHART_NUMBER, 1.5, 0.25, text);
    assert_string_equal(text, "1.50");
    form_tick(CHART_NUMBER, -1e-17, 0.1, text);
    assert_string_equal(text, "0.0");
    form_tick(CHART_COUNT, 150000, 50000, text);
    assert_string_equal(text, "150,000");
    form_tick(CHART_PERCENT, 0.725, 0.025, text);
    assert_string_equal(text, "72.5 %");
    form_tick(CHART_PERCENT, 0.7, 0.1, text);
    assert_string_equal(text, "70 %");
    form_tick(CHART_NUMBER, 2e15, 1e15, text);
    assert_string_equal(text, "2e15");
}

TEST(raw_reads_back)
{
    static const double values[] = {0.1, 1.0 / 3, 1e-300, 123456789.123, -2.5, 5e-324, 1e15, 0.7};
    char text[FORM_TEXT];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        form_raw(values[i], text);
        assert_true(strtod(text, NULL) == values[i]);
    }
    form_raw(0.1, text);
    assert_string_equal(text, "0.1");
    form_raw(-0.0, text);
    assert_string_equal(text, "0");
}

TEST(the_calendar)
{
    char text[FORM_TEXT];
    struct chart_axis axis = {.scale = CHART_TIME};
    form_iso(0, text);
    assert_string_equal(text, "1970-01-01T00:00:00Z");
    form_iso(951782399000.0, text);
    assert_string_equal(text, "2000-02-28T23:59:59Z");
    form_iso(951868799999.0, text);
    assert_string_equal(text, "2000-02-29T23:59:59Z");
    form_iso(-1000, text);
    assert_string_equal(text, "1969-12-31T23:59:59Z");
    form_value(&axis, 1714730400000.0, text);
    assert_string_equal(text, "2024-05-03 10:00");
    form_value(&axis, 1714730405000.0, text);
    assert_string_equal(text, "2024-05-03 10:00:05");
    /* Against the C library, a day at a time over five centuries. */
    for (int64_t day = -90000; day < 90000; day += 13) {
        time_t t = (time_t)day * 86400 + 3661;
        struct tm tm;
        assert_non_null(gmtime_r(&t, &tm));
        struct form_date d = form_date_of((double)t * 1000);
        assert_int_equal(d.year, tm.tm_year + 1900);
        assert_int_equal(d.month, tm.tm_mon + 1);
        assert_int_equal(d.day, tm.tm_mday);
        assert_int_equal(d.hour * 3600 + d.minute * 60 + d.second, 3661);
        assert_true(form_date_ms(d.year, d.month, d.day) == (double)day * 86400e3);
    }
}
