/* class_tree_test.c - trees of graphs drawn by hand: parents far from the roots, chains left out, ways in circles. */
#include "unit.h"

#include "base/arena.h"
#include "domain/classes/class_tree.h"

#define NONE CLASS_TREE_NONE

/* 0 root - 1 animal - 2 carnivore (a chain below 1: 3) - 4 dog, 5 cat; 6 domestic, below 1, has 4 too; 7 tool below 0. */
TEST(deepest_parent_and_chains)
{
    static const bool is_class[9] = {[4] = true, [5] = true, [7] = true, [8] = true};
    static const struct class_tree_edge edges[] = {{1, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 3}, {6, 1}, {4, 6}, {7, 0}, {8, 6}};
    struct arena a;
    arena_init(&a, 1 << 20);
    const struct class_tree t = class_tree_make(is_class, 9, edges, sizeof edges / sizeof *edges, &a);
    assert_int_equal(t.parent[4], 3); /* not 6, which is nearer to the root */
    assert_int_equal(t.parent[5], 3);
    assert_int_equal(t.parent[3], 1); /* 2 does not branch */
    assert_int_equal(t.parent[8], 1); /* nor does 6, which has lost 4 */
    assert_int_equal(t.parent[7], 0);
    assert_int_equal(t.parent[0], NONE);
    assert_int_equal(t.level[4], 3);
    assert_int_equal(t.level[8], 2);
    assert_int_equal(t.level[7], 1);
    assert_int_equal(t.levels, 4);
    assert_int_equal(class_tree_at(&t, 4, 0), 0);
    assert_int_equal(class_tree_at(&t, 4, 1), 1);
    assert_int_equal(class_tree_at(&t, 4, 2), 3);
    assert_int_equal(class_tree_at(&t, 4, 9), 4);
    assert_int_equal(class_tree_at(&t, 7, 2), 7);
    arena_release(&a);
}

/* A class above another one branches by itself; of parents as deep the lower one counts. */
TEST(classes_above_classes_and_ties)
{
    static const bool is_class[4] = {false, true, false, true};
    static const struct class_tree_edge edges[] = {{1, 0}, {2, 0}, {3, 2}, {3, 1}};
    struct arena a;
    arena_init(&a, 1 << 20);
    const struct class_tree t = class_tree_make(is_class, 4, edges, 4, &a);
    assert_int_equal(t.parent[3], 1);
    assert_int_equal(t.level[3], 2);
    arena_release(&a);
}

TEST(circles_lead_nowhere)
{
    static const bool is_class[4] = {true, true, true, true};
    static const struct class_tree_edge edges[] = {{0, 1}, {1, 2}, {2, 0}, {3, 3}, {3, 0}};
    struct arena a;
    arena_init(&a, 1 << 20);
    const struct class_tree t = class_tree_make(is_class, 4, edges, 5, &a);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(t.level[i] < 4); /* it ends */
        assert_true(t.level[class_tree_at(&t, i, 0)] == 0);
    }
    const struct class_tree none = class_tree_make(is_class, 0, edges, 0, &a);
    assert_int_equal(none.levels, 0);
    arena_release(&a);
}

