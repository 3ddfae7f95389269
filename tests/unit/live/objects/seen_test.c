/* seen_test.c - objects that follow the answers to CLASSIFY tasks under a view, as of any event, made again only where
 * something changed. */
#include "unit.h"

#include "live/core/lent.h"
#include "live/objects/seen.h"
#include "store/votes/views.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

enum { IMAGES = 3, LABELS = 4, ANSWERS = 5 };

struct scene {
    int64_t label[LABELS], image[IMAGES], campaign, task[IMAGES], person[ANSWERS + 1], place[ANSWERS + 1];
    struct vote_view view;
};

static struct scene make_scene(struct temp_project *t)
{
    struct scene s;
    struct campaign k = world_terms("objects");
    k.classify = true;
    for (unsigned i = 0; i < LABELS; i++) {
        s.label[i] = world_class(t->db, i + 1);
    }
    s.campaign = world_campaign(t->db, &k);
    for (unsigned i = 0; i < IMAGES; i++) {
        s.image[i] = world_image(t->db, i, s.label[0], "candidate");
        s.task[i] = world_task(t->db, s.campaign, s.label[0], s.image[i], s.label, LABELS, i == 2 ? 2 : 0);
    }
    for (unsigned i = 0; i <= ANSWERS; i++) {
        s.person[i] = world_person(t->db);
        s.place[i] = world_place(t->db, s.campaign, s.person[i]);
    }
    assert_int_equal(views_find(t->db, SV("default"), &t->arena, &s.view, &t->err), OK);
    return s;
}

static int64_t tick(struct temp_project *t, const struct scene *s, unsigned task, unsigned who, uint64_t mask, int main)
{
    int64_t lent = world_lend(t->db, s->task[task], s->person[who], s->place[who], WORLD_NOW, WORLD_NOW + 1000);
    return world_ticks(t->db, lent, mask, main, WORLD_NOW + 10);
}

/* Two objects: label 0 or 1, and label 2. */
static int64_t tick_all(struct temp_project *t, const struct scene *s, unsigned task)
{
    int64_t last = 0;
    for (unsigned i = 0; i < ANSWERS; i++) {
        last = tick(t, s, task, i, i < 3 ? 5 : 6, i < 3 ? 0 : 1);
    }
    return last;
}

PROJECT_TEST(objects_follow_the_answers)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct seen_hold seen;
    struct object_response responses[ANSWERS];
    uint32_t rows[ANSWERS];
    int64_t last = tick_all(t, &s, 0);
    tick(t, &s, 2, 0, 2, 1); /* a check */
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen.objects->n, 1);
    const struct seen_image *im = seen_find(seen.objects, s.image[0]);
    assert_non_null(im);
    assert_null(seen_find(seen.objects, s.image[1]));
    assert_null(seen_find(seen.objects, s.image[2]));
    assert_int_equal(im->class_id, s.label[0]);
    assert_int_equal(im->n_labels, LABELS);
    assert_int_equal(im->labels[1], s.label[1]);
    assert_int_equal(im->found.n, 2);
    assert_int_equal(im->found.main, 0);
    assert_int_equal(im->found.main_count, 3);
    assert_int_equal(im->found.object[im->found.main_object].labels, 3);
    assert_int_equal(im->found.within_cost, 0);
    assert_int_equal(seen_responses(seen.ledger, im, responses, rows), ANSWERS);
    assert_int_equal(responses[4].selected, 6);
    assert_int_equal(seen.ledger->rows[rows[4]].id, last);
    seen_let_go(&seen);
}

PROJECT_TEST(a_view_leaves_answers_and_people_out)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct seen_hold seen;
    tick_all(t, &s, 0);
    tick(t, &s, 2, 0, 1, 0); /* wrong: label 1 is known to be there */
    tick(t, &s, 2, 1, 2, 1);
    s.view.rules = (struct view_rules){1, {{RULE_GOLD_LEAST, 50, 0}}};
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    const struct seen_image *im = seen_find(seen.objects, s.image[0]);
    assert_int_equal(im->n_counted, ANSWERS - 1); /* those who saw no check stay */
    assert_true(im->found.few);
    seen_let_go(&seen);
    s.view.rules = (struct view_rules){1, {{RULE_ACTIVE_LEAST, 1000, 0}}};
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen_find(seen.objects, s.image[0])->n_counted, 0);
    seen_let_go(&seen);
    s.view.rules = (struct view_rules){1, {{RULE_FIRST_VOTES, 3, 0}}};
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    im = seen_find(seen.objects, s.image[0]);
    assert_int_equal(im->n_counted, 3);
    assert_int_equal(im->counted[2], 2);
    seen_let_go(&seen);
    s.view.rules = (struct view_rules){0};
    s.view.kinds = SV("pilot");
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen_find(seen.objects, s.image[0])->n_counted, 0);
    seen_let_go(&seen);
}

PROJECT_TEST(none_of_these_and_surplus_are_no_responses)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct seen_hold seen;
    tick_all(t, &s, 1);
    tick(t, &s, 1, ANSWERS, 0, OPTION_NONE);
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    const struct seen_image *im = seen_find(seen.objects, s.image[1]);
    assert_int_equal(im->n_counted, ANSWERS + 1);
    assert_int_equal(im->none, 1);
    assert_int_equal(im->found.responses, ANSWERS);
    seen_let_go(&seen);
}

/* With what is kept: only images that changed are made again, and every earlier event is as it was. */
PROJECT_TEST(only_what_changed_is_made_again)
{
    struct temp_project *t = *state;
    struct scene s = make_scene(t);
    struct seen_kept *kept = seen_kept_new();
    struct seen_hold seen;
    db_lend(t->db, &(struct live_lent){.seen = kept});
    int64_t first = tick_all(t, &s, 0), id = tick_all(t, &s, 1);
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen.objects->made, 2);
    assert_int_equal(seen.objects->number, id);
    seen_let_go(&seen);
    world_event(t->db, "anything");
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen.objects->made, 2);
    assert_int_equal(seen.objects->number, id); /* says nothing of anything here */
    seen_let_go(&seen);
    /* A decision takes an answer out, and in again. */
    world_judge(t->db, id, true);
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen.objects->made, 3);
    assert_true(seen_find(seen.objects, s.image[1])->found.few);
    assert_true(seen.objects->number > id);
    seen_let_go(&seen);
    assert_int_equal(seen_look(t->db, &s.view, id, &seen, &t->err), OK);
    assert_int_equal(seen_find(seen.objects, s.image[1])->found.responses, ANSWERS);
    assert_int_equal(seen.objects->number, id);
    seen_let_go(&seen);
    assert_int_equal(seen_look(t->db, &s.view, first, &seen, &t->err), OK);
    assert_int_equal(seen_find(seen.objects, s.image[1])->n_counted, 0);
    assert_false(seen_find(seen.objects, s.image[0])->found.few);
    seen_let_go(&seen);
    /* So does the exclusion of a task; a forgotten person's answers stay. */
    int64_t before = temp_int(t, "SELECT max(id) FROM event");
    world_exclude(t->db, s.task[0]);
    world_forget(t->db, s.person[0]);
    assert_int_equal(seen_look(t->db, &s.view, 0, &seen, &t->err), OK);
    assert_int_equal(seen_find(seen.objects, s.image[0])->n_counted, 0);
    assert_int_equal(seen_find(seen.objects, s.image[1])->n_counted, ANSWERS - 1);
    seen_let_go(&seen);
    assert_int_equal(seen_look(t->db, &s.view, before, &seen, &t->err), OK);
    assert_int_equal(seen_find(seen.objects, s.image[0])->n_counted, ANSWERS);
    seen_let_go(&seen);
    db_lend(t->db, NULL);
    seen_kept_free(kept);
}
