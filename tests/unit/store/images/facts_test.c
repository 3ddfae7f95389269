/* facts_test.c - what one image's page shows. */
#include "unit.h"

#include "domain/grids/grid.h"
#include "store/images/facts.h"
#include "store/work/flags.h"
#include "temp_project.h"
#include "world.h"

PROJECT_TEST(one_image)
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

PROJECT_TEST(decisions)
{
    struct temp_project *t = *state;
    int64_t image = world_image(t->db, 0, world_class(t->db, 1), "candidate"), n_all, newest;
    struct image_decided *d;
    size_t n;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(flags_decide(t->db, image, i ? SV("clear") : SV("takedown"), SV("why"), 0,
                                      WORLD_NOW + i, &t->err),
                         OK);
    }
    assert_int_equal(image_facts_decisions(t->db, image, &t->arena, &d, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_true(sv_is(d[0].decision, "clear") && sv_is(d[1].decision, "takedown"));
    assert_true(d[0].id > d[1].id && d[0].at > d[1].at && d[0].login.n == 0);
    assert_int_equal(image_facts_newest(t->db, &newest, &t->err), OK);
    assert_int_equal(newest, image);
    assert_int_equal(
        image_facts_count(t->db, temp_int(t, "SELECT class FROM image"), &n_all, &t->err), OK);
    assert_int_equal(n_all, 1);
}
