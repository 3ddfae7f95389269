/* agreement_test.c - one grid as leads see it: its cells, who got it, in which state, with agreement. */
#include "unit.h"

#include "store/votes/agreement.h"
#include "temp_project.h"
#include "world.h"

enum { CELLS = 4 };

struct scene {
    int64_t campaign, class_id, other_class, grid, image[CELLS];
};

/* Candidate, positive control, negative control and a gold image of another class. */
static struct scene make_scene(struct temp_project *t)
{
    static const enum cell_role roles[] = {CELL_CANDIDATE, CELL_POSITIVE, CELL_NEGATIVE, CELL_GOLD};
    struct campaign terms = world_terms("main");
    struct scene s = {.campaign = world_campaign(t->db, &terms),
                      .class_id = world_class(t->db, 1),
                      .other_class = world_class(t->db, 2)};
    s.image[0] = world_image(t->db, 0, s.class_id, "candidate");
    s.image[1] = world_image(t->db, 1, s.class_id, "original");
    s.image[2] = world_image(t->db, 2, s.other_class, "original");
    s.image[3] = world_image(t->db, 3, s.other_class, "gold");
    s.grid = world_grid_roles(t->db, s.campaign, s.class_id, s.image, roles, CELLS, "");
    return s;
}

static struct grid_seen seen(struct temp_project *t, int64_t grid)
{
    struct grid_seen g;
    assert_int_equal(agreement_grid(t->db, grid, &t->arena, &g, &t->err), OK);
    return g;
}

PROJECT_TEST(cells_and_what_they_expect)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct grid_seen g = seen(t, s.grid);
    assert_int_equal(g.campaign, s.campaign);
    assert_int_equal(g.class_id, s.class_id);
    assert_int_equal(g.n, CELLS);
    for (unsigned i = 0; i < CELLS; i++) {
        assert_int_equal(g.cells[i].image, s.image[i]);
        assert_false(g.cells[i].pixels);
    }
    assert_true(sv_is(g.cells[2].name, "image-2"));
    assert_false(g.cells[2].own_class);
    assert_int_equal(g.cells[1].role, CELL_POSITIVE);
    assert_int_equal(g.cells[2].role, CELL_NEGATIVE);
    assert_int_equal(g.cells[3].role, CELL_GOLD);
    assert_false(g.cells[3].own_class);
    struct grid_seen none;
    agreement_grid(t->db, 999, &t->arena, &none, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-grid");
}

PROJECT_TEST(everybody_who_got_it)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct grid_seen g = seen(t, s.grid);
    struct lent *list;
    size_t n;
    assert_int_equal(agreement_lent(t->db, &g, WORLD_NOW, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 0);

    world_vote(t->db, s.campaign, s.grid, 0x2, false);
    int64_t out = world_vote(t->db, s.campaign, s.grid, 0xf, false);
    world_judge(t->db, out, true);
    world_vote(t->db, s.campaign, s.grid, 0x3, true);
    world_vote(t->db, s.campaign, s.grid, 0xb, false);
    for (int i = 0; i < 2; i++) { /* one lease that ends at 600 s, one that ends at 100 s */
        int64_t person = world_person(t->db);
        world_lend(t->db, s.grid, person, world_place(t->db, s.campaign, person), WORLD_NOW + 1 + i,
                   WORLD_NOW + (i ? 100000 : 600000));
    }
    assert_int_equal(agreement_lent(t->db, &g, WORLD_NOW + 100000, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 6);
    const enum lent_state want[] = {LENT_STORED, LENT_OUT,    LENT_SURPLUS,
                                    LENT_STORED, LENT_LEASED, LENT_EXPIRED};
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(list[i].state, want[i]);
        assert_true(list[i].pseudonym.n > 0);
    }
    assert_true(sv_is(list[1].rule, "a test"));
    assert_true(sv_is(list[0].pay, "pending"));
    assert_int_equal(list[0].at, WORLD_NOW + 1000);
    assert_int_equal(list[0].active_ms, 40000);

    /* Who counts: 0x2 and 0xb, which say the same about two of four cells. */
    assert_true(list[0].agreement.agreement == 0.5 && list[3].agreement.agreement == 0.5);
    assert_true(list[0].agreement.relative == 0);
    assert_int_equal(list[0].agreement.pos_right + list[0].agreement.neg_right, 2);
    assert_int_equal(list[3].agreement.gold_right, 0); /* selected gold that shows something else */
    /* 0xf against both: 1/2, 1, 0, 1/2. */
    assert_true(list[1].agreement.agreement == 0.5);
    assert_int_equal(list[1].agreement.neg_right, 0);
}

PROJECT_TEST(the_grid_of_an_assignment)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t grid = 0, person = world_person(t->db);
    int64_t lent = world_lend(t->db, s.grid, person, world_place(t->db, s.campaign, person),
                              WORLD_NOW, WORLD_NOW + 1);
    assert_int_equal(agreement_grid_of(t->db, lent, &grid, &t->err), OK);
    assert_int_equal(grid, s.grid);
    agreement_grid_of(t->db, lent + 1, &grid, &t->err);
    temp_clear(t, ERR_NOT_FOUND, "no-assignment");
}
