/* image_facts_test.c - which images are flagged and hidden, now and as of an earlier event, against
 * the rule of flags; what one image's page shows. */
#include "unit.h"

#include "base/rng.h"
#include "domain/grid.h"
#include "store/flags.h"
#include "store/image_facts.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 6, PEOPLE = 4, K = 2 };

struct marks {
    bool flagged[IMAGES + 1], hidden[IMAGES + 1];
};

static enum err_code mark(void *arg, int64_t image, bool hidden, struct err *err)
{
    struct marks *m = arg;
    (void)err;
    assert_true(image >= 1 && image <= IMAGES);
    m->flagged[image] = true;
    m->hidden[image] = hidden;
    return OK;
}

static enum err_code mark_hidden(void *arg, int64_t image, struct err *err)
{
    struct marks *m = arg;
    (void)err;
    m->hidden[image] = true;
    return OK;
}

static int64_t newest_event(struct temp_project *t)
{
    return temp_int(t, "SELECT max(id) FROM event");
}

static void flag(struct temp_project *t, int64_t image, int64_t person, const char *kind)
{
    bool added;
    assert_int_equal(flags_add(t->db, image, person, 0, sv_of(kind), SV("so it is"), WORLD_NOW,
                               &added, &t->err), OK);
}

/* Random flags and decisions; after each, what is hidden is noted and asked for again at the end. */
static void test_as_of(void **state)
{
    struct temp_project *t = *state;
    static const char *const decisions[] = {"clear", "quarantine", "takedown"};
    static struct marks then[120];
    int64_t at[120], people[PEOPLE], class_id = world_class(t->db, 1);
    struct rng r;
    rng_seed(&r, 5);
    for (unsigned i = 0; i < IMAGES; i++) {
        assert_int_equal(world_image(t->db, i, class_id, "candidate"), i + 1);
    }
    for (int i = 0; i < PEOPLE; i++) {
        people[i] = world_person(t->db);
    }
    for (int i = 0; i < 120; i++) {
        int64_t image = 1 + (int64_t)rng_below(&r, IMAGES);
        if (rng_below(&r, 3)) {
            flag(t, image, people[rng_below(&r, PEOPLE)], flag_kinds[rng_below(&r, FLAG_KINDS)]);
        } else {
            assert_int_equal(flags_decide(t->db, image, sv_of(decisions[rng_below(&r, 3)]),
                                          SV("a reason"), 0, WORLD_NOW, &t->err), OK);
        }
        assert_int_equal(flags_hidden(t->db, K, mark_hidden, &then[i], &t->err), OK);
        at[i] = newest_event(t);
    }
    for (int i = 0; i < 120; i++) {
        struct marks m = {{0}, {0}};
        assert_int_equal(image_facts_flagged(t->db, K, at[i], mark, &m, &t->err), OK);
        for (int k = 1; k <= IMAGES; k++) {
            assert_int_equal(m.hidden[k], then[i].hidden[k]);
            assert_true(m.flagged[k] || !m.hidden[k]);
        }
    }
    struct marks none = {{0}, {0}};
    assert_int_equal(image_facts_flagged(t->db, K, at[0] - 1, mark, &none, &t->err), OK);
    for (int k = 1; k <= IMAGES; k++) {
        assert_false(none.flagged[k]);
    }
}

static void test_one_image(void **state)
{
    struct temp_project *t = *state;
    struct campaign k = world_terms("main");
    int64_t cat = world_class(t->db, 1), dog = world_class(t->db, 2), images[3], *ids;
    for (unsigned i = 0; i < 2; i++) {
        images[i] = world_image_of(t->db, i, cat, "candidate", 7);
    }
    images[2] = world_image(t->db, 2, cat, "candidate");
    int64_t campaign = world_campaign(t->db, &k);
    world_grid(t->db, campaign, dog, images, 2);
    const enum cell_role roles[] = {CELL_NEGATIVE, CELL_POSITIVE};
    int64_t last = world_grid_roles(t->db, campaign, cat, images, roles, 2, "pilot");
    struct image_grid *grids;
    struct source_row source;
    size_t n;
    bool found;
    assert_int_equal(image_facts_classes(t->db, images[1], &t->arena, &ids, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(ids[0], cat);
    assert_int_equal(ids[1], dog);
    assert_int_equal(image_facts_grids(t->db, images[1], 10, &t->arena, &grids, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(grids[1].grid, last);
    assert_int_equal(grids[1].position, 1);
    assert_int_equal(grids[1].role, CELL_POSITIVE);
    assert_true(grids[1].excluded);
    assert_false(grids[0].excluded);
    assert_true(sv_is(grids[0].campaign, "main") && sv_is(grids[0].wnid, "n00000002"));
    assert_int_equal(image_facts_grids(t->db, images[1], 1, &t->arena, &grids, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(image_facts_twins(t->db, images[0], &t->arena, &ids, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(ids[0], images[1]);
    assert_int_equal(image_facts_twins(t->db, images[2], &t->arena, &ids, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(image_facts_source(t->db, images[0], &t->arena, &source, &found, &t->err), OK);
    assert_true(found);
    assert_int_equal(source.sha256[0], 7);
    assert_int_equal(image_facts_source(t->db, images[2], &t->arena, &source, &found, &t->err), OK);
    assert_false(found);
}

static void test_decisions(void **state)
{
    struct temp_project *t = *state;
    int64_t image = world_image(t->db, 0, world_class(t->db, 1), "candidate"), n_all, newest;
    struct image_decided *d;
    size_t n;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(flags_decide(t->db, image, i ? SV("clear") : SV("takedown"), SV("why"), 0,
                                      WORLD_NOW + i, &t->err), OK);
    }
    assert_int_equal(image_facts_decisions(t->db, image, &t->arena, &d, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(d[0].decision, "clear") && sv_is(d[1].decision, "takedown"));
    assert_true(d[0].id > d[1].id && d[0].at > d[1].at && d[0].login.n == 0);
    assert_int_equal(image_facts_newest(t->db, &newest, &t->err), OK);
    assert_int_equal(newest, image);
    assert_int_equal(image_facts_count(t->db, temp_int(t, "SELECT class FROM image"), &n_all,
                                       &t->err), OK);
    assert_int_equal(n_all, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, temp_project_open, temp_project_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_as_of), TEST(test_one_image), TEST(test_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
