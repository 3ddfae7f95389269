/* sv_test.c - comparing, cutting, numbers and UTF-8. */
#include "unit.h"

#include "base/sv.h"

TEST(comparing)
{
    assert_true(sv_eq(sv_make(NULL, 0), SV("")));
    assert_false(sv_eq(SV("a"), SV("ab")));
    assert_true(sv_is(SV("a\0b"), "a") == false);
    assert_true(sv_eq_nocase(SV("Content-TYPE"), "content-type"));
    assert_false(sv_eq_nocase(SV("a"), "ab"));
    assert_true(sv_starts(SV("abc"), "ab") && sv_starts(SV("abc"), "") && !sv_starts(SV("a"), "ab"));
    assert_true(sv_ends(SV("abc"), "bc") && sv_ends(SV(""), "") && !sv_ends(SV("c"), "bc"));
    assert_true(sv_is_word(SV("aZ-0"), "-") && sv_is_word(SV("n_1.b"), "_."));
    assert_true(!sv_is_word(SV(""), "-") && !sv_is_word(SV("a.b"), "-_") && !sv_is_word(SV("a\0b"), "-") && !sv_is_word(SV("\xc3\xa9"), "-"));
    assert_true(sv_cmp(SV("a"), SV("b")) < 0 && sv_cmp(SV("b"), SV("a")) > 0);
    assert_true(sv_cmp(SV("a"), SV("ab")) < 0 && sv_cmp(SV("ab"), SV("ab")) == 0);
    assert_true(sv_cmp(SV("\x7f"), SV("\xc3")) < 0); /* bytes, not signed characters */
    assert_int_equal(sv_of(NULL).n, 0);
    assert_true(sv_is(sv_trim(SV(" \t a b\r\n")), "a b"));
    assert_int_equal(sv_trim(SV(" \n")).n, 0);
    assert_true(sv_is(sv_unmarked(SV("\xef\xbb\xbf{}")), "{}"));
    assert_true(sv_is(sv_unmarked(SV("{}\xef\xbb\xbf")), "{}\xef\xbb\xbf"));
    assert_true(sv_is(sv_unmarked(SV("\xef\xbb")), "\xef\xbb"));
}

TEST(cutting)
{
    static const char *const parts[] = {"a", "", "bc", ""};
    struct sv rest = SV("a,,bc,");
    size_t n = 0;
    while (rest.p) {
        assert_true(n < 4);
        assert_true(sv_is(sv_cut(&rest, ','), parts[n++]));
    }
    assert_int_equal(n, 4);
    rest = SV("");
    assert_int_equal(sv_cut(&rest, ',').n, 0);
    assert_null(rest.p);
}

TEST(whole_numbers)
{
    int64_t v = 5;
    assert_true(sv_i64(SV("9223372036854775807"), &v) && v == INT64_MAX);
    assert_true(sv_i64(SV("-9223372036854775808"), &v) && v == INT64_MIN);
    assert_true(sv_i64(SV("+12"), &v) && v == 12);
    assert_true(sv_i64(SV("-0"), &v) && v == 0);
    static const char *const wrong[] = {"",   "-",   "+",     "1 ", " 1", "1.0", "0x1", "--1", "1e3",
                                        "1_", "9223372036854775808", "-9223372036854775809"};
    v = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(sv_i64(sv_of(wrong[i]), &v));
    }
    assert_false(sv_i64(SV("1\0"), &v));
    assert_int_equal(v, 5);
    uint64_t h = 5;
    assert_true(sv_hex64(SV("ffffFFFFffffFFFF"), &h) && h == UINT64_MAX);
    assert_true(sv_hex64(SV("0a"), &h) && h == 10);
    assert_false(sv_hex64(SV(""), &h) || sv_hex64(SV("00000000000000001"), &h) ||
                 sv_hex64(SV("0x1"), &h) || sv_hex64(SV("g"), &h) || sv_hex64(SV("-1"), &h));
    assert_int_equal(h, 10);
}

TEST(real_numbers)
{
    double d = 5;
    assert_true(sv_f64(SV("0.1"), &d) && d == 0.1);
    assert_true(sv_f64(SV("-1e-3"), &d) && d == -0.001);
    assert_true(sv_f64(SV(".5"), &d) && d == 0.5);
    assert_true(sv_f64(SV("1."), &d) && d == 1);
    assert_true(sv_f64(SV("0.30000000000000004"), &d) && d == 0.30000000000000004);
    static const char *const wrong[] = {"",    "nan", "inf", "-inf", "0x1p3", "1e999", "1,5",
                                        " 1",  "1 ",  ".",   "-",    "e5",    "1e",    "1e5x",
                                        "infinity"};
    d = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(sv_f64(sv_of(wrong[i]), &d));
    }
    assert_false(sv_f64(SV("1\0002"), &d));
    char zeros[100];
    memset(zeros, '0', sizeof zeros);
    assert_false(sv_f64(sv_make(zeros, sizeof zeros), &d));
    assert_true(d == 5);
}

TEST(utf8)
{
    static const char *const right[] = {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                        "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"};
    static const char *const wrong[] = {
        "\x80",             /* a continuation alone */
        "\xc3",             /* cut */
        "\xe2\x82",         /* cut */
        "\xc0\xaf",         /* overlong */
        "\xe0\x80\xaf",     /* overlong */
        "\xf0\x80\x80\xaf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* above U+10FFFF */
        "\xf8\x88\x80\x80\x80", "\xff", "a\xc3(", "\xe2(\xac"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(sv_utf8(sv_of(right[i])));
        assert_int_equal(sv_utf8_first(sv_of(right[i])), i == 1 ? 1 : strlen(right[i]));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(sv_utf8(sv_of(wrong[i])));
    }
    assert_false(sv_utf8(SV("a\0b")));
    assert_int_equal(sv_utf8_whole(SV("a\xe2\x82\xac" "b")).n, 5);
    assert_int_equal(sv_utf8_whole(SV("a\xe2\x82")).n, 1);
    assert_int_equal(sv_utf8_whole(SV("\xac")).n, 0);
    assert_int_equal(sv_utf8_whole(SV("")).n, 0);
    char exact[2] = {'\xe2', '\x82'}; /* nothing behind the end is read */
    assert_int_equal(sv_utf8_first(sv_make(exact, 2)), 0);
}
