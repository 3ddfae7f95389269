/* votes_test.c - answers as measurements, counted by SQL on a study small enough to do by hand. */
#include "unit.h"

#include "store/core/events.h"
#include "store/people/people.h"
#include "store/votes/votes.h"
#include "store/work/work.h"
#include "temp_project.h"
#include "world.h"

/* Two classes. Grid A of class 1: images 0 (candidate), 1 (positive), 2 (negative). Grid B of class
 * 2: images 2 (positive) and 0 (negative). Grid X is excluded; grid P belongs to a pilot. */
struct study {
    int64_t one, two, images[3], campaign, pilot, a, b, x, p;
};

static struct study make_study(struct temp_project *t)
{
    static const enum cell_role a[] = {CELL_CANDIDATE, CELL_POSITIVE, CELL_NEGATIVE};
    static const enum cell_role b[] = {CELL_POSITIVE, CELL_NEGATIVE};
    struct study s;
    struct campaign k = world_terms("main"), pilot = world_terms("try");
    pilot.kind = SV("pilot");
    s.one = world_class(t->db, 1);
    s.two = world_class(t->db, 2);
    for (unsigned i = 0; i < 3; i++) {
        s.images[i] = world_image(t->db, i, i == 2 ? s.two : s.one, i ? "original" : "candidate");
    }
    s.campaign = world_campaign(t->db, &k);
    s.pilot = world_campaign(t->db, &pilot);
    int64_t of_b[] = {s.images[2], s.images[0]};
    s.a = world_grid_roles(t->db, s.campaign, s.one, s.images, a, 3, "");
    s.b = world_grid_roles(t->db, s.campaign, s.two, of_b, b, 2, "");
    s.x = world_grid_roles(t->db, s.campaign, s.one, s.images, a, 3, "missing images");
    s.p = world_grid_roles(t->db, s.pilot, s.one, s.images, a, 3, "");
    return s;
}

struct pairs {
    struct study s;
    char text[512];
    size_t n;
};

static enum err_code see_pair(void *arg, const struct vote_pair *p, struct err *err)
{
    struct pairs *seen = arg;
    (void)err;
    seen->n += (size_t)snprintf(seen->text + seen->n, sizeof seen->text - seen->n,
                                "%.*s/%.*s %lld:%lld ", SV_ARG(p->image_name), SV_ARG(p->wnid),
                                (long long)p->selected, (long long)p->shown);
    return OK;
}

PROJECT_TEST(recount)
{
    struct temp_project *t = *state;
    struct pairs seen = {.s = make_study(t)};
    const struct study *s = &seen.s;
    world_vote(t->db, s->campaign, s->a, 3, false);              /* images 0 and 1 */
    world_vote(t->db, s->campaign, s->a, 2, false);              /* image 1 */
    world_vote(t->db, s->campaign, s->a, 7, true);               /* surplus */
    int64_t out = world_vote(t->db, s->campaign, s->a, 7, false);
    int64_t back = world_vote(t->db, s->campaign, s->a, 4, false); /* image 2 */
    world_vote(t->db, s->campaign, s->x, 7, false);              /* excluded */
    world_vote(t->db, s->pilot, s->p, 7, false);                 /* not in the view */
    world_judge(t->db, back, true);
    world_judge(t->db, out, true);
    world_judge(t->db, back, false);
    assert_int_equal(votes_recount(t->db, see_pair, &seen, &t->err), OK);
    assert_string_equal(seen.text, "image-0/n00000001 1:3 image-0/n00000002 0:0 "
                                   "image-1/n00000001 2:3 image-2/n00000001 1:3 "
                                   "image-2/n00000002 0:0 ");
    uint64_t shown, selected;
    assert_int_equal(votes_sum(t->db, &shown, &selected, &t->err), OK);
    assert_int_equal(shown, 9);
    assert_int_equal(selected, 4);
}

/* A paid rejection says nothing of the analysis. */
PROJECT_TEST(pay_is_another_field)
{
    struct temp_project *t = *state;
    struct pairs seen = {.s = make_study(t)};
    int64_t answer = world_vote(t->db, seen.s.campaign, seen.s.b, 1, false);
    assert_int_equal(work_answer_state(t->db, answer, "pay", "rejected", "rule", 0, 1, &t->err), OK);
    assert_int_equal(votes_recount(t->db, see_pair, &seen, &t->err), OK);
    assert_non_null(strstr(seen.text, "image-2/n00000002 1:1 "));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM vote WHERE counted"), 2);
}

struct workers {
    char text[512];
    size_t n;
};

static enum err_code see_worker(void *arg, const struct vote_worker *w, struct err *err)
{
    struct workers *seen = arg;
    (void)err;
    seen->n += (size_t)snprintf(
        seen->text + seen->n, sizeof seen->text - seen->n,
        "%.*s %lld-%lld pos %lld/%lld neg %lld/%lld sel %lld %llds; ", SV_ARG(w->worker),
        (long long)w->assignments, (long long)w->rejected, (long long)w->pos_correct,
        (long long)w->pos_total, (long long)w->neg_correct, (long long)w->neg_total,
        (long long)w->n_selected, (long long)w->total_duration_s);
    return OK;
}

static int64_t named(struct temp_project *t, struct sv id)
{
    int64_t person = world_person(t->db);
    assert_int_equal(people_identify(t->db, 1, 0, person, SV("panel"), id, SV(""), &t->err), OK);
    return person;
}

static void import_vote(struct temp_project *t, const char *name, int64_t grid, int64_t person,
                        uint64_t mask, char status)
{
    bool added;
    struct work_imported w = {.name = sv_of(name), .grid = grid, .person = person,
                              .accepted_at = 1000, .active_ms = 12500, .mask = mask,
                              .status = status};
    assert_int_equal(work_import(t->db, &w, 1, &added, &t->err), OK);
}

PROJECT_TEST(workers)
{
    struct temp_project *t = *state;
    struct study s = make_study(t);
    struct workers seen = {.n = 0};
    int64_t zoe = named(t, SV("zoe")), ada = named(t, SV("ada")), idle = named(t, SV("idle"));
    import_vote(t, "1", s.a, zoe, 3, 'S'); /* right on both controls, two selected */
    import_vote(t, "2", s.b, zoe, 2, 'A'); /* wrong on both, one selected */
    import_vote(t, "3", s.a, ada, 4, 'R'); /* rejected: counts in the first two only */
    import_vote(t, "4", s.b, ada, 1, 'A'); /* right on both */
    import_vote(t, "5", s.x, ada, 7, 'A'); /* of an excluded grid */
    import_vote(t, "6", s.x, idle, 7, 'A');
    assert_int_equal(votes_workers(t->db, true, see_worker, &seen, &t->err), OK);
    assert_string_equal(seen.text, "ada 2-1 pos 1/1 neg 1/1 sel 1 12s; "
                                   "zoe 2-0 pos 1/2 neg 1/2 sel 3 25s; ");
    int64_t forgotten = world_person(t->db);
    import_vote(t, "7", s.a, forgotten, 0, 'S');
    seen = (struct workers){.n = 0};
    assert_int_equal(votes_workers(t->db, true, see_worker, &seen, &t->err), OK);
    assert_non_null(strstr(seen.text, "; p")); /* by the pseudonym; "p" and twelve letters */
    seen = (struct workers){.n = 0}; /* nobody by what a panel calls them, unless asked for */
    assert_int_equal(votes_workers(t->db, false, see_worker, &seen, &t->err), OK);
    assert_true(seen.n > 0 && !strstr(seen.text, "ada") && !strstr(seen.text, "zoe"));
    assert_int_equal(temp_int(t, "SELECT count(*) FROM person WHERE length(pseudonym) = 13"), 4);
}

PROJECT_TEST(news)
{
    struct temp_project *t = *state;
    struct study s = make_study(t);
    struct votes_news news;
    int64_t last = temp_int(t, "SELECT max(id) FROM event");
    assert_int_equal(votes_news(t->db, 0, &news, &t->err), OK);
    assert_true(news.plan_changed && news.view_changed && news.last == last);
    assert_int_equal(votes_news(t->db, last, &news, &t->err), OK);
    assert_true(!news.plan_changed && !news.view_changed && news.last == last);
    world_vote(t->db, s.campaign, s.a, 0, false);
    assert_int_equal(votes_news(t->db, last, &news, &t->err), OK);
    assert_true(!news.plan_changed && !news.view_changed && news.last > last);
    last = news.last;
    world_exclude(t->db, s.a);
    assert_int_equal(votes_news(t->db, last, &news, &t->err), OK);
    assert_true(!news.plan_changed && news.view_changed);
    last = news.last;
    /* Named views are none of the default view's business. */
    assert_int_equal(events_add(t->db, 1, 0, "views.create", 0, NULL, NULL, &t->err), OK);
    assert_int_equal(votes_news(t->db, last, &news, &t->err), OK);
    assert_true(!news.plan_changed && !news.view_changed && !news.shown_changed);
    last = news.last;
    assert_int_equal(campaigns_set_state(t->db, s.campaign, "paused", 0, 1, &t->err), OK);
    assert_int_equal(votes_news(t->db, last, &news, &t->err), OK);
    assert_true(news.plan_changed && !news.view_changed);
}

static enum err_code count_answer(void *arg, const struct vote_answer *w, struct err *err)
{
    int *n = arg;
    if (w->surplus) {
        return err_set(err, ERR_LIMIT, "the surplus one");
    }
    ++*n;
    return OK;
}

static int64_t see_first; /* answer that others are numbered from */

static enum err_code see_state(void *arg, const struct vote_state *s, struct err *err)
{
    char *text = arg;
    (void)err;
    size_t n = strlen(text);
    snprintf(text + n, 64 - n, "%s%lld%s ", s->out ? "out" : "in",
             (long long)(s->answer - see_first), s->has_seed ? "s" : "");
    return OK;
}

PROJECT_TEST(answers_and_states_after_a_cursor)
{
    struct temp_project *t = *state;
    struct study s = make_study(t);
    int n = 0;
    char text[64] = "";
    int64_t one = world_vote(t->db, s.campaign, s.a, 1, false);
    int64_t two = world_vote(t->db, s.campaign, s.a, 2, false);
    see_first = one;
    assert_int_equal(votes_answers(t->db, 0, two, count_answer, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(votes_answers(t->db, one, two - 1, count_answer, &n, &t->err), OK);
    assert_int_equal(n, 2);
    assert_int_equal(votes_answers(t->db, one, two, count_answer, &n, &t->err), OK);
    assert_int_equal(n, 3);
    int64_t late = world_vote(t->db, s.campaign, s.a, 4, true);
    assert_int_equal(votes_answers(t->db, 0, late, count_answer, &n, &t->err), ERR_LIMIT);
    temp_clear(t, ERR_LIMIT, "limit");
    world_judge(t->db, two, true);
    world_judge(t->db, late, true);
    assert_int_equal(work_answer_state(t->db, one, "pay", "bonus", "rule", 0, 1, &t->err), OK);
    world_judge(t->db, two, false);
    assert_int_equal(votes_states(t->db, 0, late + 100, see_state, text, &t->err), OK);
    char want[64];
    snprintf(want, sizeof want, "out%lld out%lld in%lld ", (long long)(two - one),
             (long long)(late - one), (long long)(two - one));
    assert_string_equal(text, want);
}

static enum err_code keep_answer(void *arg, const struct vote_answer *w, struct err *err)
{
    (void)err;
    *(struct vote_answer *)arg = *w;
    return OK;
}

/* Who answered, when, how long it took, in which order the cells were shown. */
PROJECT_TEST(an_answer_whole)
{
    struct temp_project *t = *state;
    struct study s = make_study(t);
    struct vote_answer w = {0};
    int64_t person = world_person(t->db), place = world_place(t->db, s.campaign, person);
    int64_t lent = world_lend(t->db, s.a, person, place, WORLD_NOW, WORLD_NOW + 1000);
    int64_t id = world_answer(t->db, lent, 5, true, WORLD_NOW + 7);
    assert_int_equal(votes_answers(t->db, 0, id, keep_answer, &w, &t->err), OK);
    assert_true(w.id == id && w.grid == s.a && w.person == person && w.at == WORLD_NOW + 7);
    assert_true(w.active_ms == 40000 && w.mask == 5 && w.surplus && !w.has_seed);
    assert_int_equal(db_script(t->db, "UPDATE assignment SET seed = 9007199254740991;"
                                      " UPDATE answer SET active_ms = NULL", &t->err),
                     OK);
    assert_int_equal(votes_answers(t->db, 0, id, keep_answer, &w, &t->err), OK);
    assert_true(w.active_ms == 0 && w.has_seed && w.seed == 9007199254740991);
}

PROJECT_TEST(over_n)
{
    struct temp_project *t = *state;
    struct study s = make_study(t);
    int64_t grids = 9;
    for (int i = 0; i < 3; i++) {
        world_vote(t->db, s.campaign, s.a, 0, false);
    }
    world_vote(t->db, s.campaign, s.a, 0, true);
    assert_int_equal(votes_over_n(t->db, &grids, &t->err), OK);
    assert_int_equal(grids, 0);
    world_vote(t->db, s.campaign, s.a, 0, false);
    assert_int_equal(votes_over_n(t->db, &grids, &t->err), OK);
    assert_int_equal(grids, 1);
    assert_int_equal(db_script(t->db, "UPDATE campaign SET imported = 1", &t->err), OK);
    assert_int_equal(votes_over_n(t->db, &grids, &t->err), OK);
    assert_int_equal(grids, 0); /* N of a study done elsewhere was not ours to keep */
}
