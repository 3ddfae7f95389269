/* classify_test.c - CLASSIFY tasks beside a CONTAINS campaign about the same images: they lend by the same rules, and no
 * number of CONTAINS changes. */
#include "unit.h"

#include "live/people/person_agreement.h"
#include "live/votes/stats.h"
#include "live/votes/view_count.h"
#include "live/work/desk.h"
#include "live/work/free_grids.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 3, LABELS = 4 };

struct scene {
    struct temp_project *t;
    struct tally *tally;
    int64_t label[LABELS], image[IMAGES], contains, classify, grid, task[IMAGES];
    struct campaign terms;
};

static void fold(struct scene *s)
{
    assert_int_equal(tally_fold(s->tally, s->t->db, &s->t->err), OK);
}

/* Images of the first label; each is on the grid, and a task of its own with the other three labels as options. The third
 * task is a check: its first and last option are there. */
static void scene_open(struct scene *s, void **state)
{
    *s = (struct scene){.t = *state, .tally = tally_new()};
    struct db *db = s->t->db;
    for (unsigned i = 0; i < LABELS; i++) {
        s->label[i] = world_class(db, i + 1);
    }
    s->terms = world_terms("main");
    s->contains = world_campaign(db, &s->terms);
    for (unsigned i = 0; i < IMAGES; i++) {
        s->image[i] = world_image(db, i, s->label[0], "candidate");
    }
    s->grid = world_grid(db, s->contains, s->label[0], s->image, IMAGES);
    s->terms = world_terms("objects");
    s->terms.classify = true;
    s->terms.kind = SV("main"); /* of the kind that the default view counts */
    s->classify = world_campaign(db, &s->terms);
    for (unsigned i = 0; i < IMAGES; i++) {
        s->task[i] = world_task(db, s->classify, s->label[3], s->image[i], s->label + 1, 3, i == 2 ? 5 : 0);
    }
    fold(s);
}

static void scene_close(struct scene *s)
{
    tally_free(s->tally);
}

static int64_t tick(struct scene *s, unsigned task, uint64_t mask, int main)
{
    int64_t person = world_person(s->t->db);
    int64_t place = world_place(s->t->db, s->classify, person);
    int64_t lent = world_lend(s->t->db, s->task[task], person, place, WORLD_NOW, WORLD_NOW + 600000);
    world_ticks(s->t->db, lent, mask, main, WORLD_NOW + 1000);
    return person;
}

PROJECT_TEST(tasks_are_grids_without_votes)
{
    struct scene s;
    struct tally_totals now;
    scene_open(&s, state);
    world_vote(s.t->db, s.contains, s.grid, 5, false);
    tick(&s, 0, 3, 1);
    fold(&s);
    tally_totals(s.tally, &now);
    assert_int_equal(now.grids, 1 + IMAGES);
    assert_int_equal(now.pairs, IMAGES);
    assert_int_equal(now.answers, 2);
    assert_int_equal(now.votes, IMAGES);
    assert_int_equal(now.selected, 2);
    assert_null(tally_class(s.tally, s.label[3]));
    const struct tally_grid *g = tally_grid(s.tally, s.task[2]);
    assert_int_equal(g->n, 0);
    assert_int_equal(tally_bits(g), 3);
    assert_int_equal(tally_images(g), 1);
    assert_int_equal(tally_cell_image(s.tally, g, 0), s.image[2]);
    assert_int_equal(g->known, 5);
    assert_false(g->chosen);
    scene_close(&s);
}

/* Which images of which task the desk would lend to a person who has seen the grid, or a task. */
PROJECT_TEST(nobody_meets_an_image_in_both_tasks)
{
    struct scene s;
    scene_open(&s, state);
    struct desk *desk = desk_new(0);
    struct desk_asker asks[2] = {{.campaign = s.classify, .person = world_person(s.t->db)}, {.campaign = s.contains, .person = world_person(s.t->db)}};
    struct campaign k;
    int64_t place[2], grid = 0;
    bool found = true;
    for (int i = 0; i < 2; i++) {
        place[i] = world_place(s.t->db, asks[i].campaign, asks[i].person);
    }
    assert_int_equal(desk_reload(desk, s.tally, s.t->db, WORLD_NOW, &s.t->err), OK);
    assert_int_equal(desk_pick(desk, s.tally, s.t->db, &asks[0], &grid, &s.t->err), OK);
    assert_true(grid > 0);
    /* The first is lent a task and asks for the grid; the second the other way round. */
    desk_lend(desk, s.tally, &asks[0], grid, world_lend(s.t->db, grid, asks[0].person, place[0], WORLD_NOW, WORLD_NOW + 1000),
              WORLD_NOW + 1000);
    desk_lend(desk, s.tally, &asks[1], s.grid, world_lend(s.t->db, s.grid, asks[1].person, place[1], WORLD_NOW,
                                                         WORLD_NOW + 1000), WORLD_NOW + 1000);
    struct desk_asker other[2] = {{.campaign = s.contains, .person = asks[0].person}, {.campaign = s.classify, .person = asks[1].person}};
    for (int round = 0; round < 2; round++) { /* from memory, then as the database says */
        for (int i = 0; i < 2; i++) {
            assert_int_equal(desk_pick(desk, s.tally, s.t->db, &other[i], &grid, &s.t->err), OK);
            assert_int_equal(grid, 0);
            assert_int_equal(campaigns_get(s.t->db, other[i].campaign, &s.t->arena, &k, &s.t->err), OK);
            assert_int_equal(free_grid_for(s.tally, s.t->db, &k, other[i].person, WORLD_NOW, &found, &s.t->err), OK);
            assert_false(found);
        }
        assert_int_equal(desk_reload(desk, s.tally, s.t->db, WORLD_NOW, &s.t->err), OK);
    }
    /* Another task shows other images: the first person may have that. */
    assert_int_equal(desk_pick(desk, s.tally, s.t->db, &asks[0], &grid, &s.t->err), OK);
    assert_true(grid > 0);
    desk_free(desk);
    scene_close(&s);
}

PROJECT_TEST(people_are_scored_by_their_checks)
{
    struct scene s;
    struct stats stats;
    scene_open(&s, state);
    world_vote(s.t->db, s.contains, s.grid, 5, false);
    int64_t right = tick(&s, 2, 5, 0), half = tick(&s, 2, 4, 2);
    tick(&s, 0, 1, 0);
    fold(&s);
    struct stats_keeper *keeper = stats_keeper_new(s.tally);
    const struct stats *now = stats_get(keeper);
    stats = *now;
    assert_int_equal(stats.n_classes, 1); /* the one that a grid asks for */
    assert_int_equal(stats.classes[0].class_id, s.label[0]);
    assert_int_equal(stats_person(now, right)->gold, 1);
    assert_int_equal(stats_person(now, right)->gold_right, 1);
    assert_int_equal(stats_person(now, half)->gold, 1);
    assert_int_equal(stats_person(now, half)->gold_right, 0);
    assert_int_equal(stats_person(now, right)->cells, 0);
    assert_int_equal(stats_person(now, right)->selected, 0);
    assert_int_equal(stats_person(now, right)->counted, 0);
    /* With the other person's ticks: two of three labels say the same, whoever is asked; nobody agrees with themselves. */
    assert_true(stats_person(now, right)->agreement > 0.66 && stats_person(now, right)->agreement < 0.67);
    const struct stats_campaign *k = stats_campaign(now, s.classify);
    assert_int_equal(k->answers, 3);
    assert_int_equal(k->gold, 2);
    assert_int_equal(k->shown[0], 1); /* options that are no check's by where they were shown */
    assert_int_equal(k->selected[0], 1);
    stats_put(keeper, now);
    stats_keeper_free(keeper);
    scene_close(&s);
}

PROJECT_TEST(a_view_is_of_one_task)
{
    struct scene s;
    struct view_counts v;
    scene_open(&s, state);
    int64_t campaigns[2] = {s.contains, s.classify};
    struct view_ask ask = {.campaigns = campaigns, .n_campaigns = 2, .rules = {1, {{RULE_GOLD_LEAST, 50, 0}}}};
    world_vote(s.t->db, s.contains, s.grid, 5, false);
    tick(&s, 2, 5, 0);
    tick(&s, 2, 4, 2);
    tick(&s, 1, 1, 0);
    fold(&s);
    assert_int_equal(view_count(s.tally, &ask, &v, &s.t->err), OK);
    assert_int_equal(v.all.answers, 1);
    assert_int_equal(v.n_dropped, 0);
    assert_int_equal(v.shown[0], 1);
    view_counts_release(&v);
    ask.classify = true;
    assert_int_equal(view_count(s.tally, &ask, &v, &s.t->err), OK);
    assert_int_equal(v.all.answers, 3);
    assert_int_equal(v.with.answers, 2); /* without who failed the check */
    assert_int_equal(v.n_dropped, 1);
    assert_int_equal(v.shown[0], 0);
    view_counts_release(&v);
    scene_close(&s);
}
