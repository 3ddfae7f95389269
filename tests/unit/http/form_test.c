/* form_test.c - urlencoded forms: what decodes, what is refused, and the limits. */
#include "http/form.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/str.h"

static int set_up(void **state)
{
    static struct arena a;
    arena_init(&a, 16 << 20);
    *state = &a;
    return 0;
}

static int tear_down(void **state)
{
    arena_release(*state);
    return 0;
}

static void check_sv(struct sv got, const char *want)
{
    if (!sv_is(got, want)) {
        fail_msg("got \"" SV_FMT "\", want \"%s\"", SV_ARG(got), want);
    }
}

static void fields_are_decoded(void **state)
{
    struct form f;
    struct err err = {0};
    assert_int_equal(
        form_urlencoded(*state, SV("a=1&b+c=x%20y%2b&&empty=&bare&a=2&u=%C3%A9"), &f, &err), OK);
    assert_int_equal(f.n, 6);
    check_sv(form_get(&f, "a"), "1");
    check_sv(form_get(&f, "b c"), "x y+");
    check_sv(form_get(&f, "empty"), "");
    assert_true(form_has(&f, "empty"));
    assert_true(form_has(&f, "bare"));
    assert_false(form_has(&f, "absent"));
    check_sv(form_get(&f, "absent"), "");
    check_sv(f.fields[4].value, "2");
    check_sv(form_get(&f, "u"), "\xc3\xa9");
    assert_int_equal(f.fields[0].filename.n, 0);
    assert_int_equal(err.code, OK);
}

static void an_empty_body_is_an_empty_form(void **state)
{
    struct form f;
    assert_int_equal(form_urlencoded(*state, SV(""), &f, NULL), OK);
    assert_int_equal(f.n, 0);
}

static void a_value_may_hold_an_equals_sign(void **state)
{
    struct form f;
    assert_int_equal(form_urlencoded(*state, SV("q=a=b=c&=v"), &f, NULL), OK);
    check_sv(form_get(&f, "q"), "a=b=c");
    check_sv(form_get(&f, ""), "v");
}

static void broken_text_is_refused(void **state)
{
    static const char *const bodies[] = {
        "a=%",      "a=%4",  "a=%4g",     "a=%g4",       "%=1",    "a=%00",         "a=%ff",
        "a=%c0%af", "%ff=1", "a=1&b=%zz", "a=%ed%a0%80", "a=\xff", "a=%f5%80%80%80"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct form f;
        struct err err = {0};
        assert_int_equal(form_urlencoded(*state, sv_of(bodies[i]), &f, &err), ERR_INPUT);
        assert_string_equal(err.rule, "form");
    }
}

static void the_number_of_fields_is_limited(void **state)
{
    struct str body;
    struct form f;
    str_init(&body, 1 << 20);
    for (int i = 0; i < FORM_FIELDS; i++) {
        str_printf(&body, "f%d=%d&", i, i);
    }
    assert_int_equal(form_urlencoded(*state, str_sv(&body), &f, NULL), OK);
    assert_int_equal(f.n, FORM_FIELDS);
    for (int i = 0; i < FORM_FIELDS; i++) {
        char name[16], value[16];
        snprintf(name, sizeof name, "f%d", i);
        snprintf(value, sizeof value, "%d", i);
        check_sv(form_get(&f, name), value);
    }
    assert_false(form_has(&f, "f"));
    assert_false(form_has(&f, "f4096"));
    str_addz(&body, "one=more");
    struct err err = {0};
    assert_int_equal(form_urlencoded(*state, str_sv(&body), &f, &err), ERR_LIMIT);
    str_release(&body);
}

/* Of two with one name it is the first, however many fields there are. */
static void the_first_of_a_name_counts(void **state)
{
    for (int n = 1; n <= 1024; n *= 2) {
        struct str body;
        struct form f;
        str_init(&body, 1 << 20);
        for (int i = 0; i < 2 * n; i++) {
            str_printf(&body, "%sf%d=%d", i ? "&" : "", i % n, i);
        }
        assert_int_equal(form_urlencoded(*state, str_sv(&body), &f, NULL), OK);
        assert_int_equal(f.n, 2 * n);
        for (int i = 0; i < n; i++) {
            char name[16], value[16];
            snprintf(name, sizeof name, "f%d", i);
            snprintf(value, sizeof value, "%d", i);
            check_sv(form_get(&f, name), value);
        }
        assert_false(form_has(&f, "absent"));
        str_release(&body);
    }
}

static void the_content_type_chooses(void **state)
{
    struct form f;
    struct err err = {0};
    assert_int_equal(form_parse(*state, SV("Application/X-WWW-Form-Urlencoded; charset=UTF-8"),
                                SV("a=1"), &f, &err),
                     OK);
    check_sv(form_get(&f, "a"), "1");
    assert_int_equal(
        form_parse(*state, SV("multipart/form-data; boundary=x"), SV("--x--"), &f, &err), OK);
    assert_int_equal(f.n, 0);
    assert_int_equal(form_parse(*state, SV("application/json"), SV("{}"), &f, &err), ERR_INPUT);
    assert_string_equal(err.rule, "content-type");
    err_clear(&err);
    assert_int_equal(form_parse(*state, SV(""), SV("a=1"), &f, &err), ERR_INPUT);
}

static void decoding_follows_the_plus_flag(void **state)
{
    struct sv out;
    assert_true(form_decode(*state, SV("a+b%2Bc"), false, &out));
    check_sv(out, "a+b+c");
    assert_true(form_decode(*state, SV("a+b%2Bc"), true, &out));
    check_sv(out, "a b+c");
    assert_true(form_decode(*state, SV("%41%5a%7A"), false, &out));
    check_sv(out, "AZz");
    assert_true(form_decode(*state, SV("%00"), false, &out));
    assert_int_equal(out.n, 1);
    assert_false(form_decode(*state, SV("abc%4"), false, &out));
    assert_false(form_decode(*state, SV("%%41"), false, &out));
    assert_false(form_decode(*state, SV("% 41"), false, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fields_are_decoded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_body_is_an_empty_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_value_may_hold_an_equals_sign, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_text_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_of_a_name_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_number_of_fields_is_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_content_type_chooses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(decoding_follows_the_plus_flag, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
