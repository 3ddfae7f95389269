/* desk_test.c - the desk in single cases: which campaigns lend, what a restart keeps, clocks that go
 * back, many leases, many persons. desk_random_test.c holds it against a model. */
#include "unit.h"

#include "base/rng.h"
#include "live/work/desk.h"
#include "live/work/free_grids.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

/* One campaign with three grids of two images each; N = 1. */
struct small {
    struct temp_project *t;
    struct tally *tally;
    struct desk *desk;
    struct campaign terms;
    int64_t campaign, class_id, grid[3], person[3], place[3];
};

static void small_open(struct small *s, struct temp_project *t)
{
    *s = (struct small){.t = t, .tally = tally_new(), .desk = desk_new(0)};
    s->class_id = world_class(t->db, 1);
    s->terms = world_terms("small");
    s->terms.answers_per_grid = 1;
    s->campaign = world_campaign(t->db, &s->terms);
    for (unsigned i = 0; i < 3; i++) {
        int64_t images[2] = {world_image(t->db, 2 * i, s->class_id, "candidate"),
                             world_image(t->db, 2 * i + 1, s->class_id, "candidate")};
        s->grid[i] = world_grid(t->db, s->campaign, s->class_id, images, 2);
        s->person[i] = world_person(t->db);
        s->place[i] = world_place(t->db, s->campaign, s->person[i]);
    }
}

static void small_load(struct small *s, int64_t now)
{
    assert_int_equal(tally_fold(s->tally, s->t->db, &s->t->err), OK);
    assert_int_equal(desk_reload(s->desk, s->tally, s->t->db, now, &s->t->err), OK);
}

static void small_close(struct small *s)
{
    desk_free(s->desk);
    tally_free(s->tally);
}

static enum err_code small_pick(struct small *s, int person, int64_t *grid)
{
    struct desk_asker who = {.campaign = s->campaign, .person = s->person[person]};
    return desk_pick(s->desk, s->tally, s->t->db, &who, grid, &s->t->err);
}

static void set_state(struct small *s, const char *state)
{
    assert_int_equal(campaigns_set_state(s->t->db, s->campaign, state, 0, WORLD_NOW, &s->t->err),
                     OK);
    small_load(s, WORLD_NOW);
}

PROJECT_TEST(only_open_campaigns_lend)
{
    static const char *const shut[] = {"paused", "closed", "draft"};
    struct small s;
    struct desk_progress p;
    int64_t grid;
    small_open(&s, *state);
    for (size_t i = 0; i < sizeof shut / sizeof *shut; i++) {
        set_state(&s, shut[i]);
        bool draft = i == 2;
        assert_int_equal(small_pick(&s, 0, &grid), ERR_CONFLICT);
        temp_clear(s.t, ERR_CONFLICT, "campaign-not-open");
        assert_int_equal(grid, 0);
        assert_int_equal(desk_progress(s.desk, s.campaign, &p), !draft);
        assert_int_equal(desk_campaign(s.desk, s.campaign) == NULL, draft);
        set_state(&s, "open");
        assert_int_equal(small_pick(&s, 0, &grid), OK);
        assert_int_equal(grid, s.grid[0]);
    }
    small_close(&s);
}

/* What was lent before the pause still counts when it comes in. */
PROJECT_TEST(answer_after_closing_counts)
{
    struct small s;
    struct desk_progress p;
    small_open(&s, *state);
    int64_t lent = world_lend(s.t->db, s.grid[0], s.person[0], s.place[0], WORLD_NOW,
                              WORLD_NOW + 600000);
    set_state(&s, "closed");
    assert_true(desk_counts(s.desk, s.campaign, s.grid[0], lent));
    desk_answered(s.desk, s.campaign, s.grid[0], lent, true);
    assert_true(desk_progress(s.desk, s.campaign, &p));
    assert_int_equal(p.answers, 1);
    assert_int_equal(p.complete, 1);
    assert_int_equal(p.leased, 0);
    small_close(&s);
}

/* A grid that is given back is free at once, and its answer still counts while it is. */
PROJECT_TEST(release)
{
    struct small s;
    struct desk_progress p;
    small_open(&s, *state);
    int64_t lent = world_lend(s.t->db, s.grid[0], s.person[0], s.place[0], WORLD_NOW,
                              WORLD_NOW + 600000);
    small_load(&s, WORLD_NOW);
    assert_false(desk_has_slot(s.desk, s.campaign, s.grid[0]));
    assert_true(desk_has_slot(s.desk, s.campaign, s.grid[1]));
    assert_true(desk_release(s.desk, lent));
    assert_false(desk_release(s.desk, lent));
    assert_true(desk_has_slot(s.desk, s.campaign, s.grid[0]));
    assert_true(desk_counts(s.desk, s.campaign, s.grid[0], lent));
    assert_true(desk_progress(s.desk, s.campaign, &p));
    assert_int_equal(p.leased, 0);
    struct desk_asker who = {.campaign = s.campaign, .person = s.person[0]};
    desk_lend(s.desk, s.tally, &who, s.grid[0], lent, WORLD_NOW + 1000); /* the same, anew */
    assert_false(desk_has_slot(s.desk, s.campaign, s.grid[0]));
    assert_int_equal(desk_expire(s.desk, WORLD_NOW + 1000), 1);
    assert_true(desk_has_slot(s.desk, s.campaign, s.grid[0]));
    assert_false(desk_has_slot(s.desk, s.campaign, 999));
    assert_false(desk_has_slot(s.desk, 999, s.grid[0]));
    small_close(&s);
}

/* One file under two names, two classes: who saw it under one label is not asked under the other,
 * and nor is who held a grid with it without answering. */
PROJECT_TEST(one_content_under_two_labels)
{
    struct small s;
    int64_t grid = 0;
    small_open(&s, *state);
    struct campaign terms = world_terms("twins");
    int64_t twins = world_campaign(s.t->db, &terms), other = world_class(s.t->db, 2);
    int64_t first[2] = {world_image_of(s.t->db, 20, s.class_id, "candidate", 1),
                        world_image_of(s.t->db, 21, s.class_id, "candidate", 2)};
    int64_t second[2] = {world_image_of(s.t->db, 22, other, "candidate", 3),
                         world_image_of(s.t->db, 23, other, "candidate", 2)};
    int64_t third = world_image_of(s.t->db, 24, other, "candidate", 4);
    int64_t seen = world_grid(s.t->db, twins, s.class_id, first, 2);
    world_lend(s.t->db, seen, s.person[0], world_place(s.t->db, twins, s.person[0]), WORLD_NOW,
               WORLD_NOW + 1);
    world_grid(s.t->db, twins, other, second, 2);
    bool found = true;
    small_load(&s, WORLD_NOW + 10);
    terms.id = twins;
    assert_int_equal(free_grid_for(s.tally, s.t->db, &terms, s.person[0], WORLD_NOW + 10, &found, &s.t->err), OK);
    assert_false(found);
    int64_t good = world_grid(s.t->db, twins, other, &third, 1);
    small_load(&s, WORLD_NOW + 10);
    struct desk_asker who = {.campaign = twins, .person = s.person[0]};
    assert_int_equal(desk_pick(s.desk, s.tally, s.t->db, &who, &grid, &s.t->err), OK);
    assert_int_equal(grid, good);
    assert_int_equal(free_grid_for(s.tally, s.t->db, &terms, s.person[0], WORLD_NOW + 10, &found, &s.t->err), OK);
    assert_true(found);
    small_close(&s);
}

PROJECT_TEST(unknown_things)
{
    struct small s;
    struct desk_progress p;
    int64_t grid = 7;
    small_open(&s, *state);
    struct campaign imported = world_terms("elsewhere");
    imported.imported = true;
    int64_t elsewhere = world_campaign(s.t->db, &imported);
    small_load(&s, WORLD_NOW);
    struct desk_asker who = {.campaign = elsewhere, .person = s.person[0]};
    assert_int_equal(desk_pick(s.desk, s.tally, s.t->db, &who, &grid, &s.t->err), ERR_CONFLICT);
    temp_clear(s.t, ERR_CONFLICT, "campaign-not-open");
    assert_null(desk_campaign(s.desk, elsewhere));
    assert_false(desk_progress(s.desk, elsewhere, &p));
    assert_false(desk_counts(s.desk, elsewhere, s.grid[0], 1));
    assert_false(desk_counts(s.desk, s.campaign, 999, 1));
    assert_false(desk_extend(s.desk, 999, WORLD_NOW));
    assert_int_equal(desk_places(s.desk, elsewhere), 0);
    small_close(&s);
}

/* Counting places is dear: it is worth it at first, after a change, and now and then. */
PROJECT_TEST(places_are_counted_again)
{
    struct small s;
    small_open(&s, *state);
    small_load(&s, WORLD_NOW);
    assert_true(desk_places_stale(s.desk, s.campaign, WORLD_NOW));
    desk_set_places(s.desk, s.campaign, 7, WORLD_NOW);
    assert_int_equal(desk_places(s.desk, s.campaign), 7);
    assert_false(desk_places_stale(s.desk, s.campaign, WORLD_NOW + 1999));
    assert_true(desk_places_stale(s.desk, s.campaign, WORLD_NOW + 2000));
    assert_true(desk_places_stale(s.desk, s.campaign, WORLD_NOW - 1)); /* the clock was set back */
    desk_places_changed(s.desk, s.campaign);
    assert_true(desk_places_stale(s.desk, s.campaign, WORLD_NOW));
    assert_false(desk_places_stale(s.desk, s.campaign + 99, WORLD_NOW));
    small_close(&s);
}

PROJECT_TEST(places_and_board)
{
    struct small s;
    int64_t ids[2];
    struct desk_progress board[2];
    small_open(&s, *state);
    struct campaign other = world_terms("other");
    int64_t second = world_campaign(s.t->db, &other);
    small_load(&s, WORLD_NOW);
    assert_int_equal(desk_places(s.desk, s.campaign), 3);
    desk_joined(s.desk, s.campaign);
    assert_int_equal(desk_places(s.desk, s.campaign), 4);
    assert_int_equal(desk_places(s.desk, second), 0);
    assert_int_equal(desk_board(s.desk, ids, board, 2), 2);
    assert_true((ids[0] == second && ids[1] == s.campaign && board[1].grids == 3 &&
                 board[0].grids == 0) ||
                (ids[1] == second && ids[0] == s.campaign && board[0].grids == 3 &&
                 board[1].grids == 0));
    assert_int_equal(desk_board(s.desk, ids, board, 1), 1);
    small_close(&s);
}

/* A lease that ended while nothing else was stored, whose grid was lent again: after a restart
 * only one of the two may live, or the grid would get two answers. */
PROJECT_TEST(restart_renews_within_n)
{
    struct small s;
    struct desk_progress p;
    small_open(&s, *state);
    int64_t first = world_lend(s.t->db, s.grid[0], s.person[0], s.place[0], WORLD_NOW,
                               WORLD_NOW + 600000);
    int64_t second = world_lend(s.t->db, s.grid[0], s.person[1], s.place[1], WORLD_NOW + 610000,
                                WORLD_NOW + 1210000);
    int64_t now = WORLD_NOW + 5000000;
    assert_int_equal(work_leases_renew(s.t->db, now, &s.t->err), OK);
    small_load(&s, now);
    assert_true(desk_progress(s.desk, s.campaign, &p));
    assert_int_equal(p.leased, 1);
    assert_true(desk_counts(s.desk, s.campaign, s.grid[0], second));
    assert_false(desk_counts(s.desk, s.campaign, s.grid[0], first));
    assert_int_equal(desk_expire(s.desk, now + 599999), 0);
    assert_int_equal(desk_expire(s.desk, now + 600000), 1); /* the full time again */
    small_close(&s);
}

/* The clock was set back and an ended lease lives again beside the one that replaced it. */
PROJECT_TEST(clock_set_back)
{
    struct small s;
    small_open(&s, *state);
    int64_t first = world_lend(s.t->db, s.grid[0], s.person[0], s.place[0], WORLD_NOW,
                               WORLD_NOW + 1000);
    int64_t second = world_lend(s.t->db, s.grid[0], s.person[1], s.place[1], WORLD_NOW + 2000,
                                WORLD_NOW + 3000);
    small_load(&s, WORLD_NOW + 500);
    assert_true(desk_counts(s.desk, s.campaign, s.grid[0], second));
    desk_answered(s.desk, s.campaign, s.grid[0], second, true);
    assert_false(desk_counts(s.desk, s.campaign, s.grid[0], first));
    small_close(&s);
}

PROJECT_TEST(shortened_lease_ends)
{
    struct small s;
    int64_t grid;
    small_open(&s, *state);
    small_load(&s, WORLD_NOW);
    struct desk_asker who = {.campaign = s.campaign, .person = s.person[0]};
    desk_lend(s.desk, s.tally, &who, s.grid[0], 77, WORLD_NOW + 600000);
    assert_int_equal(desk_expire(s.desk, WORLD_NOW + 1), 0);
    assert_true(desk_extend(s.desk, 77, WORLD_NOW + 100));
    assert_int_equal(desk_expire(s.desk, WORLD_NOW + 100), 1);
    assert_int_equal(small_pick(&s, 1, &grid), OK);
    assert_int_equal(grid, s.grid[0]);
    small_close(&s);
}

/* Leases are a hash table that deletes by shifting: thousands come and go. */
PROJECT_TEST(many_leases)
{
    enum { MANY = 1000 };
    struct small s;
    struct desk_progress p;
    int64_t grid = 0;
    small_open(&s, *state);
    struct campaign wide = world_terms("wide");
    wide.answers_per_grid = MANY;
    s.campaign = world_campaign(s.t->db, &wide);
    int64_t image = world_image(s.t->db, 50, s.class_id, "candidate");
    int64_t only = world_grid(s.t->db, s.campaign, s.class_id, &image, 1);
    small_load(&s, WORLD_NOW);
    struct rng r;
    rng_seed(&r, 9);
    for (int round = 0; round < 4; round++) {
        for (int64_t i = 1; i <= MANY; i++) {
            struct desk_asker who = {.campaign = s.campaign, .person = 1000 + i};
            desk_lend(s.desk, s.tally, &who, only, i * 37,
                      WORLD_NOW + 1 + (int64_t)rng_below(&r, MANY));
        }
        assert_int_equal(small_pick(&s, 0, &grid), OK);
        assert_int_equal(grid, 0); /* as many lent as wanted */
        uint32_t left = MANY;
        for (int64_t at = WORLD_NOW; at <= WORLD_NOW + MANY; at += 50) {
            left -= desk_expire(s.desk, at);
            assert_true(desk_progress(s.desk, s.campaign, &p));
            assert_int_equal(p.leased, left);
        }
        assert_int_equal(left, 0);
        assert_int_equal(small_pick(&s, 0, &grid), OK);
        assert_int_equal(grid, only);
    }
    small_close(&s);
}

/* So many images seen by so many that the desk forgets all persons: the rule holds all the same,
 * for it asks the database again. */
PROJECT_TEST(forgetting_keeps_the_rule)
{
    enum { MANY = 110, OLD = 100 }; /* 110 persons x 100 grids x 48 cells: over half a million */
    struct small s;
    static int64_t old[OLD], persons[MANY];
    small_open(&s, *state);
    assert_int_equal(db_tx_begin(s.t->db, &s.t->err), OK);
    struct campaign terms = world_terms("earlier");
    int64_t earlier = world_campaign(s.t->db, &terms);
    int64_t images[GRID_CELLS];
    for (unsigned g = 0; g < OLD; g++) {
        for (unsigned i = 0; i < GRID_CELLS; i++) {
            images[i] = world_image(s.t->db, 1000 + g * GRID_CELLS + i, s.class_id, "candidate");
        }
        old[g] = world_grid(s.t->db, earlier, s.class_id, images, GRID_CELLS);
    }
    struct campaign now = world_terms("now");
    s.campaign = world_campaign(s.t->db, &now);
    world_grid(s.t->db, s.campaign, s.class_id, images + 7, 2); /* everybody saw these */
    int64_t fresh[2] = {images[3], world_image(s.t->db, 60, s.class_id, "candidate")};
    world_grid(s.t->db, s.campaign, s.class_id, fresh, 2); /* one of these is enough */
    int64_t good = world_grid(s.t->db, s.campaign, s.class_id, fresh + 1, 1);
    for (int p = 0; p < MANY; p++) {
        persons[p] = world_person(s.t->db);
        int64_t place = world_place(s.t->db, earlier, persons[p]);
        for (int g = 0; g < OLD; g++) {
            world_lend(s.t->db, old[g], persons[p], place, WORLD_NOW, WORLD_NOW + 1);
        }
    }
    assert_int_equal(db_tx_commit(s.t->db, &s.t->err), OK);
    small_load(&s, WORLD_NOW + 10);
    for (int round = 0; round < 2; round++) {
        for (int p = 0; p < MANY; p++) {
            struct desk_asker who = {.campaign = s.campaign, .person = persons[p]};
            int64_t grid = 0;
            assert_int_equal(desk_pick(s.desk, s.tally, s.t->db, &who, &grid, &s.t->err), OK);
            assert_int_equal(grid, good);
        }
    }
    small_close(&s);
}
