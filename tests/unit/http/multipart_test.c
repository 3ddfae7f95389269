/* multipart_test.c - multipart/form-data: what browsers send, and every way to break it. */
#include "unit.h"

#include "http/form.h"

#include "base/clock.h"
#include "base/str.h"

#define TYPE "multipart/form-data; boundary=AaB03x"
#define NAMED(n) "--AaB03x\r\nContent-Disposition: form-data; name=\"" n "\"\r\n"
#define END "\r\n--AaB03x--\r\n"

ARENA_TEST(fields_and_files)
{
    static const char body[] =
        NAMED("title") "\r\nHello\r\nworld\r\n"
                       "--AaB03x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a "
                       "b.jpg\"\r\n"
                       "Content-Type: image/jpeg\r\n\r\n\xff\xd8\xff\0--AaB03x\r\n-\r\n" NAMED(
                           "empty") "\r\n" END;
    struct form f;
    struct err err = {0};
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), sv_make(body, sizeof body - 1), &f, &err),
                     OK);
    assert_int_equal(f.n, 3);
    assert_sv(form_get(&f, "title"), "Hello\r\nworld");
    assert_null(f.fields[0].filename.p);
    assert_int_equal(f.fields[1].value.n, 15);
    assert_sv(f.fields[1].filename, "a b.jpg");
    assert_sv(f.fields[1].type, "image/jpeg");
    assert_true(form_has(&f, "empty"));
    assert_sv(form_get(&f, "empty"), "");
}

static enum err_code parse(struct arena *a, const char *type, struct sv body, struct form *f)
{
    return form_multipart(a, sv_of(type), body, f, NULL);
}

ARENA_TEST(boundaries)
{
    static const char *const good[] = {
        TYPE,
        "multipart/form-data;boundary=AaB03x",
        "Multipart/Form-Data ; charset=utf-8 ;\tBOUNDARY=AaB03x",
        "multipart/form-data; boundary=\"AaB03x\"",
        "multipart/form-data; boundary=\"A\\aB03x\"", /* a backslash only escapes quotes */
    };
    static const char *const bad[] = {
        "multipart/form-data",
        "multipart/form-data;",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"AaB03x",
        "multipart/form-data; boundary=AaB03x; boundary=AaB03x",
        "multipart/form-data; boundary=AaB03x boundary",
        "multipart/form-data; boundary=\"AaB03x \"",
        "multipart/form-data; boundary=\"AaB{03x\"",
        "multipart/form-data; boundary",
        "multipart/form-data boundary=AaB03x",
        "multipart/mixed; boundary=AaB03x",
        "multipart/form-data; boundary="
        "0123456789012345678901234567890123456789012345678901234567890123456789x",
    };
    struct sv body = SV("--AaB03x--\r\n");
    struct form f;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(parse(&unit_arena, good[i], body, &f), OK);
    }
    assert_int_equal(parse(&unit_arena, good[4], body, &f), ERR_INPUT);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(parse(&unit_arena, bad[i], body, &f), ERR_INPUT);
    }
    assert_int_equal(
        parse(&unit_arena,
              "multipart/form-data; boundary="
              "0123456789012345678901234567890123456789012345678901234567890123456789",
              SV("--0123456789012345678901234567890123456789012345678901234567890123456789--"), &f),
        OK);
    assert_int_equal(parse(&unit_arena, "multipart/form-data; boundary=\"a 'b()+_,-./:=?\"",
                           SV("--a 'b()+_,-./:=?--"), &f),
                     OK);
}

ARENA_TEST(malformed_bodies_are_refused)
{
#define BAD(text)                                                                                  \
    {                                                                                              \
        "" text, sizeof(text) - 1                                                                  \
    }
    static const struct sv bad[] = {
        BAD(""),
        BAD("--AaB03x"),
        BAD("--AaB03"),
        BAD("--AaB03x\r\n"),
        BAD("--AaB03x-"),
        BAD("--AaB03x--\r"),
        BAD("--AaB03x--\r\n\r\n"),
        BAD("--AaB03x--x"),
        BAD("--AaB03x  \r\n"),
        BAD("\r\n--AaB03x--\r\n"),
        BAD("preamble\r\n" NAMED("a") "\r\n1" END),
        BAD(NAMED("a") "\r\n1"),
        BAD(NAMED("a") "\r\n1\r\n--AaB03x"),
        BAD(NAMED("a") "\r\n1\r\n--AaB03x\n"),
        BAD(NAMED("a") "\r\n1\n--AaB03x--\r\n"),
        BAD(NAMED("a") "\r\n1\r\n--AaB03xx--\r\n"),
        BAD(NAMED("a")),
        BAD("--AaB03x\nContent-Disposition: form-data; name=\"a\"\n\n1\n--AaB03x--\n"),
        BAD("--AaB03x\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Type: text/plain\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data; filename=\"x\"\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data; name=\"a\" x\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data; name=\"a\"; filename=x; "
            "filename=y\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition : form-data; name=\"a\"\r\n\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n\r\n1" END),
        BAD("--AaB03x\r\nno colon\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1" END),
        BAD(NAMED("a") "X: a\rb\r\n\r\n1" END),
        BAD(NAMED("a") "X: a\nb\r\n\r\n1" END),
        BAD(NAMED("a") "X: a\0b\r\n\r\n1" END),
        BAD(NAMED("a") "Content-Disposition: form-data; name=\"a\"\r\n\r\n1" END),
        BAD(NAMED("a") "Content-Type: a/b\r\nContent-Type: a/b\r\n\r\n1" END),
        BAD(NAMED("a") "Content-Transfer-Encoding: base64\r\n\r\nMQ==" END),
        BAD(NAMED("a") "\r\n\xff" END),
        BAD(NAMED("a") "\r\n\0" END),
        BAD(NAMED("\xff") "\r\n1" END),
        BAD("--AaB03x\r\nContent-Disposition: form-data; name=a; "
            "filename=\"\xc0\xaf\"\r\n\r\n1" END),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct form f;
        struct err err = {0};
        if (form_multipart(&unit_arena, SV(TYPE), bad[i], &f, &err) != ERR_INPUT) {
            fail_msg("body %zu was taken: " SV_FMT, i, SV_ARG(bad[i]));
        }
        assert_string_equal(err.rule, "form");
    }
}

/* Every cut of a good body is refused, and none reads behind its end. */
ARENA_TEST(truncated_bodies_are_refused)
{
    static const char body[] = NAMED(
        "a") "\r\n1\r\n"
             "--AaB03x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\\\"y\"\r\n\r\n"
             "\r\n--AaB03\r\n-" END;
    struct form f;
    size_t n = sizeof body - 1;
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), sv_make(body, n), &f, NULL), OK);
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), sv_make(body, n - 2), &f, NULL), OK);
    for (size_t cut = 0; cut < n; cut++) {
        if (cut == n - 2) {
            continue;
        }
        char *copy = malloc(cut + 1); /* exactly as long, for the sanitizer */
        memcpy(copy, body, cut);
        copy = realloc(copy, cut ? cut : 1);
        assert_int_equal(form_multipart(&unit_arena, SV(TYPE), sv_make(copy, cut), &f, NULL), ERR_INPUT);
        free(copy);
    }
}

ARENA_TEST(names_are_unescaped)
{
    static const struct {
        const char *header, *filename;
    } cases[] = {
        {"name=f; filename=\"a\\\"b\"", "a\"b"},
        {"name=f; filename=\"a\\\\b\"", "a\\b"},
        {"name=f; filename=\"C:\\dir\\x.jpg\"", "C:\\dir\\x.jpg"},
        {"name=f; filename=\"a%22b\"", "a%22b"},
        {"name=f; filename=\"semi;colon=x\"", "semi;colon=x"},
        {"name=f; filename=plain.txt", "plain.txt"},
        {"filename=\"first\" ; name=\"f\"", "first"},
        {"name=f; filename=\"\"; filename*=UTF-8''evil", ""},
        {"name=f; filename=\"\xc3\xa9.png\"", "\xc3\xa9.png"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *body =
            arena_printf(&unit_arena, "--AaB03x\r\ncontent-disposition: form-data; %s\r\n\r\n\xff" END,
                         cases[i].header);
        struct form f;
        struct err err = {0};
        assert_int_equal(form_multipart(&unit_arena, SV(TYPE), sv_of(body), &f, &err), OK);
        assert_sv(f.fields[0].filename, cases[i].filename);
        assert_non_null(f.fields[0].filename.p); /* a file, even without a name */
        assert_sv(f.fields[0].name, "f");
    }
}

ARENA_TEST(headers_and_fields_are_limited)
{
    struct str body;
    struct form f;
    struct err err = {0};
    str_init(&body, 1 << 20);
    str_addz(&body, NAMED("a") "X: ");
    for (int i = 0; i < 5000; i++) {
        str_addc(&body, 'x');
    }
    str_addz(&body, "\r\n\r\n1" END);
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), str_sv(&body), &f, &err), ERR_INPUT);
    str_clear(&body);
    str_addz(&body, NAMED("a"));
    for (int i = 0; i < 16; i++) {
        str_addz(&body, "X: y\r\n");
    }
    str_addz(&body, "\r\n1" END);
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), str_sv(&body), &f, NULL), ERR_INPUT);
    str_clear(&body);
    for (int i = 0; i <= FORM_FIELDS; i++) {
        str_addz(&body, NAMED("a") "\r\n1\r\n");
    }
    str_addz(&body, "--AaB03x--");
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), str_sv(&body), &f, NULL), ERR_LIMIT);
    str_release(&body);
}

/* A body of half-boundaries takes no longer than one without: 32 MiB, far below a second each. */
ARENA_TEST(scanning_is_linear)
{
    struct str body;
    struct form f;
    str_init(&body, 40 << 20);
    str_addz(&body, "--AaB03x\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n");
    while (body.n < 32u << 20) {
        str_addz(&body, "\r\n--AaB03\r\n--AaB03\r\r\n--AaB0");
    }
    str_addz(&body, END);
    int64_t start = clock_mono_ns();
    assert_int_equal(form_multipart(&unit_arena, SV(TYPE), str_sv(&body), &f, NULL), OK);
    assert_true(clock_mono_ns() - start < INT64_C(10000000000));
    assert_int_equal(f.n, 1);
    str_release(&body);
}
