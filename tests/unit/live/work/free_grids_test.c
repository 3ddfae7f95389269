/* free_grids_test.c - what pages are told of free grids is what the desk then lends. */
#include "unit.h"

#include "live/work/desk.h"
#include "live/work/free_grids.h"
#include "temp_project.h"
#include "world.h"

enum { CELLS = 2, GRIDS = 2, N = 2, UNTIL = 60000 };

struct scene {
    struct temp_project *t;
    struct campaign terms;
    struct tally *tally;
    struct desk *desk;
    int64_t grids[GRIDS], people[3];
};

/* Both say the same; true: there is a grid for that person. */
static bool free_for(struct scene *s, int64_t person)
{
    struct temp_project *t = s->t;
    int64_t grid = 0;
    bool found = false;
    assert_int_equal(tally_fold(s->tally, t->db, &t->err), OK);
    assert_int_equal(desk_reload(s->desk, s->tally, t->db, WORLD_NOW, &t->err), OK);
    assert_int_equal(desk_pick(s->desk, s->tally, t->db, &(struct desk_asker){.campaign = s->terms.id, .person = person},
                               &grid, &t->err),
                     OK);
    assert_int_equal(free_grid_for(s->tally, t->db, &s->terms, person, WORLD_NOW, &found, &t->err),
                     OK);
    assert_int_equal(found, grid != 0);
    return found;
}

PROJECT_TEST(as_the_desk_lends)
{
    struct temp_project *t = *state;
    struct scene s = {.t = t, .terms = world_terms("main"), .tally = tally_new(),
                      .desk = desk_new(8)};
    int64_t class_id = world_class(t->db, 1), images[CELLS], places[3];
    s.terms.answers_per_grid = N;
    s.terms.id = world_campaign(t->db, &s.terms);
    for (unsigned g = 0; g < GRIDS; g++) {
        for (unsigned i = 0; i < CELLS; i++) {
            images[i] = world_image(t->db, CELLS * g + i, class_id, "candidate");
        }
        s.grids[g] = world_grid(t->db, s.terms.id, class_id, images, CELLS);
    }
    for (unsigned i = 0; i < 3; i++) {
        s.people[i] = world_person(t->db);
        places[i] = world_place(t->db, s.terms.id, s.people[i]);
        assert_true(free_for(&s, s.people[i]));
    }
    /* Who saw every grid gets none; a lease takes a slot, an answer keeps it, a lease that ends frees it. */
    world_lend(t->db, s.grids[0], s.people[0], places[0], WORLD_NOW, WORLD_NOW + UNTIL);
    assert_true(free_for(&s, s.people[0]));
    int64_t a = world_lend(t->db, s.grids[1], s.people[0], places[0], WORLD_NOW, WORLD_NOW + UNTIL);
    assert_false(free_for(&s, s.people[0]));
    world_answer(t->db, a, 1, false, WORLD_NOW);
    world_lend(t->db, s.grids[0], s.people[1], places[1], WORLD_NOW, WORLD_NOW + UNTIL);
    assert_true(free_for(&s, s.people[2]));
    world_lend(t->db, s.grids[1], s.people[1], places[1], WORLD_NOW - UNTIL, WORLD_NOW);
    assert_true(free_for(&s, s.people[2]));
    world_vote(t->db, s.terms.id, s.grids[1], 1, false);
    assert_false(free_for(&s, s.people[2]));
    desk_free(s.desk);
    tally_free(s.tally);
}
