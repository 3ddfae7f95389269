/* make.c - a label review made from a page: what it would be, who could review it, then the job that writes it. The plan for
 * scripts too. Rows in routes.c; templates/experts/new.mustache. */
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "experts/review_plan.h"
#include "json/object.h"
#include "measures/core/label_books.h"
#include "store/labels/evaluations.h"
#include "store/labels/label_plans.h"
#include "store/models/models.h"
#include "store/sets/sets.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/experts/review.h"
#include "web/parts/expert_choices.h"
#include "web/parts/job_data.h"
#include "web/parts/label_ways.h"
#include "web/parts/set_data.h"

enum { SEED_MOST_BITS = 53 };

/* ---- what is asked for ---- */

static const struct {
    const char *name, *usual;
    int64_t least, most;
} numbers[] = {
    {"images", "", 1, LABEL_REVIEW_IMAGES}, {"random", "0", 0, LABEL_REVIEW_IMAGES}, {"reviewers", "1", 1, LABEL_REVIEWERS},
    {"repeats", "5", 0, LABEL_REPEATS_MOST}, {"seed", "", 0, INT64_C(1) << SEED_MOST_BITS},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers, NUMBER_SEED = NUMBERS - 1 };

/* Of a form all values of a name, of an address the value itself, which may have commas. */
static struct sv given(struct ctx *c, const char *name)
{
    return c->form.n ? form_all(&c->form, name, c->arena) : sv_trim(request_query(c->req, name));
}

/* A plan that is asked for twice by its address is the same plan. */
static int64_t usual_seed(struct ctx *c)
{
    struct sv name = given(c, "name");
    return c->form.n ? (int64_t)rng_fresh_seed() : (int64_t)(hash_stable(name.p, name.n) >> (64 - SEED_MOST_BITS));
}

static enum err_code read_number(struct ctx *c, int which, int64_t *out)
{
    struct sv text = given(c, numbers[which].name);
    if (text.n == 0) {
        text = sv_of(numbers[which].usual);
    }
    if (text.n == 0) {
        *out = which == NUMBER_SEED ? usual_seed(c) : 0;
        return OK;
    }
    return sv_i64(text, out) && *out >= numbers[which].least && *out <= numbers[which].most
               ? OK
               : form_wrong(c, numbers[which].name, "%s must be a whole number from %lld to %lld. Nothing was made.", numbers[which].name,
                            (long long)numbers[which].least, (long long)numbers[which].most);
}

static enum err_code read_ask(struct ctx *c, struct review_ask *out)
{
    int64_t n[NUMBERS];
    struct sv by = given(c, "by");
    *out = (struct review_ask){.name = given(c, "name"), .set = given(c, "set"), .models = given(c, "models"), .sources = given(c, "sources"),
                               .candidates = given(c, "candidates"),
                               .suggest = given(c, "suggest"), .again = given(c, "again").n > 0,
                               .evaluation = given(c, "evaluation"), .account = c->user.account, .plan = true};
    if (out->name.n == 0) {
        return form_wrong(c, "name", "Give the review a name. Nothing was made.");
    }
    if (out->set.n == 0) {
        return form_wrong(c, "set", "Choose the set whose labels are reviewed. Nothing was made.");
    }
    if (by.n && !review_queue_of(by, &out->queue)) {
        return form_wrong(c, "by", "Choose one of the orders. Nothing was made.");
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (read_number(c, i, &n[i]) != OK) {
            return c->err.code;
        }
    }
    out->images = n[0];
    out->beside = n[1];
    out->reviewers = (int)n[2];
    out->repeats = (int)n[3];
    out->seed = n[NUMBER_SEED];
    return OK;
}

/* Which field a refusal is about. */
static enum err_code wrong(struct ctx *c)
{
    static const struct {
        const char *rule, *field;
    } rules[] = {{"label-name", "name"}, {"label-review-name", "name"}, {"set", "set"}, {"set-sealed", "suggest"}, {"label-review-suggest", "suggest"},
                 {"label-review-size", "images"}, {"label-source", "sources"}, {"label-review-sources", "sources"}, {"label-plan", "candidates"}, {"label-review-candidates", "candidates"}, {"model", "models"},
                 {"no-model", "models"}, {"no-account", "experts"}, {"label-review-login", "experts"},
                 {"evaluation", "evaluation set"}, {"label-review-evaluation", "evaluation set"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(c->err.rule, rules[i].rule) == 0) {
            return form_wrong_field(c, rules[i].field);
        }
    }
    return c->err.code;
}

/* ---- the form ---- */

/* What was typed, else what holds where nothing is. */
static struct sv typed(struct ctx *c, const char *name, const char *usual)
{
    return c->form.n ? form_get(&c->form, name) : request_query(c->req, name).n ? request_query(c->req, name) : sv_of(usual);
}

static bool current(struct ctx *c, const char *name, struct sv value)
{
    return c->form.n ? form_ticked(&c->form, name, value) : sv_eq(request_query(c->req, name), value);
}

static json_t *sets_json(struct ctx *c)
{
    struct revision_row *list;
    size_t n = 0;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    bool chosen = typed(c, "set", "").n > 0; /* else the first on which models may be scored */
    for (size_t i = 0; i < n; i++) {
        const char *title = set_title(c->arena, &list[i]);
        bool open = set_scoreable(&list[i]);
        object_add(rows, field_text("value", title), field_text("label", set_label(c->arena, &list[i])),
                   field_bool("current", current(c, "set", sv_of(title)) || (!chosen && open)));
        chosen = chosen || open;
    }
    return rows;
}

static json_t *models_json(struct ctx *c, const char *field)
{
    struct model_row *list;
    size_t n = 0;
    if (models_list(c->db, false, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("name", list[i].name), field_bool("current", current(c, field, list[i].name)));
    }
    return rows;
}

static json_t *sources_json(struct ctx *c)
{
    struct label_version_row *list;
    size_t n = 0;
    if (label_source_newest(c->db, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("name", list[i].name), field_sv("kind", list[i].kind_word), field_bool("current", current(c, "sources", list[i].name)));
    }
    return rows;
}

/* The newest version of each plan. */
static json_t *candidates_json(struct ctx *c)
{
    struct label_plan_row *list;
    size_t n = 0;
    if (label_plans_list(c->db, LABEL_PLAN_CANDIDATES, SV(""), c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const char *title = plan_title(c->arena, &list[i]);
        object_add(rows, field_text("name", title),
                   field_bool("current", current(c, "candidates", sv_of(title)) || current(c, "candidates", list[i].name)));
    }
    return rows;
}

static json_t *evaluations_json(struct ctx *c)
{
    struct evaluation_row *list;
    size_t n = 0;
    if (evaluations_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("name", list[i].name), field_bool("current", current(c, "evaluation", list[i].name)));
    }
    return rows;
}

static json_t *orders_json(struct ctx *c)
{
    static const char *const hints[REVIEW_QUEUES] = {
        [QUEUE_CLASS] = "Class by class.",
        [QUEUE_DISAGREEMENT] = "Images about which models disagree most come first.",
        [QUEUE_RANDOM] = "In random order: every image has the same chance, so all of them estimate rates.",
        [QUEUE_ERRORS] = "Set labels that are probably wrong, by what models say, come first. Not for a sealed set.",
    };
    json_t *rows = json_array();
    for (int q = 0; q < REVIEW_QUEUES; q++) {
        struct sv word = sv_of(review_queue_word((enum review_queue)q)), now = typed(c, "by", review_queue_word(QUEUE_DISAGREEMENT));
        object_add(rows, field_sv("value", word), field_text("hint", hints[q] ? hints[q] : ""), field_bool("current", sv_eq(now, word)));
    }
    return rows;
}

static json_t *people_json(struct ctx *c, const struct review_plan *plan)
{
    struct account *list;
    size_t n;
    if (expert_accounts(c, &list, &n) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct eligibility *e = NULL;
        for (size_t k = 0; plan && k < plan->n_people; k++) {
            e = plan->people[k].account == list[i].id ? &plan->people[k] : e;
        }
        object_add(rows, field_sv("login", list[i].login), field_sv("role", list[i].role), field_bool("current", current(c, "experts", list[i].login)),
                   field_text("eligible", e ? data_count(c->arena, e->eligible) : NULL), field_text("why", e ? eligible_why(e, c->arena) : NULL));
    }
    return rows;
}

static json_t *plan_json(struct ctx *c, const struct review_plan *p)
{
    const struct review_made *m = &p->made;
    json_t *common = json_array();
    for (size_t i = 0; i < m->n_common; i++) {
        object_add(common, field_sv("name", m->common[i].name), field_text("url", review_url(c, m->common[i].name)),
                   field_text("images", data_count(c->arena, m->common[i].images)));
    }
    return object(field_text("set", m->set), field_sv("evaluation", p->ask.evaluation), field_text("images", data_count(c->arena, m->images)), field_text("labels", data_count(c->arena, m->labels)),
                  field_text("per_image", arena_printf(c->arena, "%.1f", m->images ? (double)m->labels / (double)m->images : 0)),
                  field_text("most", data_count(c->arena, m->most)), field_text("drawn", data_count(c->arena, m->drawn)), field_bool("any_drawn", m->drawn > 0),
                  field_text("of_models", data_count(c->arena, m->of_models)), field_text("of_sources", data_count(c->arena, m->of_sources)),
                  field_text("of_contains", m->of_contains ? data_count(c->arena, m->of_contains) : NULL),
                  field_text("of_classify", m->of_classify ? data_count(c->arena, m->of_classify) : NULL),
                  field_text("models", data_count(c->arena, m->models)), field_text("missing", m->missing), field_text("taken", m->taken),
                  field_sv("sealed_by", m->sealed_by), field_text("suggested", m->suggested ? data_count(c->arena, m->suggested) : NULL),
                  field_text("shown", data_count(c->arena, m->shown)), field_json("common", common),
                  field_text("starved", p->eligible.starved ? data_count(c->arena, p->eligible.starved) : NULL),
                  field_int("reviewers", p->ask.reviewers), field_text("seed", arena_printf(c->arena, "%lld", (long long)p->ask.seed)),
                  field_text("looks", data_count(c->arena, m->images * p->ask.reviewers)));
}

/* `plan` NULL: none was asked for. */
static enum err_code show(struct ctx *c, const struct review_plan *plan)
{
    json_t *parts[] = {sets_json(c), models_json(c, "models"), models_json(c, "suggest"), sources_json(c), people_json(c, plan), candidates_json(c),
                       evaluations_json(c)};
    enum { PARTS = sizeof parts / sizeof *parts };
    bool good = true;
    for (int i = 0; i < PARTS; i++) {
        good = good && parts[i];
    }
    for (int i = 0; i < PARTS && !good; i++) {
        json_decref(parts[i]);
    }
    if (!good) {
        return c->err.code;
    }
    json_t *form = object(field_sv("name", typed(c, "name", "")), field_bool("again", typed(c, "again", "").n > 0),
                          field_text("seed", plan ? arena_printf(c->arena, "%lld", (long long)plan->ask.seed) : arena_cstr(c->arena, typed(c, "seed", ""))));
    for (int i = 0; i < NUMBER_SEED; i++) {
        json_object_set_new(form, numbers[i].name, data_text(typed(c, numbers[i].name, numbers[i].usual)));
    }
    json_t *page = object(field_json("form", form), field_json("orders", orders_json(c)), field_bool("any_sources", json_array_size(parts[3]) > 0),
                          field_bool("any_evaluations", json_array_size(parts[6]) > 0), field_json("evaluations", parts[6]),
                          field_json("sets", parts[0]), field_json("models", parts[1]), field_json("suggest", parts[2]),
                          field_json("sources", parts[3]), field_json("people", parts[4]), field_json("candidates", parts[5]),
                          field_bool("any_candidates", json_array_size(parts[5]) > 0), field_bool("can", json_array_size(parts[0]) > 0),
                          field_json("plan", plan ? plan_json(c, plan) : json_null()));
    return reply_page(c, 200, "experts/new", "New label review", page);
}

/* GET /labels/new */
enum err_code page_label_new(struct ctx *c)
{
    return show(c, NULL);
}

/* POST /labels/new, first step: the plan, or what is wrong with it. */
enum err_code page_label_new_check(struct ctx *c)
{
    struct review_ask ask;
    struct review_plan plan;
    enum err_code rc = read_ask(c, &ask);
    if (rc != OK) {
        return rc;
    }
    if (review_plan_make(c->db, &ask, given(c, "experts"), clock_wall_ms(), c->arena, &plan, &c->err) != OK) {
        return wrong(c);
    }
    if (sv_is(form_get(&c->form, "do"), "plan")) {
        return show(c, &plan);
    }
    return plan.made.taken ? form_wrong(c, "name", "%s", plan.made.taken) : OK;
}

/* POST /labels/new: the job, with what was typed. */
enum err_code page_label_new_make(struct ctx *c)
{
    static const char *const fields[] = {"set", "evaluation", "by", "images", "random", "reviewers", "repeats", "suggest", "seed", NULL};
    static const char *const lists[] = {"models", "sources", "candidates", "experts"};
    struct job_given first[6] = {{SV("name"), given(c, "name")}};
    size_t n = 1;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct sv value = given(c, lists[i]);
        if (value.n) {
            first[n++] = (struct job_given){sv_of(lists[i]), value};
        }
    }
    if (given(c, "again").n) {
        first[n++] = (struct job_given){SV("again"), SV("true")};
    }
    return job_start_form(c, "label-review create", first, n, fields, arena_printf(c->arena, "Label review " SV_FMT, SV_ARG(first[0].value)),
                          "makes the label review");
}

/* GET /api/v1/label-reviews/new */
enum err_code api_label_review_plan(struct ctx *c)
{
    struct review_ask ask;
    struct review_plan plan;
    enum err_code rc = read_ask(c, &ask);
    rc = rc == OK ? review_plan_make(c->db, &ask, given(c, "experts"), clock_wall_ms(), c->arena, &plan, &c->err) : rc;
    return rc == OK ? reply_json(c, 200, record_json(&review_plan_record, &plan)) : rc;
}
