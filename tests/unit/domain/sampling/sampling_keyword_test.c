/* sampling_keyword_test.c - sub-classes in the proportions of the originals: rounding and its ties, the
 * most common keywords, classes apart and together. */
#include "unit.h"

#include <string.h>

#include "domain/sampling/sampling.h"

enum { MOST = 600 };

struct pool {
    struct arena a;
    struct sample_image images[MOST];
    struct sample_input in;
    struct sample_rules rules;
    struct sample_plan plan;
};

static void pool_init(struct pool *p, uint32_t n_classes, uint32_t size)
{
    *p = (struct pool){.rules = sample_rules_usual(SAMPLE_KEYWORD)};
    p->in = (struct sample_input){.images = p->images, .n_classes = n_classes};
    p->rules.size = size;
    p->rules.answers_least = 0; /* nobody votes */
    arena_init(&p->a, 1 << 20);
}

static struct sample_image *add(struct pool *p, bool original, uint32_t n, uint32_t class_index,
                                uint32_t keyword)
{
    struct sample_image *first = &p->images[p->in.n_images];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = (uint32_t)p->in.n_images++;
        assert_true(i < MOST);
        p->images[i] = (struct sample_image){.image = i, .rank = i, .class_index = class_index,
                                             .keyword = keyword, .original = original};
    }
    return first;
}

static void plan(struct pool *p)
{
    struct err err = {0};
    if (sample_plan(&p->in, &p->rules, &p->a, &p->plan, &err) != OK) {
        fail_msg("%s", err.msg);
    }
}

/* Targets of all cells, in order. */
static void assert_targets(const struct pool *p, const uint32_t *expected, size_t n)
{
    assert_int_equal(p->plan.n_cells, n);
    for (size_t k = 0; k < n; k++) {
        assert_int_equal(p->plan.cells[k].target, expected[k]);
    }
}

#define TARGETS(p, ...)                                                                            \
    assert_targets(p, (const uint32_t[]){__VA_ARGS__},                                             \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

TEST(rounding)
{
    struct pool p;
    pool_init(&p, 1, 10);
    add(&p, false, 1, 0, 5);
    add(&p, true, 6, 0, 5);
    add(&p, true, 5, 0, 2);
    add(&p, true, 4, 0, 9);
    plan(&p);
    assert_int_equal(p.plan.cells[0].bin, 2);
    assert_int_equal(p.plan.cells[2].bin, 9);
    TARGETS(&p, 3, 4, 3); /* 3.33, 4, 2.67: the largest fraction first */
    /* Equal fractions: the keyword with more originals, then the one that comes first. */
    p.rules.size = 1;
    add(&p, true, 1, 0, 2);
    plan(&p);
    TARGETS(&p, 1, 0, 0); /* .375, .375, .25 */
    p.rules.size = 8;
    plan(&p);
    TARGETS(&p, 3, 3, 2); /* nothing is left */
    add(&p, true, 24, 0, 11);
    p.rules.size = 2; /* of 40: .3, .3, .2, 1.2 */
    plan(&p);
    TARGETS(&p, 1, 0, 0, 1);
    p.rules.size = 5; /* .75, .75, .5, 3 */
    plan(&p);
    TARGETS(&p, 1, 1, 0, 3);
    add(&p, true, 40, 0, 12);
    p.rules.size = 2; /* of 80: .15, .15, .1, .6, 1 */
    plan(&p);
    TARGETS(&p, 0, 0, 0, 1, 1);
    p.rules.size = 12; /* .9, .9, .6, 3.6, 6: of the equal .6 the one with more originals */
    plan(&p);
    TARGETS(&p, 1, 1, 0, 4, 6);
    arena_release(&p.a);
}

TEST(most_common)
{
    struct pool p;
    pool_init(&p, 2, 6);
    add(&p, true, 2, 0, 7);
    add(&p, true, 1, 0, 3);
    add(&p, true, 1, 0, 1);
    add(&p, true, 4, 1, 3);
    add(&p, true, 9, 1, SAMPLE_UNKNOWN);
    add(&p, false, 5, 0, 7);
    add(&p, false, 5, 0, 3);
    add(&p, false, 5, 0, 1)->blacklisted = true;
    add(&p, false, 5, 1, 3);
    add(&p, false, 2, 1, 7); /* not a keyword of class 1 */
    add(&p, false, 1, 1, SAMPLE_UNKNOWN);
    p.rules.keywords_most = 2;
    plan(&p);
    TARGETS(&p, 2, 4, 6); /* of 1 and 3, equally common, the first */
    assert_int_equal(p.plan.cells[0].bin, 1);
    assert_int_equal(p.plan.cells[1].bin, 7);
    assert_int_equal(p.plan.cells[2].bin, 3);
    assert_int_equal(p.plan.classes[0].outside, 5);
    assert_int_equal(p.plan.classes[1].outside, 3);
    assert_int_equal(p.plan.classes[1].originals, 4);
    assert_int_equal(p.plan.cells[0].excluded[SAMPLE_BLACKLISTED], 1);
    assert_int_equal(p.plan.cells[2].missing, 1);
    assert_int_equal(p.plan.chosen, 11);
    assert_false(p.plan.valid);
    arena_release(&p.a);
}

/* A class that has two keywords in three of the originals' images gets more when shared out together. */
TEST(together)
{
    struct pool p;
    pool_init(&p, 3, 4);
    add(&p, true, 4, 0, 1);
    add(&p, true, 4, 0, 2);
    add(&p, true, 4, 1, 1);
    add(&p, false, 9, 0, 1);
    add(&p, false, 9, 0, 2);
    add(&p, false, 9, 1, 1);
    p.rules.together = true;
    plan(&p);
    TARGETS(&p, 4, 4, 4);
    assert_int_equal(p.plan.classes[0].wanted, 8);
    assert_int_equal(p.plan.classes[1].wanted, 4);
    assert_int_equal(p.plan.classes[2].wanted, 0);
    assert_int_equal(p.plan.missing, 0);
    assert_true(p.plan.classes[2].few_originals);
    assert_false(p.plan.valid);
    p.rules.together = false;
    plan(&p);
    TARGETS(&p, 2, 2, 4);
    assert_int_equal(p.plan.classes[2].missing, 4);
    arena_release(&p.a);
}

TEST(draw)
{
    struct pool p;
    struct sample_pick *picks;
    size_t n, counts[2] = {0};
    pool_init(&p, 1, 10);
    add(&p, true, 7, 0, 4);
    add(&p, true, 3, 0, 6);
    struct sample_image *kept = add(&p, false, 20, 0, 4);
    add(&p, false, 20, 0, 6);
    kept[13].in_parent = true;
    plan(&p);
    assert_true(p.plan.valid);
    sample_draw(&p.plan, &p.in, &p.a, &picks, &n);
    assert_int_equal(n, 10);
    size_t carried = 0;
    for (size_t k = 0; k < n; k++) {
        counts[picks[k].cell]++;
        assert_int_equal(p.images[picks[k].index].keyword, p.plan.cells[picks[k].cell].bin);
        carried += picks[k].carried;
    }
    assert_int_equal(counts[0], 7);
    assert_int_equal(counts[1], 3);
    assert_int_equal(carried, 1);
    arena_release(&p.a);
}
