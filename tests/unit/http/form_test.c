/* form_test.c - urlencoded forms: what decodes, what is refused, and the limits. */
#include "unit.h"

#include "http/form.h"

#include "base/str.h"

ARENA_TEST(fields_are_decoded)
{
    struct form f;
    struct err err = {0};
    assert_int_equal(
        form_urlencoded(&unit_arena, SV("a=1&b+c=x%20y%2b&&empty=&bare&a=2&u=%C3%A9"), &f, &err), OK);
    assert_int_equal(f.n, 6);
    assert_sv(form_get(&f, "a"), "1");
    assert_sv(form_get(&f, "b c"), "x y+");
    assert_sv(form_get(&f, "empty"), "");
    assert_true(form_has(&f, "empty"));
    assert_true(form_has(&f, "bare"));
    assert_false(form_has(&f, "absent"));
    assert_sv(form_get(&f, "absent"), "");
    assert_sv(f.fields[4].value, "2");
    assert_sv(form_get(&f, "u"), "\xc3\xa9");
    assert_int_equal(f.fields[0].filename.n, 0);
    assert_int_equal(err.code, OK);
}

ARENA_TEST(an_empty_body_is_an_empty_form)
{
    struct form f;
    assert_int_equal(form_urlencoded(&unit_arena, SV(""), &f, NULL), OK);
    assert_int_equal(f.n, 0);
}

ARENA_TEST(a_value_may_hold_an_equals_sign)
{
    struct form f;
    assert_int_equal(form_urlencoded(&unit_arena, SV("q=a=b=c&=v"), &f, NULL), OK);
    assert_sv(form_get(&f, "q"), "a=b=c");
    assert_sv(form_get(&f, ""), "v");
}

ARENA_TEST(broken_text_is_refused)
{
    static const char *const bodies[] = {
        "a=%",      "a=%4",  "a=%4g",     "a=%g4",       "%=1",    "a=%00",         "a=%ff",
        "a=%c0%af", "%ff=1", "a=1&b=%zz", "a=%ed%a0%80", "a=\xff", "a=%f5%80%80%80"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct form f;
        struct err err = {0};
        assert_int_equal(form_urlencoded(&unit_arena, sv_of(bodies[i]), &f, &err), ERR_INPUT);
        assert_string_equal(err.rule, "form");
    }
}

ARENA_TEST(the_number_of_fields_is_limited)
{
    struct str body;
    struct form f;
    str_init(&body, 1 << 20);
    for (int i = 0; i < FORM_FIELDS; i++) {
        str_printf(&body, "f%d=%d&", i, i);
    }
    assert_int_equal(form_urlencoded(&unit_arena, str_sv(&body), &f, NULL), OK);
    assert_int_equal(f.n, FORM_FIELDS);
    for (int i = 0; i < FORM_FIELDS; i++) {
        char name[16], value[16];
        snprintf(name, sizeof name, "f%d", i);
        snprintf(value, sizeof value, "%d", i);
        assert_sv(form_get(&f, name), value);
    }
    assert_false(form_has(&f, "f"));
    assert_false(form_has(&f, "f4096"));
    str_addz(&body, "one=more");
    struct err err = {0};
    assert_int_equal(form_urlencoded(&unit_arena, str_sv(&body), &f, &err), ERR_LIMIT);
    str_release(&body);
}

/* Of two with one name it is the first, however many fields there are. */
ARENA_TEST(the_first_of_a_name_counts)
{
    for (int n = 1; n <= 1024; n *= 2) {
        struct str body;
        struct form f;
        str_init(&body, 1 << 20);
        for (int i = 0; i < 2 * n; i++) {
            str_printf(&body, "%sf%d=%d", i ? "&" : "", i % n, i);
        }
        assert_int_equal(form_urlencoded(&unit_arena, str_sv(&body), &f, NULL), OK);
        assert_int_equal(f.n, 2 * n);
        for (int i = 0; i < n; i++) {
            char name[16], value[16];
            snprintf(name, sizeof name, "f%d", i);
            snprintf(value, sizeof value, "%d", i);
            assert_sv(form_get(&f, name), value);
        }
        assert_false(form_has(&f, "absent"));
        str_release(&body);
    }
}

ARENA_TEST(the_content_type_chooses)
{
    struct form f;
    struct err err = {0};
    assert_int_equal(form_parse(&unit_arena, SV("Application/X-WWW-Form-Urlencoded; charset=UTF-8"),
                                SV("a=1"), &f, &err),
                     OK);
    assert_sv(form_get(&f, "a"), "1");
    assert_int_equal(
        form_parse(&unit_arena, SV("multipart/form-data; boundary=x"), SV("--x--"), &f, &err), OK);
    assert_int_equal(f.n, 0);
    assert_int_equal(form_parse(&unit_arena, SV("application/json"), SV("{}"), &f, &err), ERR_INPUT);
    assert_string_equal(err.rule, "content-type");
    err_clear(&err);
    assert_int_equal(form_parse(&unit_arena, SV(""), SV("a=1"), &f, &err), ERR_INPUT);
}

ARENA_TEST(decoding_follows_the_plus_flag)
{
    struct sv out;
    assert_true(form_decode(&unit_arena, SV("a+b%2Bc"), false, &out));
    assert_sv(out, "a+b+c");
    assert_true(form_decode(&unit_arena, SV("a+b%2Bc"), true, &out));
    assert_sv(out, "a b+c");
    assert_true(form_decode(&unit_arena, SV("%41%5a%7A"), false, &out));
    assert_sv(out, "AZz");
    assert_true(form_decode(&unit_arena, SV("%00"), false, &out));
    assert_int_equal(out.n, 1);
    assert_false(form_decode(&unit_arena, SV("abc%4"), false, &out));
    assert_false(form_decode(&unit_arena, SV("%%41"), false, &out));
    assert_false(form_decode(&unit_arena, SV("% 41"), false, &out));
}
