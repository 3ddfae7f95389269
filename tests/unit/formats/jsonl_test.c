/* jsonl_test.c - formats/jsonl.h. */
#include "unit.h"

#include <string.h>

#include "formats/jsonl.h"

TEST(objects)
{
    struct jsonl j;
    struct err err = {0};
    static const uint64_t lines[] = {1, 4, 5};
    jsonl_open(&j, "t.jsonl", SV("\xef\xbb\xbf{\"n\":0}\r\n\n   \n {\"n\":1} \n{\"n\":2}"));
    for (int i = 0; i < 3; i++) {
        json_t *v = NULL;
        assert_int_equal(jsonl_next(&j, &v, &err), OK);
        assert_non_null(v);
        assert_int_equal(json_integer_value(json_object_get(v, "n")), i);
        assert_int_equal(j.line, lines[i]);
        json_decref(v);
    }
    for (int i = 0; i < 2; i++) {
        json_t *v = json_null();
        assert_int_equal(jsonl_next(&j, &v, &err), OK);
        assert_null(v);
    }
    assert_int_equal(err.code, OK);
}

static void expect_error(struct sv text, const char *want)
{
    struct jsonl j;
    struct err err = {0};
    json_t *v = NULL;
    jsonl_open(&j, "t.jsonl", text);
    assert_int_equal(jsonl_next(&j, &v, &err), ERR_INPUT);
    assert_null(v);
    if (!strstr(err.msg, want)) {
        fail_msg("message \"%s\" lacks \"%s\"", err.msg, want);
    }
}

TEST(refused)
{
    expect_error(SV("\n[1]\n"), "t.jsonl:2: an array; expected one JSON object per line");
    expect_error(SV("3\n"), "t.jsonl:1: a number;");
    expect_error(SV("null\n"), "t.jsonl:1: null;");
    expect_error(SV("{\"a\":1} {\"b\":2}\n"), "t.jsonl:1: ");
    expect_error(SV("{\"a\":\n1}\n"), "t.jsonl:1: ");
    expect_error(SV("{\"a\":1,\"a\":2}\n"), "t.jsonl:1: duplicate object key");
    expect_error(SV("{\"a\":\"\xff\"}\n"), "t.jsonl:1: ");
    expect_error(SV("{\"a\":\"\\u0000\"}\n"), "t.jsonl:1: ");
}
