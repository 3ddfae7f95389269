/* image_labels_test.c - domain/labels/image_labels.h: matrices of superclasses and pairs of classes, of a few images. */
#include "unit.h"

#include "domain/labels/image_labels.h"

#define NAMES(...) (const uint32_t[]){__VA_ARGS__}

/* Classes 0 and 1 are of superclass 0, 2 and 3 of 1, 4 of none. */
static const struct superclasses superclasses = {NAMES(0, 0, 1, 1, LABEL_NONE), 2};
static const struct image_labels at[] = {
    {0, 0, NAMES(0), 1, 0, 0},     {0, 1, NAMES(1), 1, 0, -1},      {0, 2, NAMES(2, 0), 2, 0, 1},
    {2, 2, NAMES(2, 0), 2, 0, 0},  {2, 3, NAMES(3, 2, 0), 3, 0, 1}, {4, 0, NAMES(0, 4), 2, 0, 1},
    {1, 0, NAMES(0, 3), 2, 0, -1},
};
static const struct image_list images = {at, sizeof at / sizeof *at};

static void expect(const struct superclass_matrix *m, const uint32_t *cells, const uint32_t *rows, uint32_t left_out)
{
    assert_int_equal(m->n, 2);
    assert_memory_equal(m->cells, cells, 4 * sizeof *cells);
    assert_memory_equal(m->images, rows, 2 * sizeof *rows);
    assert_int_equal(m->left_out, left_out);
}

ARENA_TEST(superclasses_taken_for_one_another)
{
    struct superclass_matrix m = superclass_confusion(&superclasses, &images, NULL, &unit_arena);
    expect(&m, NAMES(3, 1, 0, 2), NAMES(4, 2), 1);
    assert_int_equal(m.within[0], 2);
    assert_int_equal(m.within[1], 1);
    /* A model that says 2, nothing at all, or a class without superclass. */
    m = superclass_confusion(&superclasses, &images, NAMES(2, LABEL_NONE, 4, 2, 2, 2, 1), &unit_arena);
    expect(&m, NAMES(1, 1, 0, 2), NAMES(2, 2), 3);
    assert_int_equal(m.within[0], 0);
}

ARENA_TEST(superclasses_that_come_together)
{
    struct superclass_matrix any = superclass_together(&superclasses, &images, false, &unit_arena);
    expect(&any, NAMES(4, 2, 2, 2), NAMES(4, 2), 1);
    /* Without the object that has the set's label, and without images of one object. */
    struct superclass_matrix other = superclass_together(&superclasses, &images, true, &unit_arena);
    expect(&other, NAMES(1, 2, 2, 1), NAMES(4, 2), 1);
    double x[2], y[2];
    assert_int_equal(superclass_shares(&any, &other, x, y), 2);
    assert_true(x[0] == 0.5 && x[1] == 1 && y[0] == 0.5 && y[1] == 1);
    /* A row without images says nothing. */
    struct superclass_matrix few = superclass_together(&superclasses, &(struct image_list){at, 3}, false, &unit_arena);
    assert_int_equal(superclass_shares(&any, &few, x, y), 1);
}

TEST(the_sets_label_elsewhere_than_the_main_object)
{
    uint32_t n = 0;
    for (size_t i = 0; i < images.n; i++) {
        n += label_disagrees(&at[i]);
    }
    assert_int_equal(n, 3);
}

ARENA_TEST(classes_that_come_together)
{
    size_t n;
    struct together_pair *p = pairs_together(&images, 1, &unit_arena, &n);
    assert_int_equal(n, 4);
    assert_memory_equal(&p[0], (&(struct together_pair){0, 2, 3, 6, 3}), sizeof *p);
    assert_memory_equal(&p[1], (&(struct together_pair){0, 3, 2, 6, 2}), sizeof *p);
    assert_memory_equal(&p[2], (&(struct together_pair){0, 4, 1, 6, 1}), sizeof *p);
    assert_memory_equal(&p[3], (&(struct together_pair){2, 3, 1, 3, 2}), sizeof *p);
    pairs_together(&images, 3, &unit_arena, &n);
    assert_int_equal(n, 1);
    pairs_together(&(struct image_list){at, 1}, 1, &unit_arena, &n);
    assert_int_equal(n, 0);
}

ARENA_TEST(classes_called_by_the_others_name)
{
    size_t n;
    struct confused_pair *p = pairs_confused(&images, 1, 0, &unit_arena, &n);
    assert_int_equal(n, 4);
    assert_memory_equal(&p[0], (&(struct confused_pair){0, 1, 3, 1, 1, 1}), sizeof *p);
    assert_memory_equal(&p[1], (&(struct confused_pair){0, 2, 3, 2, 1, 0}), sizeof *p);
    assert_memory_equal(&p[2], (&(struct confused_pair){0, 4, 3, 1, 0, 1}), sizeof *p);
    assert_memory_equal(&p[3], (&(struct confused_pair){2, 3, 2, 0, 1, 0}), sizeof *p);
    pairs_confused(&images, 1, 0.5, &unit_arena, &n); /* 2 of 4, 1 of 2 */
    assert_int_equal(n, 2);
    pairs_confused(&images, 2, 0, &unit_arena, &n);
    assert_int_equal(n, 1);
}

TEST(a_model_on_a_pair)
{
    struct pair_accuracy p = pair_accuracy(1, 2, NAMES(1, 2, 2, 3, LABEL_NONE), NAMES(1, 1, LABEL_NONE, 2, LABEL_NONE), 5);
    assert_int_equal(p.images, 3);
    assert_int_equal(p.correct, 1);
    assert_int_equal(p.in_pair, 2);
}

/* Two images of 0, one of 1, one of 2. */
ARENA_TEST(classes_that_people_find_in_the_images_of_either)
{
    const struct found_label found[] = {
        {0, 0, 8, 8}, {0, 1, 8, 8}, {1, 0, 8, 8}, {1, 1, 4, 8}, {2, 1, 6, 8}, {2, 0, 5, 8},
        {0, 2, 8, 8}, {2, 2, 0, 0}, {3, 2, 8, 8}, {3, 0, 3, 8},
    };
    size_t n;
    struct found_pair *p = pairs_found(NAMES(0, 0, 1, 2), 4, found, 10, 0.5, &unit_arena, &n);
    assert_int_equal(n, 1);
    assert_true(p->a == 0 && p->b == 1 && p->n_a == 2 && p->n_b == 1);
    assert_true(p->a_in_a == 1 && p->b_in_a == 0.75 && p->b_in_b == 0.75 && p->a_in_b == 0.625 && p->asked == 1);
    p = pairs_found(NAMES(0, 0, 1, 2), 4, found, 10, 0.1, &unit_arena, &n);
    assert_int_equal(n, 2);
    assert_true(p[1].a == 0 && p[1].b == 2 && p[1].b_in_a == 0.5 && p[1].a_in_b == 0.375);
    assert_true(p[1].asked > 0.66 && p[1].asked < 0.67);
}
