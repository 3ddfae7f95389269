/* new.c - a campaign is planned: which task, about which labels, on which terms; what that takes; and the job that makes it a
 * draft, which its own page opens. Rows in routes.c (role lead); templates/campaigns/new. The commands `holdout grids` and
 * `holdout classify` do the same, and check once more. */
#include <string.h>

#include "json/object.h"
#include "sets/labels/checks.h"
#include "store/campaigns/campaigns.h"
#include "web/core/form_refused.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"
#include "web/parts/label_ways.h"

enum { CHECKS_MOST = 100000, CHECKS_UNSAID = -1, CHECKS_PER_CENT = 5, NAMES_TRIED = 100 };

/* ---- what is asked ---- */

enum task { TASK_CONTAINS, TASK_CLASSIFY };
struct query {
    int task, kind;
    struct sv of; /* a plan of labels, NAME or NAME/VERSION; empty of CONTAINS: each class's own images */
    int64_t answers, grids, pay, people, a_day, classify, one, two;
    double minutes, share; /* share: of all answers by one person, in per cent */
};
static const struct list_word tasks[] = {{"contains", "CONTAINS: which photos contain it?", TASK_CONTAINS}, {"classify", "CLASSIFY: which objects are there?", TASK_CLASSIFY}, {0}};
static const struct list_word kinds[] = {{"main", "Main", 0}, {"pilot", "Pilot", 1}, {"top-up", "Top-up", 2}, {0}};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"task", LIST_WORD, AT(task), .words = tasks, .chips = "Task"},
    {"of", LIST_TEXT, AT(of), .moment = true},
    {"kind", LIST_WORD, AT(kind), .words = kinds, .moment = true},
    {"answers", LIST_NUMBER, AT(answers), .least = 1, .most = 1000, .moment = true},
    {"grids", LIST_NUMBER, AT(grids), .least = 1, .most = 10000, .moment = true},
    {"pay", LIST_NUMBER, AT(pay), .least = 0, .most = 1000000, .moment = true},
    {"minutes", LIST_REAL, AT(minutes), .least = 0, .most = 1000, .moment = true},
    {"share", LIST_REAL, AT(share), .least = 0, .most = 100, .moment = true},
    {"people", LIST_NUMBER, AT(people), .least = 0, .most = 100000000, .moment = true},
    {"a_day", LIST_NUMBER, AT(a_day), .least = 1, .most = 100000000, .moment = true},
    {"classify", LIST_NUMBER, AT(classify), .least = 0, .most = 1000, .moment = true},
    {"one", LIST_NUMBER, AT(one), .least = 0, .most = CHECKS_MOST, .moment = true},
    {"two", LIST_NUMBER, AT(two), .least = 0, .most = CHECKS_MOST, .moment = true},
    {0},
};
#undef AT
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};

struct asked {
    struct query q;
    struct campaign terms;
    bool of_plan;               /* there is a plan of labels */
    struct label_plan_row plan;
    struct feasible_terms people;
};

static enum label_plan_kind plan_kind(const struct asked *a) { return a->q.task == TASK_CLASSIFY ? LABEL_PLAN_CANDIDATES : LABEL_PLAN_POTENTIAL; }

/* The plan that is named; of CLASSIFY without a name the first there is. */
static enum err_code find_plan(struct ctx *c, struct asked *a)
{
    struct label_plan_row *list;
    size_t n = 0;
    a->of_plan = a->q.of.n > 0;
    if (a->of_plan) {
        return label_plans_find(c->db, plan_kind(a), a->q.of, c->arena, &a->plan, &c->err);
    }
    if (a->q.task == TASK_CONTAINS) {
        return OK;
    }
    enum err_code rc = label_plans_list(c->db, LABEL_PLAN_CANDIDATES, SV(""), c->arena, &list, &n, &c->err);
    a->of_plan = rc == OK && n > 0;
    if (a->of_plan) {
        a->plan = list[0];
    }
    return rc;
}

/* What is not said is as the commands have it. */
static enum err_code read_asked(struct ctx *c, struct asked *a)
{
    const struct query usual = {.a_day = PEOPLE_A_DAY, .classify = CLASSIFY_ANSWERS, .pay = -1, .one = CHECKS_UNSAID, .two = CHECKS_UNSAID};
    struct campaign *k = &a->terms;
    *a = (struct asked){.of_plan = false};
    if (list_read(c, &table, &usual, &a->q) != OK || find_plan(c, a) != OK) {
        return c->err.code;
    }
    struct query *q = &a->q;
    (q->task == TASK_CLASSIFY ? campaign_defaults_classify : campaign_defaults)(k);
    k->answers_per_grid = q->answers = q->answers ? q->answers : a->of_plan && q->task == TASK_CONTAINS ? CLASSIFY_ANSWERS : k->answers_per_grid;
    k->grids_per_place = q->grids = q->grids ? q->grids : k->grids_per_place;
    k->pay_cents = q->pay = q->pay >= 0 ? q->pay : k->pay_cents;
    k->expected_minutes = q->minutes = q->minutes > 0 ? q->minutes : k->expected_minutes;
    q->share = q->share > 0 ? q->share : 100 * k->max_share;
    k->max_share = q->share / 100;
    a->people = (struct feasible_terms){campaign_plan_terms(k), q->people, q->a_day, q->task == TASK_CONTAINS ? q->classify : 0};
    return OK;
}

/* ---- what CLASSIFY takes ---- */

struct classify_takes {
    size_t tasks, hidden; /* images of the stage fu; those of them that nobody is shown */
    size_t one, two, easy;  /* images whose objects are known, as checks */
    int64_t checks_one, checks_two;
    struct feasible_most most;
    struct feasible_way way;
};

static bool is_hidden(void *arg, uint32_t image) { return app_image_hidden(arg, image); }

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

/* One check in twenty tasks of either kind, where so many are known, unless a number is said. */
static void choose_checks(const struct query *q, struct classify_takes *t)
{
    int64_t usual = (int64_t)(t->tasks * CHECKS_PER_CENT + 99) / 100;
    t->checks_one = q->one >= 0 ? q->one : least_of(usual, (int64_t)t->one);
    t->checks_two = q->two >= 0 ? q->two : least_of(usual, (int64_t)t->two);
}

static enum err_code find_checks(struct ctx *c, const struct asked *a, const struct label_plan_book *book, struct classify_takes *t)
{
    const struct checks_ask ask = {book, (uint32_t)a->plan.least, 0, is_hidden, c->app};
    struct check_pool pool;
    enum err_code rc = checks_find(c->db, &ask, c->arena, &pool, &c->err);
    t->one = pool.n_one;
    t->two = pool.n_two;
    t->easy = pool.easy;
    checks_release(&pool);
    choose_checks(&a->q, t);
    return rc;
}

static enum err_code find_people(struct ctx *c, const struct asked *a, const struct label_plan_book *book, struct classify_takes *t)
{
    uint32_t *seen = arena_calloc(c->arena, book->n + 1, sizeof *seen), *grids = arena_calloc(c->arena, book->n + 1, sizeof *grids);
    for (size_t i = 0; i < book->n; i++) {
        bool asked = book->images[i].stage == CANDIDATES_FU, hidden = asked && app_image_hidden(c->app, book->images[i].image);
        grids[i] = asked && !hidden;
        t->tasks += grids[i];
        t->hidden += hidden;
    }
    if (feasible_seen(c->db, book, seen, &c->err) != OK || find_checks(c, a, book, t) != OK) {
        return c->err.code;
    }
    size_t all = t->tasks + (size_t)(t->checks_one + t->checks_two);
    const struct potential_depth depth = {.most = 1, .labels = all, .grids = all};
    t->most = feasible_most(book, grids, seen, a->q.answers);
    t->way = feasible_at(&a->people, &depth, a->q.answers, 0);
    feasible_put(&a->people, &t->most, &t->way);
    return OK;
}

static json_t *tiles_json(struct ctx *c, const struct asked *a, const struct classify_takes *t)
{
    struct arena *m = c->arena;
    const struct plan_cost *cost = &t->way.cost;
    json_t *tiles = json_array();
    data_tile(tiles, "Tasks", data_count(m, (int64_t)t->tasks + t->checks_one + t->checks_two),
              arena_printf(m, "%s images and %s checks", data_count(m, (int64_t)t->tasks), data_count(m, t->checks_one + t->checks_two)));
    data_tile(tiles, "Answers", data_count(m, cost->answers), arena_printf(m, "%s an image", data_count(m, a->q.answers)));
    data_tile(tiles, "People needed", data_count(m, t->way.people),
              t->most.seen ? arena_printf(m, "up to %s saw an image before and are not asked about it", data_count(m, t->most.seen))
                           : "nobody saw one of the images before");
    data_tile(tiles, "Hours of work", arena_printf(m, "%.1f", cost->hours),
              arena_printf(m, "%.3g min for the %s task%s of one person", cost->minutes, data_count(m, cost->per_place), cost->per_place == 1 ? "" : "s"));
    data_tile(tiles, "Cost", label_ways_money(m, cost->pay_cents), "pay without the panel's fee");
    data_tile_unit(tiles, data_text(a->terms.currency));
    data_tile(tiles, "Days", arena_printf(m, "%.0f", t->way.days), arena_printf(m, "with %s people a day", data_count(m, a->q.a_day)));
    return tiles;
}

/* Why it cannot be planned like this; NULL: it can. */
static const char *why_not(struct ctx *c, const struct asked *a, const struct classify_takes *t)
{
    struct arena *m = c->arena;
    return t->tasks == 0 ? "Nobody has to choose: no image of this plan that can be shown has several candidates."
           : t->checks_one > (int64_t)t->one || t->checks_two > (int64_t)t->two
               ? arena_printf(m, "There are not so many images whose objects are known: %s with one object, %s with two.", data_count(m, (int64_t)t->one),
                              data_count(m, (int64_t)t->two))
           : !t->way.possible ? arena_printf(m, "This takes %s different people, and %s can be had. Ask for fewer answers, let one person do more "
                                                "tasks, or find more people.",
                                             data_count(m, t->way.people), data_count(m, a->q.people))
                              : NULL;
}

/* {tiles, checks} or takes, and why: of a plan of labels. */
static enum err_code add_takes(struct ctx *c, const struct asked *a, json_t *page)
{
    struct label_plan_book book = {0};
    struct classify_takes t = {.tasks = 0};
    struct label_ways ways;
    enum err_code rc = label_plan_read(c->db, a->plan.list, c->arena, &book, &c->err);
    if (rc == OK && a->q.task == TASK_CLASSIFY) {
        rc = find_people(c, a, &book, &t);
        json_object_set_new(page, "tiles", rc == OK ? tiles_json(c, a, &t) : NULL);
        json_object_set_new(page, "checks", object(field_int("one", t.checks_one), field_int("two", t.checks_two),
                                                   field_text("one_most", data_count(c->arena, (int64_t)t.one)), field_text("two_most", data_count(c->arena, (int64_t)t.two)),
                                                   field_text("easy", data_count(c->arena, (int64_t)t.easy)),
                                                   field_text("unshown", t.hidden ? data_count(c->arena, (int64_t)t.hidden) : NULL)));
        json_object_set_new(page, "why", json_string(why_not(c, a, &t)));
    } else if (rc == OK) {
        rc = label_ways_find(c, &a->plan, &book, &a->people, &ways);
        json_object_set_new(page, "takes", rc == OK ? label_ways_json(c, &ways, &a->people) : NULL);
        json_object_set_new(page, "why", json_string(ways.way.possible ? NULL : "This takes more people than can be had."));
    }
    label_plan_release(&book);
    return rc;
}

/* ---- the page ---- */

/* The newest version of every plan of the kind; an older one that was asked for comes first. */
static json_t *plans_json(struct ctx *c, const struct asked *a)
{
    struct label_plan_row *list;
    size_t n = 0;
    bool listed = !a->of_plan;
    if (label_plans_list(c->db, plan_kind(a), SV(""), c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        bool current = a->of_plan && list[i].id == a->plan.id;
        listed = listed || current;
        object_add(rows, field_text("value", plan_title(c->arena, &list[i])),
                   field_text("label", arena_printf(c->arena, "%s, %s images", plan_title(c->arena, &list[i]), data_count(c->arena, list[i].images))),
                   field_bool("current", current));
    }
    if (!listed) {
        const char *title = plan_title(c->arena, &a->plan);
        json_array_insert_new(rows, 0, object(field_text("value", title), field_text("label", title), field_bool("current", true)));
    }
    return rows;
}

/* A name that no campaign has: "objects", "objects-2". */
static const char *free_name(struct ctx *c, const struct asked *a)
{
    const char *base = a->q.task == TASK_CLASSIFY ? "objects" : a->of_plan ? "found" : list_word_of(kinds, a->q.kind), *name = base;
    struct err none = {OK, "", ""};
    struct campaign k;
    for (int i = 2; i < NAMES_TRIED && campaigns_find(c->db, sv_of(name), c->arena, &k, &none) == OK; i++) {
        name = arena_printf(c->arena, "%s-%d", base, i);
    }
    return name;
}

/* What the plan's button posts beside a name and a title: as it was worked out above. */
static json_t *hidden_json(struct ctx *c, const struct asked *a, const json_t *checks)
{
    const struct query *q = &a->q;
    bool classify = q->task == TASK_CLASSIFY;
    const struct {
        const char *name;
        int64_t value;
        bool said;
    } numbers[] = {{"answers-per-grid", q->answers, true}, {"grids-per-place", q->grids, true}, {"pay", q->pay, true},
                   {"people", q->people, a->of_plan && q->people > 0}, {"people-a-day", q->a_day, a->of_plan},
                   {"classify-answers", q->classify, a->of_plan && !classify},
                   {"checks-one", json_integer_value(json_object_get(checks, "one")), classify},
                   {"checks-two", json_integer_value(json_object_get(checks, "two")), classify}};
    json_t *rows = json_array();
    object_add(rows, field_text("name", "task"), field_text("value", list_word_of(tasks, q->task)));
    object_add(rows, field_text("name", "of"), field_text("value", a->of_plan ? plan_title(c->arena, &a->plan) : ""));
    object_add(rows, field_text("name", "kind"), field_text("value", a->of_plan && !classify ? "potential" : list_word_of(kinds, q->kind)));
    object_add(rows, field_text("name", "minutes"), field_text("value", arena_printf(c->arena, "%g", q->minutes)));
    object_add(rows, field_text("name", "max-share"), field_text("value", arena_printf(c->arena, "%.6g", q->share / 100)));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].said) {
            object_add(rows, field_text("name", numbers[i].name), field_text("value", arena_printf(c->arena, "%lld", (long long)numbers[i].value)));
        }
    }
    return rows;
}

static json_t *query_json(struct ctx *c, const struct query *q)
{
    return object(field_int("answers", q->answers), field_int("grids", q->grids), field_int("pay", q->pay),
                  field_text("minutes", arena_printf(c->arena, "%g", q->minutes)),
                  field_text("share", arena_printf(c->arena, "%g", q->share)), field_int("people", q->people), field_int("a_day", q->a_day),
                  field_int("classify", q->classify));
}

static json_t *page_json(struct ctx *c, const struct asked *a)
{
    bool classify = a->q.task == TASK_CLASSIFY;
    json_t *plans = plans_json(c, a);
    if (!plans) {
        return NULL;
    }
    const char *plan_url = a->of_plan ? arena_printf(c->arena, "/label-plans/%s/" SV_FMT "?version=%lld", label_plan_kind_word(a->plan.kind),
                                                     SV_ARG(a->plan.name), (long long)a->plan.version)
                                      : NULL;
    return object(field_json("chips", list_chips(c, &table, "/campaigns/new", &a->q)), field_text("task", list_word_of(tasks, a->q.task)),
                  field_bool("classify", classify), field_json("plans", plans), field_bool("any_plans", json_array_size(plans) > 0),
                  field_bool("of_plan", a->of_plan), field_text("plan", a->of_plan ? plan_title(c->arena, &a->plan) : NULL),
                  field_text("plan_url", plan_url), field_json("kinds", list_options(kinds, a->q.kind)), field_json("query", query_json(c, &a->q)),
                  field_sv("currency", a->terms.currency), field_bool("can", a->of_plan || !classify), field_text("name", free_name(c, a)),
                  field_text("title", classify ? "Which objects do you see?" : "Which photos contain it?"), field_null("takes"),
                  field_null("tiles"), field_null("checks"), field_null("why"));
}

/* GET /campaigns/new?task=&of=&kind=&answers=&grids=&pay=&minutes=&share=&people=&a_day=&classify=&one=&two= */
enum err_code page_campaign_new(struct ctx *c)
{
    struct asked a;
    json_t *page = read_asked(c, &a) == OK ? page_json(c, &a) : NULL;
    if (!page || (a.of_plan && add_takes(c, &a, page) != OK)) {
        json_decref(page);
        return c->err.code;
    }
    json_object_set_new(page, "hidden", hidden_json(c, &a, json_object_get(page, "checks")));
    return reply_page(c, 200, "campaigns/new", "New campaign", page);
}

/* ---- the job ---- */

static struct sv typed(struct ctx *c, const char *name) { return sv_trim(form_get(&c->form, name)); }

/* ERR_INPUT or ERR_CONFLICT beside its field. A draft of the name was planned before and is completed. */
static enum err_code check_form(struct ctx *c)
{
    struct err none = {OK, "", ""};
    struct campaign k;
    struct sv name = typed(c, "campaign");
    if (!campaign_name_ok(name)) {
        return form_wrong(c, "campaign", "A campaign's name must be " CAMPAIGN_NAME ". Nothing was started.");
    }
    if (campaigns_find(c->db, name, c->arena, &k, &none) == OK && !sv_is(k.state, "draft")) {
        return form_wrong(c, "campaign", "There is already a campaign of this name. Nothing was started; choose another.");
    }
    return typed(c, "title").n ? OK : form_wrong(c, "title", "Say what workers read above the task. Nothing was started.");
}

/* POST /campaigns/new: task, of, kind, campaign, title and terms. */
enum err_code page_campaign_make(struct ctx *c)
{
    static const char *const of_grids[] = {"kind", "campaign", "title", "answers-per-grid", "grids-per-place", "pay", "minutes", "max-share", "people", "people-a-day",
                                           "classify-answers", NULL};
    static const char *const of_tasks[] = {"campaign", "title", "answers-per-grid", "grids-per-place", "pay", "minutes", "max-share", "people", "people-a-day",
                                           "checks-one", "checks-two", "none-of-these", NULL};
    bool classify = sv_is(typed(c, "task"), "classify"), contains = sv_is(typed(c, "task"), "contains");
    struct sv of = typed(c, "of");
    struct label_plan_row p;
    if (!classify && !contains) {
        return form_wrong(c, "", "Choose what people are asked: contains or classify. Nothing was started.");
    }
    if (check_form(c) != OK ||
        ((classify || of.n) && label_plans_find(c->db, classify ? LABEL_PLAN_CANDIDATES : LABEL_PLAN_POTENTIAL, of, c->arena, &p, &c->err) != OK)) {
        return c->err.code;
    }
    const char *plan = classify || of.n ? plan_title(c->arena, &p) : "";
    const struct job_given first[] = {{classify ? SV("plan") : SV("potential"), sv_of(plan)}};
    return job_start_form(c, classify ? "classify" : "grids", first, *plan ? 1 : 0, classify ? of_tasks : of_grids,
                          arena_printf(c->arena, "Plan " SV_FMT, SV_ARG(typed(c, "campaign"))), "plans the campaign, as a draft");
}
