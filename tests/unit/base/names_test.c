/* names_test.c - base/names.h. */
#include "unit.h"

#include "base/names.h"

static void expect_ranks(const char *const *texts, size_t n, const uint32_t *want)
{
    struct names l;
    uint32_t rank[8];
    names_init(&l);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(names_put(&l, sv_of(texts[i])), i);
    }
    names_rank(&l, rank);
    assert_memory_equal(rank, want, n * sizeof *want);
    names_release(&l);
}

TEST(texts_have_the_numbers_in_which_they_come)
{
    struct names l;
    char text[] = "owl";
    names_init(&l);
    assert_int_equal(names_get(&l, SV("owl")), MAP_NONE);
    assert_int_equal(names_put(&l, sv_of(text)), 0);
    text[0] = 'x'; /* it was copied */
    assert_int_equal(names_put(&l, SV("cat")), 1);
    assert_int_equal(names_put(&l, SV("owl")), 0);
    assert_int_equal(names_get(&l, SV("cat")), 1);
    assert_int_equal(l.n, 2);
    assert_sv(l.at[0], "owl");
    names_release(&l);
    assert_int_equal(l.n, 0);
}

TEST(numbers_are_in_the_order_of_numbers_and_texts_in_that_of_bytes)
{
    expect_ranks((const char *const[]){"10", "9", "-1", "09"}, 4, (const uint32_t[]){3, 2, 0, 1});
    expect_ranks((const char *const[]){"10", "9", "a"}, 3, (const uint32_t[]){0, 1, 2});
    expect_ranks((const char *const[]){"n02", "n01", "B", "a"}, 4, (const uint32_t[]){3, 2, 0, 1});
}
