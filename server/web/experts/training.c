/* training.c - training lists: all of them with one's progress, one with its parts, and for leads everybody's progress and what
 * needs it. Rows in routes.c; templates/experts/training.mustache, training_list.mustache. */
#include "web/experts/training.h"

#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "domain/labels/labels.h"
#include "json/object.h"
#include "store/labels/evaluations.h"
#include "store/labels/label_reviews.h"
#include "store/sets/sets.h"
#include "transfer/labels/training_file.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"

enum err_code training_open(struct ctx *c, struct training_list_row *out)
{
    return training_lists_find(c->db, c->req->params[0], c->arena, out, &c->err);
}

enum err_code training_open_item(struct ctx *c, struct training_list_row *out, int64_t *position)
{
    enum err_code rc = training_open(c, out);
    return rc != OK || (sv_i64(c->req->params[1], position) && *position >= 0)
               ? rc
               : err_rule(&c->err, ERR_NOT_FOUND, "training-item", "This training list has no such image.");
}

const char *training_url(struct ctx *c, struct sv name) { return arena_printf(c->arena, "/training/" SV_FMT, SV_ARG(name)); }

const char *training_item_url(struct ctx *c, struct sv name, int64_t position)
{
    return arena_printf(c->arena, "/training/" SV_FMT "/%lld", SV_ARG(name), (long long)position);
}

static bool hidden(void *arg, int64_t image) { return app_image_hidden(arg, image); }

enum err_code training_goes_on(struct ctx *c, const struct training_list_row *l, int64_t after, int64_t *position)
{
    return training_next(c->db, l->id, c->user.account, after + 1, hidden, c->app, position, &c->err);
}

/* "80 % (n 10, 44-97)". */
static const char *share_text(struct ctx *c, const struct training_progress *p)
{
    return p->stand.n ? arena_printf(c->arena, "%.0f %% (n %lld, %.0f\xe2\x80\x93%.0f)", 100 * p->share.value, (long long)p->stand.n,
                                     100 * p->share.lo, 100 * p->share.hi)
                      : "\xe2\x80\x93";
}

json_t *training_list_json(struct ctx *c, const struct training_facts *f)
{
    const struct training_list_row *l = &f->list;
    const char *url = training_url(c, l->name);
    const bool open = sv_is(l->state, "open");
    return object(field_sv("name", l->name), field_text("url", url), field_sv("unlocks", l->unlocks), field_bool("open", open),
                  field_text("images", data_count(c->arena, l->images)), field_text("done", data_count(c->arena, f->own.done)),
                  field_int("percent", l->images ? 100 * f->own.done / l->images : 0), field_int("mark", l->mark),
                  field_text("span", data_count(c->arena, l->span)), field_text("share", share_text(c, &f->own)),
                  field_bool("passed", f->own.stand.passed), field_bool("counts", f->own.stand.n > 0), field_bool("begun", f->own.done > 0),
                  field_text("part", f->own.part ? data_count(c->arena, f->own.part) : NULL),
                  field_text("parts", data_count(c->arena, f->own.parts)), field_int("part_done", f->own.part_done),
                  field_int("part_images", f->own.part_images), field_text("people", data_count(c->arena, l->people)),
                  field_text("next_url", open && f->own.part ? arena_printf(c->arena, "%s/next", url) : NULL));
}

/* ---- all ---- */

/* NULL with c->err set. */
static json_t *groups_json(struct ctx *c)
{
    struct training_group *groups;
    size_t n = 0;
    if (training_groups(c->db, c->user.account, c->arena, &groups, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(list, field_sv("name", groups[i].unlocks), field_bool("unlocked", groups[i].unlocked));
    }
    return list;
}

static json_t *sets_json(struct ctx *c)
{
    struct revision_row *rows;
    size_t n = 0;
    if (revisions_list(c->db, 0, c->arena, &rows, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        if (set_scoreable(&rows[i])) {
            object_add(list, field_text("value", set_title(c->arena, &rows[i])), field_text("label", set_label(c->arena, &rows[i])));
        }
    }
    return list;
}

/* GET /training */
enum err_code page_training(struct ctx *c)
{
    struct training_list_row *rows;
    size_t n = 0;
    const bool lead = c->user.role >= ROLE_LEAD;
    json_t *lists = json_array(), *groups = groups_json(c), *sets = groups && lead ? sets_json(c) : json_array();
    enum err_code rc = groups && sets ? training_lists_list(c->db, c->arena, &rows, &n, &c->err) : c->err.code;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct training_facts f;
        rc = training_facts_read(c->db, &rows[i], c->user.account, c->arena, &f, &c->err);
        if (rc == OK && (lead || sv_is(rows[i].state, "open") || f.own.done)) {
            json_array_append_new(lists, training_list_json(c, &f));
        }
    }
    if (rc != OK) {
        json_decref(lists);
        json_decref(groups);
        json_decref(sets);
        return rc;
    }
    json_t *page = object(field_bool("lead", lead), field_bool("any", json_array_size(lists) > 0), field_json("lists", lists),
                          field_bool("any_groups", json_array_size(groups) > 0), field_json("groups", groups),
                          field_bool("any_sets", json_array_size(sets) > 0), field_json("sets", sets));
    return reply_page(c, 200, "experts/training", "Training", page);
}

/* ---- one ---- */

static json_t *parts_json(struct ctx *c, const struct training_list_row *l, const struct training_answer_row *rows, size_t n)
{
    struct part {
        int done, right;
    } *parts = arena_calloc(c->arena, (size_t)training_parts(l->images) + 1, sizeof *parts);
    bool *answered = arena_calloc(c->arena, (size_t)l->images + 1, sizeof *answered);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) { /* the first answer about an image */
        struct part *p = &parts[rows[i].position / TRAINING_PART];
        p->done += !answered[rows[i].position];
        p->right += !answered[rows[i].position] && rows[i].fits;
        answered[rows[i].position] = true;
    }
    for (int64_t i = 0; i < training_parts(l->images); i++) {
        const int64_t images = i + 1 < training_parts(l->images) ? TRAINING_PART : l->images - i * TRAINING_PART;
        object_add(list, field_int("number", i + 1), field_int("images", images), field_int("done", parts[i].done),
                   field_int("right", parts[i].right), field_bool("begun", parts[i].done > 0), field_bool("through", parts[i].done == images),
                   field_text("url", parts[i].done == images ? training_item_url(c, l->name, i * TRAINING_PART)
                                                              : arena_printf(c->arena, "%s/next?from=%lld", training_url(c, l->name), (long long)i * TRAINING_PART)));
    }
    return list;
}

static json_t *people_json(struct ctx *c, const struct training_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_people; i++) {
        const struct training_person *p = &f->people[i];
        object_add(list, field_sv("login", p->row.login.n ? p->row.login : SV("forgotten")), field_sv("role", p->row.role),
                   field_text("done", data_count(c->arena, p->progress.done)), field_text("counted", data_count(c->arena, p->progress.stand.answers)),
                   field_text("share", share_text(c, &p->progress)), field_bool("passed", p->progress.stand.passed),
                   field_text("after", data_count(c->arena, p->progress.stand.after)), field_text("last", people_minute(c->arena, p->row.last)));
    }
    return list;
}

static bool is_needed(const struct training_facts *f, const char *kind, struct sv name)
{
    bool is = false;
    for (size_t k = 0; k < f->n_needs; k++) {
        is = is || (sv_is(f->needs[k].kind, kind) && sv_eq(f->needs[k].name, name));
    }
    return is;
}

static void add_work(struct ctx *c, json_t *list, const struct training_facts *f, const char *kind, struct sv name, bool open)
{
    const bool needs = is_needed(f, kind, name), evaluation = sv_is(SV("evaluation"), kind);
    if (needs || open) {
        object_add(list, field_text("field", evaluation ? "evaluation" : "review"), field_sv("name", name), field_bool("needs", needs),
                   field_text("what", evaluation ? "evaluation" : "label review"),
                   field_text("url", arena_printf(c->arena, "/%s/" SV_FMT, evaluation ? "evaluations" : "labels", SV_ARG(name))));
    }
}

/* Open label reviews and evaluations, and those that need the group. NULL with c->err set. */
static json_t *work_json(struct ctx *c, const struct training_facts *f)
{
    struct label_review_row *reviews;
    struct evaluation_row *evaluations;
    size_t n = 0, n_evaluations = 0;
    enum err_code rc = label_reviews_list(c->db, 0, c->arena, &reviews, &n, &c->err);
    rc = rc == OK ? evaluations_list(c->db, 0, c->arena, &evaluations, &n_evaluations, &c->err) : rc;
    if (rc != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        add_work(c, list, f, "label-review", reviews[i].name, sv_is(reviews[i].state, "open"));
    }
    for (size_t i = 0; i < n_evaluations; i++) {
        add_work(c, list, f, "evaluation", evaluations[i].name, sv_is(evaluations[i].state, "open"));
    }
    return list;
}

/* What a list was made of, as its command has it: "set originals/0, pairs 10". */
static const char *detail_text(struct ctx *c, struct sv detail)
{
    const char *text = "", *name;
    json_t *all = json_loadb(detail.p, detail.n, 0, NULL), *value;
    json_object_foreach (all, name, value) {
        const char *one = json_is_integer(value) ? arena_printf(c->arena, "%lld", (long long)json_integer_value(value)) : json_string_value(value);
        if (one && *one) {
            text = arena_printf(c->arena, "%s%s%s %s", text, *text ? ", " : "", name, one);
        }
    }
    json_decref(all);
    return text;
}

static json_t *lead_json(struct ctx *c, struct training_facts *f)
{
    json_t *work = training_facts_people(c->db, c->arena, f, &c->err) == OK ? work_json(c, f) : NULL;
    return work ? object(field_json("people", people_json(c, f)), field_bool("any_people", f->n_people > 0), field_json("work", work),
                            field_bool("any_work", json_array_size(work) > 0), field_sv("made_of", f->list.made_of),
                            field_text("detail", detail_text(c, f->list.detail)), field_text("seed", arena_printf(c->arena, "%lld", (long long)f->list.seed)),
                            field_text("json_url", arena_printf(c->arena, "/api/v1%s", training_url(c, f->list.name))))
                   : NULL;
}

/* GET /training/:list?done= */
enum err_code page_training_list(struct ctx *c)
{
    struct training_list_row l;
    struct training_facts f;
    struct training_answer_row *rows;
    size_t n = 0;
    int64_t next = -1, done = 0;
    enum err_code rc = training_open(c, &l);
    rc = rc == OK ? training_facts_read(c->db, &l, c->user.account, c->arena, &f, &c->err) : rc;
    rc = rc == OK ? training_answers_own(c->db, l.id, c->user.account, c->arena, &rows, &n, &c->err) : rc;
    rc = rc == OK && sv_is(l.state, "open") ? training_goes_on(c, &l, -1, &next) : rc;
    if (rc != OK) {
        return rc;
    }
    json_t *of_leads = c->user.role >= ROLE_LEAD ? lead_json(c, &f) : json_false();
    if (!of_leads) {
        return c->err.code;
    }
    sv_i64(request_query(c->req, "done"), &done);
    json_t *parts = parts_json(c, &l, rows, n);
    const json_t *last = done > 0 && done <= f.own.parts ? json_array_get(parts, (size_t)done - 1) : NULL;
    json_t *page = object(field_json("list", training_list_json(c, &f)), field_json("parts", parts), field_bool("left", next >= 0),
                          field_text("part_done", json_is_true(json_object_get(last, "through")) ? data_count(c->arena, done) : NULL),
                          field_text("counted", data_count(c->arena, f.own.stand.answers)), field_json("of_leads", of_leads),
                          field_text("change_url", arena_printf(c->arena, "%s/change", training_url(c, l.name))));
    if (c->user.role >= ROLE_LEAD) {
        json_object_set_new(page, "live", data_live("review", training_url(c, l.name)));
    }
    return reply_page(c, 200, "experts/training_list", arena_cstr(c->arena, l.name), page);
}

/* ---- making one ---- */

static struct sv text_of(struct ctx *c, const char *name)
{
    return c->json ? object_text(c->json, name) : sv_trim(form_get(&c->form, name));
}

static enum err_code number_of(struct ctx *c, const char *name, int64_t least, int64_t most, int64_t otherwise, int64_t *out)
{
    const json_t *in_json = c->json ? json_object_get(c->json, name) : NULL;
    const struct sv text = text_of(c, name);
    *out = in_json ? json_integer_value(in_json) : otherwise;
    if ((in_json ? !json_is_integer(in_json) : text.n && !sv_i64(text, out)) || *out < least || *out > most) {
        return form_wrong(c, name, "Give a whole number from %lld to %lld. Nothing was made.", (long long)least, (long long)most);
    }
    return OK;
}

static enum err_code read_numbers(struct ctx *c, struct training_ask *ask)
{
    enum err_code rc = number_of(c, "images", 0, TRAINING_IMAGES, 0, &ask->images);
    rc = rc == OK ? number_of(c, "pairs", 1, 1000, 10, &ask->pairs) : rc;
    rc = rc == OK ? number_of(c, "mark", 1, 100, TRAINING_MARK, &ask->mark) : rc;
    rc = rc == OK ? number_of(c, "span", 0, TRAINING_IMAGES, 0, &ask->span) : rc;
    return rc == OK ? number_of(c, "seed", 0, INT64_C(1) << 53, (int64_t)rng_fresh_seed(), &ask->seed) : rc;
}

/* Rows of the form, or of the body, with a head or without one. */
static enum err_code read_rows(struct ctx *c, struct training_ask *ask)
{
    struct training_item *items = NULL;
    const struct sv rows = text_of(c, "rows");
    const char *text = sv_starts(rows, "image") ? arena_cstr(c->arena, rows) : arena_printf(c->arena, "image\n" SV_FMT, SV_ARG(rows));
    enum err_code rc = training_file_read(c->db, "images", sv_of(text), c->arena, &items, &ask->n, &c->err);
    ask->items = items;
    return rc == OK ? rc : form_wrong_field(c, "rows");
}

static enum err_code read_ask(struct ctx *c, struct training_ask *out)
{
    *out = (struct training_ask){.name = text_of(c, "name"), .unlocks = text_of(c, "unlocks"), .set = text_of(c, "set"),
                                 .classes = text_of(c, "classes"), .models = text_of(c, "models"), .file = "a form",
                                 .account = c->user.account, .flags_to_quarantine = c->config->flags_to_quarantine};
    if (label_name_check(out->name, &c->err) != OK) {
        return form_wrong_field(c, "name");
    }
    if (out->unlocks.n && label_name_check(out->unlocks, &c->err) != OK) {
        return form_wrong_field(c, "unlocks");
    }
    if (!training_made_of(text_of(c, "of"), &out->made)) {
        return form_wrong(c, "of", "Choose what the list is made of: relation, confusions, group or file. Nothing was made.");
    }
    enum err_code rc = read_numbers(c, out);
    return rc == OK && out->made == MADE_FILE ? read_rows(c, out) : rc;
}

/* First step of POST /training: which images they would be. */
enum err_code page_training_plan(struct ctx *c)
{
    static const struct {
        const char *rule, *field;
    } fields[] = {{"no-class", "classes"}, {"set", "set"}, {"model", "models"}};
    struct training_plan *plan = arena_calloc(c->arena, 1, sizeof *plan);
    struct training_ask ask;
    c->state = plan;
    enum err_code rc = read_ask(c, &ask);
    rc = rc == OK ? training_plan(c->db, &ask, c->arena, plan, &c->err) : rc;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && rc != OK; i++) {
        if (strcmp(c->err.rule, fields[i].rule) == 0) {
            form_wrong_field(c, fields[i].field);
        }
    }
    return rc;
}

/* The same of POST /api/v1/training. */
enum err_code api_training_plan(struct ctx *c)
{
    return gate_need_json(c) == OK ? page_training_plan(c) : c->err.code;
}

/* POST /training */
enum err_code page_training_make(struct ctx *c)
{
    const struct training_plan *plan = c->state;
    int64_t id;
    enum err_code rc = training_list_add(c->db, &plan->list, clock_wall_ms(), &id, &c->err);
    return rc == OK ? reply_did(c, training_url(c, plan->list.name), NULL, "Made the training list " SV_FMT " of %s images; %s could not be taken.",
                                SV_ARG(plan->list.name), data_count(c->arena, (int64_t)plan->list.n), data_count(c->arena, plan->left_out))
                    : rc;
}

/* The work that the form names. */
static enum err_code find_work(struct ctx *c, enum training_for *kind, int64_t *list, struct sv *name)
{
    struct label_review_row r = {0};
    struct evaluation_row e = {0};
    *kind = form_get(&c->form, "evaluation").n ? FOR_EVALUATION : FOR_LABEL_REVIEW;
    *name = form_get(&c->form, *kind == FOR_EVALUATION ? "evaluation" : "review");
    enum err_code rc = *kind == FOR_EVALUATION ? evaluations_find(c->db, *name, c->arena, &e, &c->err)
                                               : label_reviews_find(c->db, *name, c->arena, &r, &c->err);
    *list = *kind == FOR_EVALUATION ? e.id : r.id;
    return rc;
}

/* POST /training/:list/change: do, review, evaluation */
enum err_code page_training_change(struct ctx *c)
{
    struct training_list_row l;
    struct sv name;
    const struct sv what = form_get(&c->form, "do");
    const bool open = sv_is(what, "open"), need = sv_is(what, "need");
    const int64_t now = clock_wall_ms();
    enum training_for kind;
    int64_t list;
    enum err_code rc = training_open(c, &l);
    if (rc == OK && (open || sv_is(what, "close"))) {
        rc = training_list_state(c->db, l.id, open, c->user.account, now, &c->err);
        return rc == OK ? reply_did(c, training_url(c, l.name), NULL, open ? "Opened the list." : "Closed the list.") : rc;
    }
    if (rc == OK && !need && !sv_is(what, "unneed")) {
        return err_rule(&c->err, ERR_INPUT, "training-do", "Choose what to do: open, close, need or unneed. Nothing was changed.");
    }
    rc = rc == OK ? find_work(c, &kind, &list, &name) : rc;
    rc = rc == OK ? training_need_set(c->db, kind, list, l.unlocks, need, c->user.account, now, &c->err) : rc;
    return rc == OK ? reply_did(c, training_url(c, l.name), NULL,
                                need ? "Work on " SV_FMT " now needs " SV_FMT "." : "Work on " SV_FMT " no longer needs " SV_FMT ".",
                                SV_ARG(name), SV_ARG(l.unlocks))
                    : rc;
}
