/* page_data_test.c - classes, tiles and terms as pages show them. */
#include "unit.h"

#include "web/core/page_data.h"

TEST(class)
{
    struct arena a;
    struct class_info k = {.id = 3, .cid = 7, .wnid = SV("n01"), .synset = SV("cat|true cat"),
                           .gloss = SV("feline"), .wikipedia = SV("https://a|javascript:alert(1)|data:text/html,x|"
                                           "ftp://c|//d|https://b")};
    arena_init(&a, 4096);
    json_t *j = data_class(&a, &k), *pages = json_object_get(j, "wikipedia");
    assert_string_equal(json_string_value(json_object_get(j, "synset")), "cat or true cat");
    assert_string_equal(json_string_value(json_object_get(j, "url")), "/classes/n01");
    assert_int_equal(json_integer_value(json_object_get(j, "cid")), 7);
    assert_int_equal(json_array_size(pages), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(pages, 1), "url")),
                        "https://b");
    json_decref(j);
    k.wikipedia = SV("");
    j = data_class(&a, &k);
    assert_int_equal(json_array_size(json_object_get(j, "wikipedia")), 0);
    json_decref(j);
    arena_release(&a);
}

TEST(tiles_and_terms)
{
    json_t *list = json_array();
    data_tile(list, "Grids", "7", NULL);
    data_tile(list, "Answers", "7", "of 9");
    data_term(list, "Rule", "Look.");
    assert_int_equal(json_array_size(list), 3);
    assert_true(json_is_null(json_object_get(json_array_get(list, 0), "note")));
    assert_true(json_is_null(json_object_get(json_array_get(list, 0), "unit")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "note")), "of 9");
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 2), "term")), "Rule");
    json_decref(list);
}
