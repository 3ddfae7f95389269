/* coverage_test.c - which answers count to an image, what a campaign still brings, what that makes
 * of a class. */
#include "unit.h"

#include "store/campaigns/coverage.h"
#include "store/work/flags.h"
#include "temp_project.h"
#include "world.h"

enum { FLAGS = 2 };

/* Two classes; images 0, 1 candidates and 2, 3 originals of the first, 4 an original of the second;
 * one grid of the first class with all of them. N = 3. */
struct scene {
    struct campaign terms;
    int64_t class_id, other, campaign, grid, images[5];
};

static struct scene make_scene(struct temp_project *t)
{
    static const enum cell_role roles[] = {CELL_CANDIDATE, CELL_CANDIDATE, CELL_POSITIVE,
                                           CELL_POSITIVE, CELL_NEGATIVE};
    struct scene s = {.terms = world_terms("main")};
    s.class_id = world_class(t->db, 1);
    s.other = world_class(t->db, 2);
    for (unsigned i = 0; i < 5; i++) {
        s.images[i] =
            world_image(t->db, i, i < 4 ? s.class_id : s.other, i < 2 ? "candidate" : "original");
    }
    s.campaign = world_campaign(t->db, &s.terms);
    s.terms.id = s.campaign;
    s.grid = world_grid_roles(t->db, s.campaign, s.class_id, s.images, roles, 5, "");
    return s;
}

/* Answers now of image `i` for a plan of that kind. */
static uint32_t answers(struct temp_project *t, const struct scene *s, const char *kind, unsigned i)
{
    struct coverage c;
    assert_int_equal(coverage_load(t->db, sv_of(kind), FLAGS, &c, &t->err), OK);
    uint32_t n = c.now[s->images[i]];
    coverage_release(&c);
    return n;
}

PROJECT_TEST(what_counts)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    assert_int_equal(answers(t, &s, "main", 0), 0);
    world_vote(t->db, s.campaign, s.grid, 0, false);
    int64_t second = world_vote(t->db, s.campaign, s.grid, 31, false);
    world_vote(t->db, s.campaign, s.grid, 0, true); /* surplus */
    assert_int_equal(answers(t, &s, "main", 0), 2);
    assert_int_equal(answers(t, &s, "top-up", 2), 2);
    assert_int_equal(answers(t, &s, "main", 4), 0); /* under another class only */
    world_judge(t->db, second, true);
    assert_int_equal(answers(t, &s, "main", 0), 1);
    world_judge(t->db, second, false);
    assert_int_equal(answers(t, &s, "main", 0), 2);
    world_exclude(t->db, s.grid);
    assert_int_equal(answers(t, &s, "main", 0), 0);
}

/* A pilot's answers count to no main plan, a re-measurement begins anew and goes on from its own.
 */
PROJECT_TEST(kinds)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    static const char *const kinds[] = {"pilot", "re-measurement"};
    world_vote(t->db, s.campaign, s.grid, 0, false);
    for (int i = 0; i < 2; i++) {
        struct campaign k = world_terms(kinds[i]);
        k.kind = sv_of(kinds[i]);
        int64_t id = world_campaign(t->db, &k);
        assert_int_equal(answers(t, &s, kinds[i], 0), 0);
        int64_t grid = world_grid(t->db, id, s.class_id, s.images, 1);
        world_vote(t->db, id, grid, 0, false);
        world_vote(t->db, id, grid, 0, false);
        assert_int_equal(answers(t, &s, kinds[i], 0), 2);
        assert_int_equal(answers(t, &s, "main", 0), 1);
    }
}

static void flag(struct temp_project *t, int64_t image)
{
    bool added;
    assert_int_equal(
        flags_add(t->db,
                  &(struct flag_new){image, world_person(t->db), 0, SV("broken"), SV(""), 100},
                  WORLD_NOW, &added, &t->err),
        OK);
    assert_true(added);
}

PROJECT_TEST(summary_of_a_campaign)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct plan_summary sum;
    s.terms.coverage = 1;
    s.terms.pay_cents = 200;
    s.terms.grids_per_place = 1;
    s.terms.answers_per_grid = 12;
    for (int i = 0; i < 9; i++) {
        world_vote(t->db, s.campaign, s.grid, 0, false);
    }
    assert_int_equal(coverage_of_campaign(t->db, &s.terms, FLAGS, &t->arena, &sum, &t->err), OK);
    assert_int_equal(sum.grids, 1);
    assert_int_equal(sum.special, 0);
    assert_int_equal(sum.planned, 2);
    assert_int_equal(sum.cost.answers, 12);
    assert_int_equal(sum.cost.places, 12);
    assert_int_equal(sum.cost.pay_cents, 2400);
    assert_int_equal(sum.n_classes, 2);
    const struct class_coverage first = {
        .class_id = s.class_id, .originals = 2, .covered_after = 2, .candidates = 2, .open = 2};
    const struct class_coverage second = {.class_id = s.other, .originals = 1};
    assert_memory_equal(&sum.classes[0], &first, sizeof first);
    assert_memory_equal(&sum.classes[1], &second, sizeof second);
    assert_int_equal(sum.totals.reached, 0);
    assert_int_equal(sum.totals.reached_after, 1);
    assert_int_equal(sum.totals.below_after, 1);
    /* The tenth answer covers them; three more are wanted. */
    world_vote(t->db, s.campaign, s.grid, 0, false);
    flag(t, s.images[0]);
    flag(t, s.images[0]);
    assert_int_equal(coverage_of_campaign(t->db, &s.terms, FLAGS, &t->arena, &sum, &t->err), OK);
    assert_int_equal(sum.classes[0].covered, 2);
    assert_int_equal(sum.classes[0].candidates, 1);
    assert_int_equal(sum.classes[0].hidden, 1);
    assert_int_equal(sum.classes[0].open_after, 0);
}

PROJECT_TEST(pools)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct coverage c;
    struct plan_pool pool;
    size_t hidden = 0;
    world_vote(t->db, s.campaign, s.grid, 0, false);
    flag(t, s.images[3]);
    flag(t, s.images[3]);
    flag(t, s.images[2]); /* one is not enough */
    assert_int_equal(coverage_load(t->db, SV("main"), FLAGS, &c, &t->err), OK);
    assert_int_equal(
        coverage_pool(t->db, &c, s.class_id, "original", &t->arena, &pool, &hidden, &t->err), OK);
    assert_int_equal(hidden, 1);
    assert_int_equal(pool.n, 1);
    assert_int_equal(pool.images[0].id, s.images[2]);
    assert_int_equal(pool.images[0].answers, 1);
    assert_int_equal(pool.images[0].content, 0);
    assert_int_equal(
        coverage_pool(t->db, &c, s.class_id, "gold", &t->arena, &pool, &hidden, &t->err), OK);
    assert_int_equal(pool.n, 0);
    coverage_release(&c);
}

/* A project without images has nothing to cover, and says so without failing. */
PROJECT_TEST(empty)
{
    struct temp_project *t = *state;
    struct plan_summary sum;
    struct campaign k = world_terms("empty");
    k.id = world_campaign(t->db, &k);
    assert_int_equal(coverage_of_campaign(t->db, &k, FLAGS, &t->arena, &sum, &t->err), OK);
    assert_int_equal(sum.grids + sum.planned + (int64_t)sum.n_classes, 0);
    assert_int_equal(sum.cost.answers + sum.cost.places, 0);
}
