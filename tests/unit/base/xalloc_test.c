/* xalloc_test.c - sizes from outside are refused, arrays grow and keep their content. */
#include "unit.h"

#include "base/xalloc.h"

TEST(checked_sizes)
{
    struct err err = {0};
    void *p = NULL;
    assert_int_equal(xalloc_checked(100, 10, 1000, "image", &p, &err), OK);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(((unsigned char *)p)[i], 0);
    }
    free(p);
    p = NULL;
    assert_int_equal(xalloc_checked(101, 10, 1000, "image", &p, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "image is too large"));
    assert_null(p);
    err_clear(&err);
    assert_int_equal(xalloc_checked(SIZE_MAX / 2, 4, SIZE_MAX, "image", &p, &err), ERR_LIMIT);
    assert_null(p);
    assert_int_equal(xalloc_checked(0, 10, 0, "nothing", &p, NULL), OK);
    assert_non_null(p);
    free(p);
}

TEST(arrays_grow)
{
    uint32_t *items = NULL;
    size_t cap = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        xgrow(&items, &cap, i + 1, sizeof *items);
        items[i] = i;
    }
    assert_in_range(cap, 5000, 16384);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(items[i], i);
    }
    uint32_t *before = items;
    xgrow(&items, &cap, 10, sizeof *items);
    assert_ptr_equal(items, before);
    free(items);
}

TEST(texts_are_copied)
{
    char text[] = "abc";
    char *copy = xstrdup(text);
    text[0] = 'x';
    assert_string_equal(copy, "abc");
    copy = xrealloc(copy, 100);
    assert_string_equal(copy, "abc");
    free(copy);
    free(xmalloc(0));
}
