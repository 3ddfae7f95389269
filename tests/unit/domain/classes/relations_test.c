/* relations_test.c - domain/classes/relations.h: words, and whose images may show a class. */
#include "unit.h"

#include "domain/classes/relations.h"

enum { SHARK = 1, TIGER_SHARK, HAMMERHEAD, MAILLOT, TANK_SUIT, SUNGLASS, SUNGLASSES, BIKINI };

static const struct relation_pair pairs[] = {
    {SHARK, TIGER_SHARK, RELATION_CONTAINS},
    {SHARK, HAMMERHEAD, RELATION_CONTAINS},
    {TIGER_SHARK, HAMMERHEAD, RELATION_CONFUSABLE},
    {MAILLOT, TANK_SUIT, RELATION_EQUAL},
    {BIKINI, MAILLOT, RELATION_CONTAINS},
    {SUNGLASS, SUNGLASSES, RELATION_REDEFINED},
};

static void is(struct arena *a, int64_t of, const char *expected)
{
    size_t n;
    char text[64] = "";
    const int64_t *list = relations_overlapping(pairs, sizeof pairs / sizeof *pairs, of, a, &n);
    for (size_t i = 0; i < n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d ", (int)list[i]);
        assert_true(relations_has(list, n, list[i]));
    }
    assert_string_equal(text, expected);
    assert_false(relations_has(list, n, 99));
}

ARENA_TEST(images_that_may_show_a_class)
{
    struct arena *a = &unit_arena;
    is(a, SHARK, "1 2 3 ");
    is(a, TIGER_SHARK, "1 2 "); /* its sibling's images show the shark, not it; what is confused is no matter */
    is(a, TANK_SUIT, "4 5 8 ");
    is(a, BIKINI, "4 5 8 ");
    is(a, SUNGLASSES, "6 7 ");
    is(a, SUNGLASS, "6 7 ");
    is(a, 77, "77 ");
}

TEST(words)
{
    for (int k = 0; k < RELATIONS; k++) {
        assert_int_equal(relation_of(sv_of(relation_words[k])), k);
    }
    assert_int_equal(relation_of(SV("Equal")), RELATIONS);
    assert_true(relation_directed(RELATION_CONTAINS) && !relation_directed(RELATION_EQUAL));
}
