/* list_test.c - slots are zeroed, contents survive growing. */
#include "unit.h"

#include "base/list.h"

TEST(grows)
{
    struct arena arena;
    arena_init(&arena, 1 << 20);
    struct list list = {0};
    for (int64_t i = 0; i < 1000; i++) {
        int64_t *slot = list_add(&list, &arena, sizeof *slot);
        assert_int_equal(*slot, 0);
        *slot = i * i;
    }
    const int64_t *items = list.items;
    assert_int_equal(list.n, 1000);
    for (int64_t i = 0; i < 1000; i++) {
        assert_int_equal(items[i], i * i);
    }
    arena_release(&arena);
}
