/* checks_test.c - which images' objects are known, and the tasks that are made of them. */
#include "unit.h"

#include "sets/labels/checks.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

enum { LABELS = 6, IMAGES = 8, PEOPLE = 6 };

struct scene {
    int64_t label[LABELS], image[IMAGES], campaign;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("objects");
    k.classify = true;
    for (unsigned i = 0; i < LABELS; i++) {
        s.label[i] = world_class(t->db, i + 1);
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        s.image[i] = world_image(t->db, i, s.label[0], "candidate");
    }
    s.campaign = world_campaign(t->db, &k);
    return s;
}

/* `people` answers to a new task of image `at`; the last says `last` instead of `mask`. */
static int64_t ask(struct temp_project *t, const struct scene *s, unsigned at, unsigned people, uint64_t mask, uint64_t last)
{
    int64_t task = world_task(t->db, s->campaign, s->label[0], s->image[at], s->label, 4, 0), answer = 0;
    for (unsigned i = 0; i < people; i++) {
        int64_t person = world_person(t->db), place = world_place(t->db, s->campaign, person);
        uint64_t said = i + 1 == people ? last : mask;
        int64_t lent = world_lend(t->db, task, person, place, WORLD_NOW, WORLD_NOW + 1000);
        answer = world_ticks(t->db, lent, said, said ? __builtin_ctzll(said) : OPTION_NONE, WORLD_NOW + 10);
    }
    return answer;
}

/* An image of the plan: of six people `own` found its label, and each of the others as many as `found` says. */
static void add(struct label_plan_book *b, const struct scene *s, unsigned at, unsigned char stage, uint32_t own, const uint32_t found[3])
{
    label_plan_image(b, (uint32_t)s->image[at], (uint32_t)s->label[at == 4 ? 4 : at % 2 ? 5 : 0])->stage = stage;
    for (unsigned i = 0; i < 4; i++) {
        unsigned class_of = at % 2 && i == 3 ? 5 : i;
        struct planned_label *l = label_plan_label(b, (uint32_t)s->label[class_of]);
        bool is_own = l->class_id == b->images[b->n - 1].class_id;
        l->shown = 6;
        l->selected = is_own ? own : found[i < 3 ? i : 0];
        l->rank = is_own ? 0 : stage == CANDIDATES_FU && i < 3 ? (uint16_t)(i + 1) : LABEL_PLAN_NO_RANK;
    }
}

static bool is_first(void *arg, uint32_t image) { return image == *(const uint32_t *)arg; }

PROJECT_TEST(what_everybody_agreed_on)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    const struct label_plan_book none = {0};
    struct checks_ask how = {.book = &none, .seed = 7};
    struct check_pool pool;
    struct check_task task[2];
    ask(t, &s, 0, 5, 2, 2);
    ask(t, &s, 1, 5, 6, 6);
    ask(t, &s, 2, 4, 6, 6);           /* too few */
    ask(t, &s, 3, 6, 6, 2);           /* one says something else */
    ask(t, &s, 4, 5, 7, 7);           /* three objects */
    ask(t, &s, 5, 5, 0, 0);           /* none of these */
    int64_t odd = ask(t, &s, 6, 6, 8, 1);
    ask(t, &s, 0, 1, 2, 2);           /* the same in another task */
    assert_int_equal(checks_find(t->db, &how, &t->arena, &pool, &t->err), OK);
    assert_int_equal(pool.n_one, 1);
    assert_int_equal(pool.n_two, 1);
    assert_int_equal(pool.easy, 0);
    checks_draw(&pool, &how, 5, 1, task);
    assert_int_equal(task[0].image, s.image[0]);
    assert_int_equal(task[0].options.known, 2);
    assert_int_equal(task[0].options.n, 4);
    assert_int_equal(task[1].image, s.image[1]);
    assert_int_equal(task[1].options.known, 6);
    assert_int_equal(task[1].options.class_id[2], s.label[2]);
    checks_release(&pool);
    /* A decision takes the odd answer out; somebody disagrees about the first image elsewhere. */
    world_judge(t->db, odd, true);
    ask(t, &s, 0, 1, 4, 4);
    uint32_t gone = (uint32_t)s.image[1];
    how.taken = is_first;
    how.taken_arg = &gone;
    assert_int_equal(checks_find(t->db, &how, &t->arena, &pool, &t->err), OK);
    assert_int_equal(pool.n_two, 0);
    assert_int_equal(pool.n_one, 1);
    checks_draw(&pool, &how, 1, 0, task);
    assert_int_equal(task[0].image, s.image[6]);
    assert_int_equal(task[0].options.known, 8);
    checks_release(&pool);
}

PROJECT_TEST(easy_images_are_filled_up_with_what_is_not_there)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct label_plan_book book = {0};
    struct checks_ask how = {.book = &book, .least = 5, .seed = 3};
    struct check_pool pool;
    struct check_task task[IMAGES], again[IMAGES];
    add(&book, &s, 0, CANDIDATES_EASY, 6, (const uint32_t[]){0, 0, 2});
    add(&book, &s, 1, CANDIDATES_EASY, 6, (const uint32_t[]){1, 2, 2}); /* of its labels none is surely absent, but image 4's is */
    add(&book, &s, 2, CANDIDATES_EASY, 4, (const uint32_t[]){0, 0, 0}); /* not sure */
    add(&book, &s, 3, CANDIDATES_FU, 6, (const uint32_t[]){5, 5, 5});
    add(&book, &s, 4, CANDIDATES_MIS, 0, (const uint32_t[]){5, 5, 5});
    add(&book, &s, 5, CANDIDATES_EASY, 6, (const uint32_t[]){0, 0, 0});
    ask(t, &s, 3, 5, 1, 1); /* agreed, but asked about by this plan */
    ask(t, &s, 5, 5, 6, 6); /* easy, but those who were asked agreed that it shows two */
    assert_int_equal(checks_find(t->db, &how, &t->arena, &pool, &t->err), OK);
    assert_int_equal(pool.n_two, 1);
    assert_int_equal(pool.easy, 2);
    assert_int_equal(pool.n_one, 2);
    checks_draw(&pool, &how, 2, 0, task);
    checks_draw(&pool, &how, 2, 0, again);
    assert_memory_equal(task, again, 2 * sizeof *task);
    for (size_t i = 0; i < 2; i++) {
        const struct grid_options *o = &task[i].options;
        bool even = task[i].image == s.image[0];
        assert_true(even || task[i].image == s.image[1]);
        assert_in_range(o->n, 2, 4);
        for (unsigned k = 0; k < o->n; k++) {
            bool own = o->class_id[k] == s.label[even ? 0 : 5];
            assert_int_equal(o->known >> k & 1, own);
            assert_true(!even || o->class_id[k] != s.label[2]); /* it was found twice */
        }
    }
    checks_release(&pool);
    label_plan_release(&book);
}
