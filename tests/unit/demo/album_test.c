/* album_test.c - the planned images have search terms of their class, more than one of each. */
#include "unit.h"

#include "demo/album.h"

/* Whether one is of the class: one of its words, or its only word with what it is behind it. */
static bool of_class(const struct world_class *k, struct sv keyword)
{
    struct sv words = sv_of(k->words), first = sv_cut(&words, '|');
    bool found = words.n == 0 && keyword.n > first.n && sv_starts(keyword, k->words) &&
                 keyword.p[first.n] == ' ';
    for (words = sv_of(k->words); words.n > 0;) {
        found = sv_eq(sv_cut(&words, '|'), keyword) || found;
    }
    return found;
}

TEST(keywords)
{
    struct arena a;
    arena_init(&a, 64 << 20);
    const struct world_size *size = world_size("full");
    struct album al = album_plan(size, 3, &a), again = album_plan(size, 3, &a);
    unsigned first[WORLD_CLASSES][SETS] = {{0}}, all[WORLD_CLASSES][SETS] = {{0}},
             of_set[SETS] = {0};
    for (size_t i = 0; i < al.n; i++) {
        const struct picture *p = &al.pictures[i];
        const struct world_class *k = &world_classes[p->wish.class_index];
        struct sv words = sv_of(k->words);
        assert_true(of_class(k, sv_of(p->keyword)));
        assert_string_equal(p->keyword, again.pictures[i].keyword);
        bool is_first = sv_eq(sv_cut(&words, '|'), sv_of(p->keyword));
        first[p->wish.class_index][p->set] += is_first;
        all[p->wish.class_index][p->set]++;
        of_set[p->set] += is_first;
    }
    for (int k = 0; k < WORLD_CLASSES; k++) {
        for (int s = SET_ORIGINAL; s <= SET_CANDIDATE; s++) {
            assert_true(first[k][s] > 0 && first[k][s] < all[k][s]);
        }
    }
    /* Originals were found by the first term more often than candidates. */
    assert_true(of_set[SET_ORIGINAL] * size->candidate > of_set[SET_CANDIDATE] * size->original);
    arena_release(&a);
}
