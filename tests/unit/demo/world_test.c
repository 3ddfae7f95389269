/* world_test.c - the table of classes hangs together. */
#include "unit.h"

#include "demo/world.h"

TEST(classes)
{
    unsigned small = 0;
    for (unsigned i = 0; i < WORLD_CLASSES; i++) {
        const struct world_class *k = &world_classes[i];
        int64_t offset;
        assert_int_equal(strlen(k->wnid), 9);
        assert_true(k->wnid[0] == 'n' && sv_i64(sv_of(k->wnid + 1), &offset));
        assert_true(i == 0 || strcmp(world_classes[i - 1].wnid, k->wnid) < 0);
        assert_int_equal(world_find(sv_of(k->wnid)), (int)i);
        assert_true(*k->words && *k->gloss && *k->page && k->emoji[0]);
        small += k->small;
    }
    assert_int_equal(small, WORLD_SMALL);
    assert_int_equal(world_find(SV("n00000001")), -1);
}

/* Round about in a group, past everybody once. */
TEST(next)
{
    for (unsigned i = 0; i < WORLD_CLASSES * 2; i++) {
        unsigned own = i / 2, n = 0, at = own;
        bool only_small = i % 2 == 1;
        if (only_small && !world_classes[own].small) {
            continue;
        }
        do {
            at = world_next(at, only_small);
            assert_int_equal(world_classes[at].group, world_classes[own].group);
            assert_true(!only_small || world_classes[at].small);
            n++;
        } while (at != own && n < WORLD_CLASSES);
        assert_int_equal(at, own);
        assert_true(n > 1); /* everybody has somebody to be confused with */
    }
}

TEST(sizes)
{
    assert_non_null(world_size("full"));
    assert_true(world_size("small")->small && world_size("tiny")->small);
    assert_null(world_size(""));
    assert_null(world_size("huge"));
}
