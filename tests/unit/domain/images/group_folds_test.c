/* Groups by shared words, also through chains; folds that no group straddles and that have their share of every cell. */
#include "unit.h"

#include "domain/images/group_folds.h"

TEST(images_that_share_a_word_are_one_group)
{
    struct arena a;
    size_t n_groups;
    const struct group_ties ties[] = {
        {{SV("ann"), SV(""), SV("x")}},    {{SV("bob"), SV(""), SV("")}}, {{SV(""), SV("photo-1"), SV("")}},
        {{SV("ann"), SV("photo-2"), SV("")}}, {{SV(""), SV(""), SV("")}},  {{SV("bob"), SV("photo-1"), SV("")}},
        {{SV(""), SV(""), SV("")}},        {{SV("photo-2"), SV(""), SV("")}}, {{SV("eve"), SV(""), SV("x")}},
    };
    static const uint32_t wanted[] = {0, 1, 1, 0, 2, 1, 3, 4, 0};
    arena_init(&a, 1 << 20);
    uint32_t *groups = group_ties_join(ties, 9, &a, &n_groups);
    assert_int_equal(n_groups, 5);
    assert_memory_equal(groups, wanted, sizeof wanted);
    group_ties_join(ties, 0, &a, &n_groups);
    assert_int_equal(n_groups, 0);
    arena_release(&a);
}

enum { N = 600, CELLS = 20, FOLDS = 5 };

/* Every tenth group has ten images, the others one. */
static size_t make_members(struct group_member *m)
{
    uint32_t group = 0, left = 10;
    for (uint32_t i = 0; i < N; i++) {
        m[i] = (struct group_member){group, i % CELLS};
        if (--left == 0) {
            group++;
            left = group % 10 == 0 ? 10 : 1;
        }
    }
    return group + 1;
}

TEST(folds_are_even_in_every_cell_and_keep_groups_together)
{
    struct arena a;
    struct group_member m[N];
    uint32_t cells[FOLDS][CELLS] = {{0}};
    uint8_t of_group[N];
    struct rng one, same, other;
    size_t n_groups = make_members(m), differ = 0;
    arena_init(&a, 1 << 20);
    rng_seed(&one, 7);
    rng_seed(&same, 7);
    rng_seed(&other, 8);
    uint8_t *folds = group_folds(m, N, n_groups, CELLS, FOLDS, &one, &a);
    uint8_t *others = group_folds(m, N, n_groups, CELLS, FOLDS, &other, &a);
    assert_memory_equal(folds, group_folds(m, N, n_groups, CELLS, FOLDS, &same, &a), N);
    memset(of_group, FOLDS, sizeof of_group);
    for (size_t i = 0; i < N; i++) {
        uint8_t *seen = &of_group[m[i].group];
        assert_true(*seen == FOLDS || *seen == folds[i]);
        *seen = folds[i];
        cells[folds[i]][m[i].cell]++;
        differ += folds[i] != others[i];
    }
    for (size_t f = 0; f < FOLDS; f++) {
        for (size_t c = 0; c < CELLS; c++) { /* 30 images a cell */
            assert_in_range(cells[f][c], 5, 7);
        }
    }
    assert_true(differ > N / 4);
    arena_release(&a);
}

