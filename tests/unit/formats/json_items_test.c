/* json_items_test.c - formats/json_items.h. */
#include "unit.h"

#include <string.h>

#include "formats/json_items.h"

static struct arena arena;

/* All items as compact JSON, names before them; what went wrong instead. */
static const char *items(struct sv text)
{
    struct json_items j;
    struct err err = {0};
    struct sv key;
    json_t *v = NULL;
    const char *all = "";
    enum err_code rc = json_items_open(&j, "t.json", text, &err);
    while (rc == OK && (rc = json_items_next(&j, &arena, &key, &v, &err)) == OK && v) {
        char *one = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
        all = arena_printf(&arena, "%s%d:" SV_FMT "=%s;", all, (int)j.line, SV_ARG(key), one);
        free(one);
        json_decref(v);
    }
    return rc == OK ? all : arena_strdup(&arena, err.msg);
}

TEST(lists_and_objects)
{
    arena_init(&arena, (size_t)1 << 24);
    assert_string_equal(items(SV("\xef\xbb\xbf [1, [2,[3]],\n {\"a\":\"]},\\\"\"} , \"x\" ]\n")), "1:=1;1:=[2,[3]];2:={\"a\":\"]},\\\"\"};2:=\"x\";");
    assert_string_equal(items(SV("{\"a,b\": [1],\n\"c\":\n{}}")), "1:a,b=[1];3:c={};");
    assert_string_equal(items(SV("[]")), "");
    assert_string_equal(items(SV("{ }")), "");
    arena_release(&arena);
}

TEST(what_is_no_such_list)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", "t.json:1: expected a JSON list or object"}, {"7", "t.json:1: expected a JSON list or object"},
        {"[1", "comma or the end"},                       {"[1,", "ends in the middle"},
        {"[1,\n\n[2}]", "t.json:3: "},                    {"[1 2]", "t.json:1: "},
        {"[1]\n[2]", "t.json:2: something follows"},      {"{\"a\" 1}", "t.json:1: "},
        {"{1:2}", "expected a name and a colon"},         {"{\"a\":}", "ends in the middle"},
        {"[{\"a\":1,\"a\":2}]", "duplicate"},             {"[\"a", "t.json:1: "},
        {"[[1]]]", "something follows"},
    };
    arena_init(&arena, (size_t)1 << 24);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = items(sv_of(cases[i].text));
        if (!strstr(got, cases[i].want)) {
            fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].text, got, cases[i].want);
        }
    }
    arena_release(&arena);
}

TEST(an_item_may_not_be_endless)
{
    struct str text;
    arena_init(&arena, (size_t)1 << 26);
    str_init(&text, (size_t)1 << 24);
    str_addz(&text, "[[");
    for (int i = 0; i < JSON_ITEM_MOST; i++) {
        str_addz(&text, "1,");
    }
    assert_non_null(strstr(items(str_sv(&text)), "an item is longer than"));
    str_release(&text);
    arena_release(&arena);
}
