/* responses_test.c - answers of CLASSIFY tasks come back in order, with what people saw; the database refuses others. */
#include "unit.h"

#include "store/work/responses.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 3, LABELS = 4, MOST = 8 };

struct scene {
    int64_t label[LABELS], image[IMAGES], campaign, task[IMAGES], contains, grid;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("objects");
    k.classify = k.none_of_these = true;
    for (unsigned i = 0; i < LABELS; i++) {
        s.label[i] = world_class(t->db, i + 1);
    }
    s.campaign = world_campaign(t->db, &k);
    for (unsigned i = 0; i < IMAGES; i++) {
        s.image[i] = world_image(t->db, i, s.label[0], "candidate");
        s.task[i] = world_task(t->db, s.campaign, s.label[0], s.image[i], s.label + 1 - (i == 0), 3, i == 2 ? 5 : 0);
    }
    k = world_terms("main");
    s.contains = world_campaign(t->db, &k);
    s.grid = world_grid(t->db, s.contains, s.label[0], s.image, IMAGES);
    return s;
}

static int64_t tick(struct temp_project *t, const struct scene *s, unsigned task, uint64_t mask, int main)
{
    int64_t person = world_person(t->db);
    int64_t place = world_place(t->db, s->campaign, person);
    int64_t lent = world_lend(t->db, s->task[task], person, place, WORLD_NOW, WORLD_NOW + 1000);
    return world_ticks(t->db, lent, mask, main, WORLD_NOW + 10);
}

struct walk {
    unsigned n;
    struct work_response at[MOST];
};

static enum err_code note(void *arg, const struct work_response *w, struct err *err)
{
    (void)err;
    struct walk *k = arg;
    assert_true(k->n < MOST);
    k->at[k->n++] = *w;
    return OK;
}

static struct walk walk(struct temp_project *t, struct responses_of of)
{
    struct walk k = {0};
    of.until = of.until ? of.until : INT64_MAX;
    assert_int_equal(responses_each(t->db, &of, &t->arena, note, &k, &t->err), OK);
    return k;
}

PROJECT_TEST(every_answer_in_the_order_of_events)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t first = tick(t, &s, 1, 6, 2);
    world_vote(t->db, s.contains, s.grid, 7, false); /* the other task's: not a response */
    int64_t second = tick(t, &s, 0, 1, 0), third = tick(t, &s, 1, 0, OPTION_NONE);
    struct walk k = walk(t, (struct responses_of){0});
    assert_int_equal(k.n, 3);
    assert_int_equal(k.at[0].id, first);
    assert_int_equal(k.at[0].grid, s.task[1]);
    assert_int_equal(k.at[0].image, s.image[1]);
    assert_int_equal(k.at[0].campaign, s.campaign);
    assert_int_equal(k.at[0].class_id, s.label[0]);
    assert_int_equal(k.at[0].mask, 6);
    assert_int_equal(k.at[0].main, 2);
    assert_int_equal(k.at[0].active_ms, 40000);
    assert_int_equal(k.at[0].options->n, 3);
    assert_int_equal(k.at[0].options->class_id[0], s.label[1]);
    assert_int_equal(k.at[1].id, second);
    assert_int_equal(k.at[1].options->class_id[0], s.label[0]);
    assert_int_equal(k.at[2].id, third);
    assert_int_equal(k.at[2].main, OPTION_NONE);
    assert_true(k.at[2].none_offered);
    assert_ptr_equal(k.at[2].options, k.at[0].options);
    /* Some of them: of an image, after an event, of another campaign. */
    assert_int_equal(walk(t, (struct responses_of){.image = s.image[1]}).n, 2);
    assert_int_equal(walk(t, (struct responses_of){.after = first}).n, 2);
    assert_int_equal(walk(t, (struct responses_of){.until = second}).n, 2);
    assert_int_equal(walk(t, (struct responses_of){.campaign = s.contains}).n, 0);
}

PROJECT_TEST(whether_it_counts_as_of_an_event)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t id = tick(t, &s, 2, 5, 0);
    world_judge(t->db, id, true);
    struct walk k = walk(t, (struct responses_of){0});
    assert_true(k.at[0].out);
    assert_int_equal(k.at[0].role, CELL_GOLD);
    assert_int_equal(k.at[0].options->known, 5);
    assert_false(walk(t, (struct responses_of){.until = id}).at[0].out);
    world_judge(t->db, id, false);
    assert_false(walk(t, (struct responses_of){0}).at[0].out);
    world_exclude(t->db, s.task[2]);
    assert_true(walk(t, (struct responses_of){0}).at[0].excluded);
}

PROJECT_TEST(the_order_that_was_shown)
{
    struct grid_options options = {.n = 3};
    struct work_response w = {.seed = 7, .options = &options};
    uint8_t stored[GRID_CELLS], shown[GRID_CELLS];
    (void)state;
    grid_order((uint64_t)w.seed, w.shuffled, w.options->n, stored);
    assert_memory_equal(stored, "\0\1\2", 3);
    unsigned other = 0;
    for (w.shuffled = true, w.seed = 0; w.seed < 20; w.seed++) {
        grid_order((uint64_t)w.seed, w.shuffled, w.options->n, shown);
        other += memcmp(stored, shown, 3) != 0;
    }
    assert_in_range(other, 5, 20);
}

PROJECT_TEST(answers_are_votes_of_neither_kind_twice)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    tick(t, &s, 1, 6, 2);
    world_vote(t->db, s.contains, s.grid, 7, false);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM vote"), IMAGES);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM tick WHERE counted"), 2);
    assert_int_equal(temp_int(t, "SELECT class FROM tick WHERE main"), s.label[3]);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM exposure WHERE task = 'classify'"), 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM exposure WHERE task = 'contains'"), IMAGES);
}

PROJECT_TEST(a_main_label_that_was_not_ticked_is_refused)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    int64_t person = world_person(t->db), id;
    int64_t lent = world_lend(t->db, s.task[0], person, world_place(t->db, s.campaign, person), WORLD_NOW, WORLD_NOW + 1000);
    assert_int_not_equal(work_answer_create(t->db, lent, SV("client-1"), 5, 1, false, 5, SV(""), 6, &id, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM answer"), 0);
}

PROJECT_TEST(a_task_is_checked_with_its_options)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct grid_new g = {.campaign = s.campaign, .class_id = s.label[0], .name = SV("one"), .number = 9,
                         .cells = {1, {s.image[0]}, {CELL_CANDIDATE}}, .options = {2, {s.label[0], s.label[1]}, 0}};
    int64_t id = 0;
    assert_int_equal(grids_create(t->db, &g, 5, &id, &t->err), OK);
    assert_int_equal(grids_check(t->db, &g, &t->err), OK);
    g.options.class_id[1] = s.label[2];
    assert_int_equal(grids_check(t->db, &g, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "grid-differs");
    struct grid_options back;
    assert_int_equal(grids_options(t->db, id, &back, &t->err), OK);
    assert_int_equal(back.n, 2);
    assert_int_equal(back.class_id[1], s.label[1]);
    assert_int_equal(back.known, 0);
    assert_int_equal(grids_options(t->db, s.grid, &back, &t->err), OK);
    assert_int_equal(back.n, 0);
    /* The columns that campaigns have for it. */
    struct campaign k;
    assert_int_equal(campaigns_get(t->db, s.campaign, &t->arena, &k, &t->err), OK);
    assert_true(k.classify && k.none_of_these);
    assert_int_equal(campaigns_get(t->db, s.contains, &t->arena, &k, &t->err), OK);
    assert_false(k.classify || k.none_of_these);
}
