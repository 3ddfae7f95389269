/* str_test.c - growth, the maximum, numbers, taking the bytes. */
#include "unit.h"

#include "base/str.h"

TEST(pieces_add_up)
{
    struct str s;
    str_init(&s, 1 << 20);
    assert_string_equal(str_sv(&s).p, "");
    str_addz(&s, "a");
    str_addc(&s, 'b');
    str_addsv(&s, SV("cd"));
    str_addsv(&s, sv_make(NULL, 0));
    str_add(&s, "\0e", 2);
    str_printf(&s, "%03d", 7);
    assert_int_equal(s.n, 9);
    assert_memory_equal(s.p, "abcd\0e007", 10);
    for (int i = 0; i < 10000; i++) {
        str_addz(&s, "0123456789");
    }
    assert_int_equal(s.n, 100009);
    assert_int_equal(s.p[s.n], 0);
    assert_false(s.over);
    str_clear(&s);
    assert_string_equal(s.p, "");
    str_release(&s);
    assert_null(s.p);
    assert_int_equal(s.max, 1 << 20);
}

TEST(numbers_to_both_ends)
{
    static const struct {
        int64_t v;
        const char *text;
    } cases[] = {{0, "0"},
                 {-1, "-1"},
                 {1234567890, "1234567890"},
                 {INT64_MAX, "9223372036854775807"},
                 {INT64_MIN, "-9223372036854775808"}};
    struct str s;
    str_init(&s, 100);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        str_clear(&s);
        str_addi(&s, cases[i].v);
        assert_string_equal(s.p, cases[i].text);
    }
    str_release(&s);
}

TEST(the_maximum_drops_whole_pieces)
{
    struct str s;
    struct err err = {0};
    str_init(&s, 10);
    str_addz(&s, "0123456789");
    assert_int_equal(str_check(&s, "text", &err), OK);
    str_addc(&s, 'x');
    assert_true(s.over);
    assert_string_equal(s.p, "0123456789");
    assert_int_equal(str_check(&s, "text", &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "text is larger than the limit of 10 bytes"));
    str_clear(&s);
    assert_false(s.over);
    str_addz(&s, "12345678");
    str_printf(&s, "%d", 123);
    str_addc(&s, '9'); /* would fit, but something before it is missing */
    assert_true(s.over);
    assert_string_equal(s.p, "12345678");
    str_release(&s);
}

TEST(taken_bytes_belong_to_the_caller)
{
    struct str s;
    size_t n = 99;
    str_init(&s, 10);
    char *p = str_take(&s, &n);
    assert_string_equal(p, "");
    assert_int_equal(n, 0);
    free(p);
    str_addz(&s, "abc");
    p = str_take(&s, &n);
    assert_int_equal(n, 3);
    str_addz(&s, "xyz");
    assert_string_equal(p, "abc");
    assert_string_equal(s.p, "xyz");
    free(p);
    str_release(&s);
}
