/* class_stats_test.c - sums per class and role, and a class's images by frequency. */
#include "unit.h"

#include "temp_project.h"
#include "web/class_stats.h"
#include "world.h"

static const enum cell_role roles[4] = {CELL_CANDIDATE, CELL_CANDIDATE, CELL_POSITIVE,
                                        CELL_NEGATIVE};

struct scene {
    struct temp_project *t;
    struct tally *tally;
    int64_t cat, dog, images[8], campaign, grid[3];
};

/* Two grids of class cat, one of class dog between them. */
static void make_scene(struct scene *s, struct temp_project *t)
{
    struct campaign k = world_terms("main");
    *s = (struct scene){.t = t, .tally = tally_new(), .cat = world_class(t->db, 1),
                        .dog = world_class(t->db, 2)};
    s->campaign = world_campaign(t->db, &k);
    for (unsigned i = 0; i < 8; i++) {
        s->images[i] = world_image(t->db, i, s->cat, "candidate");
    }
    s->grid[0] = world_grid_roles(t->db, s->campaign, s->cat, s->images, roles, 4, "");
    s->grid[1] = world_grid_roles(t->db, s->campaign, s->dog, s->images + 2, roles, 4, "");
    s->grid[2] = world_grid_roles(t->db, s->campaign, s->cat, s->images + 4, roles, 4, "");
    assert_int_equal(tally_fold(s->tally, t->db, &t->err), OK);
}

static void vote(struct scene *s, int grid, uint64_t mask)
{
    world_vote(s->t->db, s->campaign, s->grid[grid], mask, false);
    assert_int_equal(tally_fold(s->tally, s->t->db, &s->t->err), OK);
}

static void test_nothing(void **state)
{
    struct temp_project *t = *state;
    struct tally *tally = tally_new();
    size_t n = 9;
    class_sums(tally, &t->arena, &n);
    assert_int_equal(n, 0);
    assert_null(class_sum_find(NULL, 0, 1));
    class_pairs(tally, 1, &t->arena, &n);
    assert_int_equal(n, 0);
    tally_free(tally);
}

static void test_sums(void **state)
{
    struct scene s;
    size_t n;
    make_scene(&s, *state);
    vote(&s, 0, 0x5); /* first candidate and the positive control */
    vote(&s, 2, 0x3); /* both candidates */
    vote(&s, 1, 0x8); /* class dog: the negative control */
    const struct class_sum *sums = class_sums(s.tally, &s.t->arena, &n);
    assert_int_equal(n, 2);
    const struct class_sum *cat = class_sum_find(sums, n, s.cat);
    const struct class_sum *dog = class_sum_find(sums, n, s.dog);
    assert_null(class_sum_find(sums, n, s.dog + 1));
    assert_int_equal(cat->images[CELL_CANDIDATE], 4);
    assert_int_equal(cat->shown[CELL_CANDIDATE], 4);
    assert_int_equal(cat->selected[CELL_CANDIDATE], 3);
    assert_int_equal(cat->selected[CELL_POSITIVE], 1);
    assert_int_equal(cat->shown[CELL_POSITIVE], 2);
    assert_int_equal(cat->selected[CELL_NEGATIVE], 0);
    assert_int_equal(dog->selected[CELL_NEGATIVE], 1);
    assert_int_equal(dog->images[CELL_NEGATIVE], 1);
    assert_int_equal(dog->shown[CELL_GOLD], 0);
    tally_free(s.tally);
}

/* By frequency, then by answers, both falling, then by image; without answers at the end. */
static void test_pairs_by_frequency(void **state)
{
    struct scene s;
    size_t n;
    make_scene(&s, *state);
    vote(&s, 0, 0x3); /* images 0 and 1: 1 of 1; 2 and 3: 0 of 1 */
    vote(&s, 2, 0x3); /* 4 and 5 */
    vote(&s, 2, 0x5); /* 4 and 6: 4 is 2 of 2, 5 and 6 are 1 of 2, 7 is 0 of 2 */
    static const int order[] = {4, 0, 1, 5, 6, 7, 2, 3};
    const struct tally_pair *pairs = class_pairs(s.tally, s.cat, &s.t->arena, &n);
    assert_int_equal(n, 8);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(pairs[i].image, s.images[order[i]]);
    }
    pairs = class_pairs(s.tally, s.dog, &s.t->arena, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) { /* no answers at all: by image */
        assert_int_equal(pairs[i].image, s.images[2 + i]);
        assert_int_equal(pairs[i].shown, 0);
    }
    tally_free(s.tally);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, temp_project_open, temp_project_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nothing), TEST(test_sums), TEST(test_pairs_by_frequency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
