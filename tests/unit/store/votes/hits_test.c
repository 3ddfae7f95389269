/* hits_test.c - grids and answers as exports read them. */
#include "unit.h"

#include "store/people/people.h"
#include "store/votes/hits.h"
#include "store/work/grids.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

struct scene {
    int64_t class_id, campaign, images[3];
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("main");
    s.class_id = world_class(t->db, 1);
    s.campaign = world_campaign(t->db, &k);
    for (unsigned i = 0; i < 3; i++) {
        s.images[i] = world_image(t->db, i, s.class_id, "candidate");
    }
    return s;
}

PROJECT_TEST(a_record_is_kept)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    static const char listed[] = {2, 0, 1};
    struct grid_new g = {
        .campaign = s.campaign, .class_id = s.class_id, .name = SV("uuid"), .number = 17,
        .special = true, .excluded = SV("pilot"), .record = SV("{\"time\":\"then\"}"),
        .listed = sv_make(listed, sizeof listed),
        .cells = {3, {s.images[0], s.images[1], s.images[2]},
                  {CELL_CANDIDATE, CELL_GOLD, CELL_NEGATIVE}},
    };
    int64_t id;
    struct hit h;
    assert_int_equal(grids_create(t->db, &g, 5, &id, &t->err), OK);
    assert_int_equal(hits_get(t->db, id, &t->arena, &h, &t->err), OK);
    assert_int_equal(h.number, 17);
    assert_int_equal(h.created_at, 5);
    assert_true(h.special);
    assert_true(sv_is(h.name, "uuid") && sv_is(h.wnid, "n00000001") && sv_is(h.excluded, "pilot"));
    assert_true(sv_is(h.record, "{\"time\":\"then\"}"));
    assert_true(sv_eq(h.listed, g.listed));
    assert_int_equal(h.n, 3);
    assert_true(sv_is(h.cell[1].image, "image-1"));
    assert_int_equal(h.cell[1].role, CELL_GOLD);
    assert_int_equal(h.cell[1].idx, -1);
    assert_int_equal(hits_get(t->db, id + 1, &t->arena, &h, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "no-grid");
}

static enum err_code count_hit(void *arg, const struct hit *h, struct err *err)
{
    int64_t *seen = arg;
    (void)err;
    assert_true(h->id > seen[0]);
    assert_int_equal(h->n, 2);
    assert_int_equal(h->record.n + h->listed.n, 0);
    seen[0] = h->id;
    seen[1]++;
    return OK;
}

static enum err_code refuse_hit(void *arg, const struct hit *h, struct err *err)
{
    (void)arg;
    (void)h;
    return err_set(err, ERR_IO, "enough");
}

PROJECT_TEST(each_in_order)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct campaign k = world_terms("other");
    int64_t other = world_campaign(t->db, &k), seen[2] = {0, 0};
    struct sv name;
    world_grid(t->db, s.campaign, s.class_id, s.images, 2);
    world_grid(t->db, other, s.class_id, s.images, 1);
    world_grid(t->db, s.campaign, s.class_id, s.images + 1, 2);
    assert_int_equal(hits_each(t->db, s.campaign, count_hit, seen, &t->err), OK);
    assert_int_equal(seen[1], 2);
    assert_int_equal(hits_each(t->db, s.campaign, refuse_hit, NULL, &t->err), ERR_IO);
    temp_clear(t, ERR_IO, "io");
    assert_int_equal(hits_unnumbered(t->db, s.campaign, &t->arena, &name, &t->err), OK);
    assert_true(sv_starts(name, "image-"));
    assert_int_equal(hits_unnumbered(t->db, other + 1, &t->arena, &name, &t->err), OK);
    assert_int_equal(name.n, 0);
}

struct votes {
    struct hit_vote v[8];
    char worker[8][64];
    size_t n;
};

static enum err_code keep_vote(void *arg, const struct hit_vote *v, struct err *err)
{
    struct votes *all = arg;
    (void)err;
    snprintf(all->worker[all->n], sizeof *all->worker, SV_FMT, SV_ARG(v->worker));
    all->v[all->n++] = *v;
    return OK;
}

static void read_votes(struct temp_project *t, int64_t campaign, bool with_ids,
                       enum hit_order order, struct votes *out)
{
    out->n = 0;
    assert_int_equal(hits_votes(t->db, campaign, with_ids, order, keep_vote, out, &t->err), OK);
}

PROJECT_TEST(status_and_order)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct votes all;
    int64_t one = world_grid(t->db, s.campaign, s.class_id, s.images, 2);
    int64_t two = world_grid(t->db, s.campaign, s.class_id, s.images + 1, 2);
    world_vote(t->db, s.campaign, two, 1, false);
    int64_t out = world_vote(t->db, s.campaign, one, 2, false);
    world_vote(t->db, s.campaign, two, 3, true);
    int64_t paid = world_vote(t->db, s.campaign, one, 0, false);
    world_judge(t->db, out, true);
    assert_int_equal(work_answer_state(t->db, paid, "pay", "approved", "a test", 0, WORLD_NOW,
                                       &t->err),
                     OK);
    read_votes(t, s.campaign, false, HITS_BY_TIME, &all);
    assert_int_equal(all.n, 4);
    static const char status[] = "SRSA";
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(all.v[i].status, status[i]);
        assert_int_equal(all.v[i].surplus, i == 2);
        assert_int_equal(all.v[i].grid, i % 2 ? one : two);
        assert_int_equal(all.v[i].accepted_at, WORLD_NOW);
        assert_int_equal(all.v[i].duration_ms, 40000);
    }
    assert_int_equal(all.v[1].mask, 2);
    read_votes(t, s.campaign, false, HITS_BY_GRID, &all);
    assert_int_equal(all.n, 4);
    assert_int_equal(all.v[1].grid, one);
    assert_int_equal(all.v[2].grid, two);
}

/* What a panel calls somebody is only told when it is asked for; imported ids are the study's own. */
PROJECT_TEST(names_of_workers)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct votes all;
    static const char *const kinds[] = {"worker", "imported"};
    for (int i = 0; i < 2; i++) {
        int64_t person, grid = world_grid(t->db, s.campaign, s.class_id, s.images, 1);
        assert_int_equal(people_create(t->db, WORLD_NOW, 0, kinds[i], &person, &t->err), OK);
        assert_int_equal(people_identify(t->db, WORLD_NOW, 0, person, SV("panel"),
                                         sv_of(i ? "theirs" : "secret"), SV(""), &t->err),
                         OK);
        int64_t place = world_place(t->db, s.campaign, person);
        world_answer(t->db, world_lend(t->db, grid, person, place, WORLD_NOW, WORLD_NOW + 1), 0,
                     false, WORLD_NOW);
    }
    read_votes(t, s.campaign, false, HITS_BY_TIME, &all);
    assert_string_not_equal(all.worker[0], "secret");
    assert_string_equal(all.worker[1], "theirs");
    read_votes(t, s.campaign, true, HITS_BY_TIME, &all);
    assert_string_equal(all.worker[0], "secret");
    assert_string_equal(all.worker[1], "theirs");
}
