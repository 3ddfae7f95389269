/* data_test.c - numbers, names and frequencies as texts. */
#include "unit.h"

#include "view/data.h"

static void assert_count(int64_t n, const char *expected)
{
    struct arena a;
    arena_init(&a, 4096);
    assert_string_equal(data_count(&a, n), expected);
    arena_release(&a);
}

TEST(count)
{
    assert_count(0, "0");
    assert_count(7, "7");
    assert_count(999, "999");
    assert_count(1000, "1,000");
    assert_count(12345, "12,345");
    assert_count(123456, "123,456");
    assert_count(1234567, "1,234,567");
    assert_count(-1, "-1");
    assert_count(-123, "-123");
    assert_count(-1234, "-1,234");
    assert_count(-123456, "-123,456");
    assert_count(INT64_MAX, "9,223,372,036,854,775,807");
    assert_count(INT64_MIN, "-9,223,372,036,854,775,808");
}

ARENA_TEST(what_rounds_to_nothing_has_no_minus)
{
    assert_string_equal(data_minus(&unit_arena, "-0.0"), "0.0");
    assert_string_equal(data_minus(&unit_arena, "-0"), "0");
    assert_string_equal(data_minus(&unit_arena, "-0.01"), "\xe2\x88\x92" "0.01");
    assert_string_equal(data_minus(&unit_arena, "0.5"), "0.5");
    assert_string_equal(data_number(&unit_arena, -0.04, 1), "0.0");
    assert_string_equal(data_range(&unit_arena, -1.26, 3, 1), "\xe2\x88\x92" "1.3\xe2\x80\x93" "3.0");
}

ARENA_TEST(what_is_not_known_is_a_dash)
{
    assert_string_equal(data_number(&unit_arena, (double)NAN, 2), "\xe2\x80\x93");
    assert_string_equal(data_number(&unit_arena, 2.345, 0), "2");
}

TEST(frequency)
{
    /* Clopper-Pearson at 95 %: 7 of 10 is [0.3475, 0.9333], 0 of 10 [0, 0.3085]. */
    static const struct {
        int64_t selected, shown;
        double f, lo, hi;
        const char *text;
    } cases[] = {
        {7, 10, 0.7, 0.34754715, 0.93326051, "0.70 (n 10, 0.35\xe2\x80\x93" "0.93)"},
        {0, 10, 0, 0, 0.30849710, "0.00 (n 10, 0.00\xe2\x80\x93" "0.31)"},
        {10, 10, 1, 0.69150290, 1, "1.00 (n 10, 0.69\xe2\x80\x93" "1.00)"},
        {1, 2, 0.5, 0.01257912, 0.98742088, "0.50 (n 2, 0.01\xe2\x80\x93" "0.99)"},
    };
    struct arena a;
    arena_init(&a, 4096);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *f = data_frequency(&a, cases[i].selected, cases[i].shown);
        assert_int_equal(json_integer_value(json_object_get(f, "n")), cases[i].shown);
        assert_int_equal(json_integer_value(json_object_get(f, "selected")), cases[i].selected);
        assert_true(json_real_value(json_object_get(f, "frequency")) == cases[i].f);
        double lo = json_real_value(json_object_get(f, "lo")) - cases[i].lo;
        double hi = json_real_value(json_object_get(f, "hi")) - cases[i].hi;
        assert_true(lo > -1e-7 && lo < 1e-7 && hi > -1e-7 && hi < 1e-7);
        assert_string_equal(json_string_value(json_object_get(f, "text")), cases[i].text);
        json_decref(f);
    }
    arena_release(&a);
}

TEST(frequency_without_answers)
{
    struct arena a;
    arena_init(&a, 4096);
    json_t *f = data_frequency(&a, 0, 0);
    static const char *const empty[] = {"frequency", "lo", "hi"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(json_is_null(json_object_get(f, empty[i])));
    }
    assert_int_equal(json_integer_value(json_object_get(f, "n")), 0);
    assert_string_equal(json_string_value(json_object_get(f, "text")), "no answers");
    json_decref(f);
    arena_release(&a);
}

/* Votes of many images: how many there are, and no interval that would be too narrow. */
TEST(pooled)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    json_t *f = data_pooled(&a, 1200, 2400);
    assert_string_equal(json_string_value(json_object_get(f, "text")), "0.50 (2,400 votes)");
    assert_int_equal(json_integer_value(json_object_get(f, "n")), 2400);
    assert_null(json_object_get(f, "lo"));
    json_decref(f);
    f = data_pooled(&a, 0, 0);
    assert_true(json_is_null(json_object_get(f, "frequency")));
    json_decref(f);
    arena_release(&a);
}

TEST(synset)
{
    struct arena a;
    arena_init(&a, 4096);
    assert_string_equal(data_synset(&a, SV("cat"), ", "), "cat");
    assert_string_equal(data_synset(&a, SV("a|b|c"), ", "), "a, b, c");
    assert_string_equal(data_synset(&a, SV(""), ", "), "");
    arena_release(&a);
}

ARENA_TEST(a_text_in_a_query_stays_one_value)
{
    assert_string_equal(data_in_query(&unit_arena, SV("salt & pepper=50 %#?")), "salt%20%26%20pepper%3D50%20%25%23%3F");
    assert_string_equal(data_in_query(&unit_arena, SV("é")), "%C3%A9");
    assert_string_equal(data_in_query(&unit_arena, SV("")), "");
}
