/* object_test.c - objects field by field: kinds and order of what is written, and what makes none of it. */
#include "unit.h"

#include "json/object.h"

#include <math.h>
#include <stdlib.h>

static void written(json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(value);
}

TEST(fields_keep_kind_and_order)
{
    written(object(field_text("z", "text"), field_text("none", NULL), field_sv("part", sv_make("part of", 4)),
                   field_sv("no bytes", (struct sv){0}), field_int("int", INT64_MIN), field_count("count", 3),
                   field_real("real", 0.5), field_bool("yes", 2 > 1), field_bool("no", false), field_null("null"),
                   field_json("object", object(field_int("a", 1)))),
            "{\"z\":\"text\",\"none\":null,\"part\":\"part\",\"no bytes\":\"\",\"int\":-9223372036854775808,"
            "\"count\":3,\"real\":0.5,\"yes\":true,\"no\":false,\"null\":null,\"object\":{\"a\":1}}");
}

TEST(of_two_fields_of_one_name_the_last_counts)
{
    written(object(field_int("a", 1), field_int("a", 2)), "{\"a\":2}");
}

TEST(lists)
{
    json_t *rows = json_array();
    object_add(rows, field_int("n", 1));
    object_add(rows, field_int("n", 2), field_bool("last", true));
    written(rows, "[{\"n\":1},{\"n\":2,\"last\":true}]");
    written(list(json_integer(1), object(field_null("a"))), "[1,{\"a\":null}]");
}

ARENA_TEST(compact_text_is_kept)
{
    assert_sv(json_compact(object(field_text("z", "\xc3\xa9"), field_int("a", 2)), 0, &unit_arena), "{\"z\":\"\xc3\xa9\",\"a\":2}");
    assert_string_equal(json_compact(object(field_int("z", 1), field_real("a", 0.1)), JSON_SORT_KEYS | JSON_REAL_PRECISION(3), &unit_arena).p,
                        "{\"a\":0.1,\"z\":1}");
}

/* A part that could not be made refuses the whole and is not lost: the rest belongs to nobody any more. */
TEST(what_cannot_be_made_refuses_the_whole)
{
    json_t *kept = json_object();
    assert_null(object(field_text("text", "\xff"), field_json("kept", json_incref(kept))));
    assert_null(object(field_json("kept", json_incref(kept)), field_json("missing", NULL)));
    assert_null(object(field_real("real", (double)INFINITY)));
    assert_null(list(json_incref(kept), NULL));
    assert_int_equal(kept->refcount, 1);
    json_t *rows = json_array();
    assert_int_equal(object_add(rows, field_sv("text", sv_make("\xc3", 1))), -1);
    assert_int_equal(json_array_size(rows), 0);
    json_decref(rows);
    json_decref(kept);
}
