/* assets_test.c - the built-in files are those of the source tree; public names follow content. */
#include "unit.h"

#include "base/assets.h"

TEST(the_table_is_sorted_and_found)
{
    assert_true(assets_count > 0);
    for (size_t i = 0; i < assets_count; i++) {
        assert_ptr_equal(asset_find(assets[i].name), &assets[i]);
        assert_int_equal(assets[i].data[assets[i].n], 0);
        assert_true(i == 0 || strcmp(assets[i - 1].name, assets[i].name) < 0);
    }
    assert_null(asset_find(""));
    assert_null(asset_find("migrations"));
    assert_null(asset_find("zzz"));
}

TEST(content_is_that_of_the_file)
{
    struct str file;
    struct err err = {0};
    const struct asset *a = asset_find("migrations/0001_foundation.sql");
    assert_non_null(a);
    str_init(&file, 1 << 20);
    assert_int_equal(fs_read(a->name, &file, &err), OK);
    assert_int_equal(file.n, a->n);
    assert_memory_equal(file.p, a->data, a->n);
    str_release(&file);
}

TEST(public_names_follow_content)
{
    /* The upper half of FNV-1a 64 of "foobar" is 85944171. */
    static const struct {
        const char *name, *public_name;
    } cases[] = {{"static/css/tokens.css", "css/tokens.85944171.css"},
                 {"static/a.b/c", "a.b/c.85944171"},
                 {"static/x.min.js", "x.min.85944171.js"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct asset a = {cases[i].name, (const unsigned char *)"foobar", 6};
        struct str out;
        str_init(&out, 256);
        assert_string_equal(asset_public_name(&a, &out), cases[i].public_name);
        a.n = 5;
        str_clear(&out);
        assert_string_not_equal(asset_public_name(&a, &out), cases[i].public_name);
        str_release(&out);
    }
}
