/* evaluation.c - evaluations: all of them, and one. People see how far they are themselves; leads see everybody, and make,
 * change and close lists. Nothing here says how right anybody is. Rows in routes.c; templates/evaluations/. */
#include <math.h>

#include "base/clock.h"
#include "experts/evaluation_facts.h"
#include "json/object.h"
#include "store/sets/sets.h"
#include "view/people_texts.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/evaluations/evaluations.h"
#include "web/naming/training_needed.h"
#include "web/parts/expert_choices.h"
#include "web/parts/job_data.h"
#include "web/parts/set_data.h"

/* ---- all ---- */

static const char *sets_text(struct ctx *c, const struct evaluation_facts *f)
{
    const char *text = "";
    for (size_t i = 0; i < f->n_sets; i++) {
        text = arena_printf(c->arena, "%s%s%s of " SV_FMT, text, i ? ", " : "", data_count(c->arena, f->sets[i].images), SV_ARG(f->sets[i].set));
    }
    return text;
}

static json_t *list_json(struct ctx *c, const struct evaluation_facts *f)
{
    const struct evaluation_row *r = &f->row;
    const char *url = evaluation_url(c, r->name);
    const int64_t wanted = r->images * r->people;
    return object(field_sv("name", r->name), field_text("url", url), field_sv("state", r->state), field_bool("open", sv_is(r->state, "open")),
                  field_text("images", data_count(c->arena, r->images)), field_text("sets", sets_text(c, f)),
                  field_text("by", sv_is(r->drawn_by, "hardest") ? "the hardest" : "as many of each class"),
                  field_text("choice", f->classes ? arena_printf(c->arena, "among %lld", (long long)f->classes) : "among all classes"),
                  field_text("people", data_count(c->arena, r->people)), field_text("through", data_count(c->arena, f->through)),
                  field_text("answers", data_count(c->arena, r->answers)),
                  field_int("percent", wanted ? (r->answers < wanted ? 100 * r->answers / wanted : 100) : 0));
}

/* What is somebody's own. NULL with c->err set. */
static json_t *own_json(struct ctx *c, const struct evaluation_row *r)
{
    struct evaluation_place at;
    const struct evaluation_turn turn = evaluation_turn_of(c, r);
    if (evaluation_next(c->db, &turn, -1, c->arena, &at, &c->err) != OK) {
        return NULL;
    }
    const char *url = evaluation_url(c, r->name);
    return object(field_sv("name", r->name), field_text("url", url), field_text("next_url", arena_printf(c->arena, "%s/next", url)),
                  field_text("done", data_count(c->arena, at.answered)), field_text("images", data_count(c->arena, at.of)),
                  field_int("percent", 100 * at.answered / at.of), field_bool("left", at.place >= 0 && sv_is(r->state, "open")),
                  field_bool("begun", at.answered > 0), field_bool("open", sv_is(r->state, "open")));
}

/* Revisions of a role, the newest of each set first. NULL with c->err set. */
static json_t *sets_json(struct ctx *c, const char *role)
{
    struct revision_row *rows;
    size_t n = 0;
    if (revisions_list(c->db, 0, c->arena, &rows, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = n; i-- > 0;) {
        if (sv_is(rows[i].role, role)) {
            object_add(list, field_text("name", set_title(c->arena, &rows[i])));
        }
    }
    return list;
}

/* What a lead makes one of. NULL with c->err set. */
static json_t *form_json(struct ctx *c)
{
    json_t *logins = expert_choices(c), *originals = logins ? sets_json(c, "original") : NULL, *fresh = originals ? sets_json(c, "new") : NULL;
    if (!fresh) {
        json_decref(originals);
        json_decref(logins);
        return NULL;
    }
    bool any = json_array_size(originals) + json_array_size(fresh) > 0;
    return object(field_json("logins", logins), field_json("originals", originals), field_json("fresh", fresh), field_bool("any", any),
                  field_int("most", EVALUATION_AMONG));
}

/* GET /evaluations */
enum err_code page_evaluations(struct ctx *c)
{
    struct evaluation_row *rows, *own;
    size_t n = 0, n_own = 0;
    bool lead = c->user.role >= ROLE_LEAD;
    json_t *lists = json_array(), *mine = json_array(), *form = json_false();
    enum err_code rc = lead ? evaluations_list(c->db, 0, c->arena, &rows, &n, &c->err) : OK;
    rc = rc == OK ? evaluations_list(c->db, c->user.account, c->arena, &own, &n_own, &c->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct evaluation_facts f;
        rc = evaluation_facts_read(c->db, &rows[i], c->arena, &f, &c->err);
        json_array_append_new(lists, rc == OK ? list_json(c, &f) : json_null());
    }
    for (size_t i = 0; i < n_own && rc == OK; i++) {
        json_t *one = own_json(c, &own[i]);
        rc = one ? OK : c->err.code;
        json_array_append_new(mine, one ? one : json_null());
    }
    if (rc == OK && lead) {
        form = form_json(c);
        rc = form ? OK : c->err.code;
    }
    if (rc != OK) {
        json_decref(lists);
        json_decref(mine);
        return rc;
    }
    json_t *page = object(field_bool("lead", lead), field_bool("any", n > 0), field_json("lists", lists), field_bool("any_own", n_own > 0),
                          field_json("own", mine), field_json("form", form));
    response_header(c->res, "Cache-Control", "no-store");
    return reply_page(c, 200, "evaluations/index", "Evaluations", page);
}

/* POST /evaluations: name, original, new, by, images, classes, among, people (several) */
enum err_code page_evaluation_make(struct ctx *c)
{
    static const char *const fields[] = {"original", "new", "by", "images", "models", "classes", NULL};
    struct sv name = sv_trim(form_get(&c->form, "name")), people = form_all(&c->form, "people", c->arena);
    struct job_given first[3] = {{SV("name"), name}};
    size_t n = 1;
    if (evaluation_name_free(c->db, name, &c->err) != OK) {
        return form_wrong_field(c, "name");
    }
    if (sv_trim(form_get(&c->form, "original")).n == 0 && sv_trim(form_get(&c->form, "new")).n == 0) {
        return form_wrong(c, "original", "Choose one set or two. Nothing was started.");
    }
    if (people.n) {
        first[n++] = (struct job_given){SV("people"), people};
    }
    if (sv_is(form_get(&c->form, "among"), "1")) {
        first[n++] = (struct job_given){SV("among"), SV("true")};
    }
    return job_start_form(c, "evaluation create", first, n, fields, arena_printf(c->arena, "Evaluation " SV_FMT, SV_ARG(name)),
                          "makes the evaluation");
}

/* ---- one ---- */

static json_t *people_json(struct ctx *c, const struct evaluation_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_people; i++) {
        const struct evaluation_person_facts *p = &f->people[i];
        object_add(list, field_sv("login", p->row.login.n ? p->row.login : SV("forgotten")), field_sv("role", p->row.role),
                   field_bool("active", p->row.active), field_text("state", p->state), field_text("answered", data_count(c->arena, p->row.answered)),
                   field_text("left", data_count(c->arena, p->left)),
                   field_text("elsewhere", p->row.elsewhere ? data_count(c->arena, p->row.elsewhere) : NULL),
                   field_text("seconds", isnan(p->seconds) ? NULL : arena_printf(c->arena, "%.1f", p->seconds)),
                   field_text("minutes", p->row.timed ? arena_printf(c->arena, "%.1f", (double)p->row.active_ms / 60000) : NULL),
                   field_text("last", p->row.last ? people_minute(c->arena, p->row.last) : NULL), field_sv("model", p->model),
                   field_text("model_url", p->row.published ? arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(p->model)) : NULL));
    }
    return list;
}

static json_t *guests_json(struct ctx *c, const struct evaluation_guest *guests, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(list, field_sv("login", guests[i].login), field_sv("role", guests[i].role), field_bool("may", guests[i].may),
                   field_text("seen", data_count(c->arena, guests[i].seen)),
                   field_text("near", guests[i].near ? data_count(c->arena, guests[i].near) : NULL));
    }
    return list;
}

static json_t *set_rows(struct ctx *c, const struct evaluation_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_sets; i++) {
        const struct evaluation_set_row *s = &f->sets[i];
        object_add(list, field_sv("set", s->set), field_text("url", arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(s->set))),
                   field_text("images", data_count(c->arena, s->images)), field_text("seen", s->seen ? data_count(c->arena, s->seen) : NULL),
                   field_text("most_right", s->most_right >= 0 ? arena_printf(c->arena, "%lld", (long long)s->most_right) : NULL));
    }
    return list;
}

static const char *measures_url(struct ctx *c, const struct evaluation_facts *f)
{
    const char *text = "/measures/people";
    for (size_t i = 0; i < f->n_sets; i++) {
        text = arena_printf(c->arena, "%s%s%s=" SV_FMT, text, i ? "&" : "?", f->sets[i].side ? "new" : "original", SV_ARG(f->sets[i].set));
    }
    return arena_printf(c->arena, "%s&subset=evaluated:" SV_FMT, text, SV_ARG(f->row.name));
}

/* What a review of its labels is made of: null as long as somebody still classifies its images. NULL with c->err set. */
static json_t *reviews_json(struct ctx *c, const struct evaluation_facts *f, bool ready)
{
    json_t *experts = ready ? expert_choices(c) : NULL, *sets = json_array();
    for (size_t i = 0; i < f->n_sets; i++) {
        object_add(sets, field_sv("set", f->sets[i].set), field_text("images", data_count(c->arena, f->sets[i].images)));
    }
    if (experts) {
        const char *name = arena_printf(c->arena, "%.*s-labels", (int)(f->row.name.n < 56 ? f->row.name.n : 56), f->row.name.p); /* of 63 bytes */
        return object(field_json("sets", sets), field_json("experts", experts), field_text("name", name));
    }
    json_decref(sets);
    return ready ? NULL : json_null();
}

/* What leads see; NULL with c->err set. */
static json_t *lead_json(struct ctx *c, const struct evaluation_row *r)
{
    struct evaluation_facts f;
    enum err_code rc = evaluation_facts_all(c->db, r, c->arena, &f, &c->err);
    bool published = false, through = rc == OK && (!sv_is(r->state, "open") || (f.through == r->people && f.through > 0));
    for (size_t i = 0; i < f.n_people && rc == OK; i++) {
        published = published || f.people[i].row.published;
    }
    json_t *reviews = rc == OK ? reviews_json(c, &f, published && through) : NULL;
    return reviews ? object(field_json("list", list_json(c, &f)), field_json("sets", set_rows(c, &f)), field_json("people", people_json(c, &f)),
                             field_bool("any_people", f.n_people > 0), field_json("guests", guests_json(c, f.guests, f.n_guests)),
                             field_bool("published", published),
                             field_json("reviews", reviews), field_text("measures_url", measures_url(c, &f)),
                             field_text("csv_url", arena_printf(c->arena, "/api/v1/evaluations/" SV_FMT "/answers.csv", SV_ARG(r->name))),
                             field_text("json_url", arena_printf(c->arena, "/api/v1/evaluations/" SV_FMT, SV_ARG(r->name))))
                    : NULL;
}

/* GET /evaluations/:evaluation */
enum err_code page_evaluation(struct ctx *c)
{
    struct evaluation_row r;
    bool lead = c->user.role >= ROLE_LEAD, theirs = false;
    enum err_code rc = evaluations_find(c->db, c->req->params[0], c->arena, &r, &c->err);
    rc = rc == OK ? evaluation_person_is(c->db, r.id, c->user.account, &theirs, &c->err) : rc;
    if (rc == OK && !theirs && !lead) {
        return err_rule(&c->err, ERR_DENIED, "evaluation-theirs", "The evaluation " SV_FMT " is not your work. Ask a lead to add you to it.",
                        SV_ARG(r.name));
    }
    if (rc != OK) {
        return rc;
    }
    json_t *own = theirs ? own_json(c, &r) : json_false(), *missing = own ? training_needed_json(c, FOR_EVALUATION, r.id) : NULL;
    json_t *of_leads = missing && lead ? lead_json(c, &r) : json_false();
    if (!missing || !of_leads) {
        json_decref(missing);
        json_decref(own);
        return c->err.code;
    }
    const char *url = evaluation_url(c, r.name);
    json_t *page = object(field_sv("name", r.name), field_bool("open", sv_is(r.state, "open")), field_json("own", own), field_json("of_leads", of_leads),
                          field_bool("locked", theirs && json_array_size(missing) > 0), field_json("missing", missing),
                          field_text("change_url", arena_printf(c->arena, "%s/change", url)));
    if (lead) {
        json_object_set_new(page, "live", data_live("review,models", url));
    }
    response_header(c->res, "Cache-Control", "no-store");
    return reply_page(c, 200, "evaluations/show", arena_cstr(c->arena, r.name), page);
}

/* ---- changing ---- */

static enum err_code change_person(struct ctx *c, const struct evaluation_row *r, struct sv login, bool add)
{
    struct account who;
    enum err_code rc = accounts_find_login(c->db, login, c->arena, &who, &c->err);
    if (rc == ERR_NOT_FOUND || (rc == OK && add && !account_is_expert(&who))) {
        err_rule(&c->err, ERR_INPUT, "evaluation-people", "Choose an account with the role expert or above. Nothing was changed.");
        return form_wrong_field(c, "login");
    }
    return rc == OK ? evaluation_assign(c->db, r->id, who.id, add, c->user.account, clock_wall_ms(), &c->err) : rc;
}

/* What was done, or NULL with c->err set. */
static const char *change(struct ctx *c, const struct evaluation_row *r, struct sv what, struct sv login)
{
    bool add = sv_is(what, "add");
    enum err_code rc = OK;
    if (sv_is(what, "close")) {
        rc = evaluation_end(c->db, r, c->user.account, clock_wall_ms(), c->arena, &c->err);
        return rc == OK ? "Closed the evaluation." : NULL;
    }
    if (!add && !sv_is(what, "remove")) {
        rc = err_rule(&c->err, ERR_INPUT, "evaluation-do", "Choose what to do: add, remove or close. Nothing was changed.");
    } else if (!sv_is(r->state, "open")) {
        rc = err_rule(&c->err, ERR_CONFLICT, "evaluation-closed", "The evaluation " SV_FMT " is closed, so nothing was changed.", SV_ARG(r->name));
    } else {
        rc = change_person(c, r, login, add);
    }
    return rc != OK ? NULL
                    : arena_printf(c->arena, add ? "The evaluation is now work of " SV_FMT "." : "The evaluation is no longer work of " SV_FMT ".",
                                   SV_ARG(login));
}

/* POST /evaluations/:evaluation/change: do (add, remove, close), login */
enum err_code page_evaluation_change(struct ctx *c)
{
    struct evaluation_row r;
    enum err_code rc = evaluations_find(c->db, c->req->params[0], c->arena, &r, &c->err);
    const char *did = rc == OK ? change(c, &r, form_get(&c->form, "do"), form_get(&c->form, "login")) : NULL;
    return did ? reply_did(c, evaluation_url(c, r.name), NULL, "%s", did) : c->err.code;
}

/* ---- for programs ---- */

struct lists {
    struct evaluation_facts *items;
    size_t n;
};
RECORD(evaluations_record, struct lists, "evaluations", "Evaluations.",
       {"items", RECORD_ROWS(struct lists, items, n), .of = &evaluation_record, .about = "By name."});

/* GET /api/v1/evaluations */
enum err_code api_evaluations(struct ctx *c)
{
    struct evaluation_row *rows;
    struct lists l = {.n = 0};
    enum err_code rc = evaluations_list(c->db, 0, c->arena, &rows, &l.n, &c->err);
    l.items = arena_calloc(c->arena, l.n + 1, sizeof *l.items);
    for (size_t i = 0; i < l.n && rc == OK; i++) {
        rc = evaluation_facts_read(c->db, &rows[i], c->arena, &l.items[i], &c->err);
    }
    return rc == OK ? reply_json(c, 200, record_json(&evaluations_record, &l)) : rc;
}

static enum err_code reply_facts(struct ctx *c, struct sv name)
{
    struct evaluation_row r;
    struct evaluation_facts f;
    enum err_code rc = evaluations_find(c->db, name, c->arena, &r, &c->err);
    rc = rc == OK ? evaluation_facts_all(c->db, &r, c->arena, &f, &c->err) : rc;
    return rc == OK ? reply_json(c, 200, record_json(&evaluation_facts_record, &f)) : rc;
}

/* GET /api/v1/evaluations/:evaluation */
enum err_code api_evaluation(struct ctx *c)
{
    return reply_facts(c, c->req->params[0]);
}

/* POST /api/v1/evaluations/:evaluation/change: do (add, remove, close), login */
enum err_code api_evaluation_change(struct ctx *c)
{
    struct evaluation_row r;
    enum err_code rc = gate_need_json(c);
    rc = rc == OK ? evaluations_find(c->db, c->req->params[0], c->arena, &r, &c->err) : rc;
    return rc == OK && change(c, &r, object_text(c->json, "do"), object_text(c->json, "login")) ? reply_facts(c, c->req->params[0]) : c->err.code;
}

/* GET /api/v1/evaluations/:evaluation/answers.csv */
enum err_code api_evaluation_answers_csv(struct ctx *c)
{
    struct evaluation_row r;
    struct evaluation_said *rows;
    size_t n = 0;
    int64_t sealed;
    enum err_code rc = evaluations_find(c->db, c->req->params[0], c->arena, &r, &c->err);
    rc = rc == OK ? evaluation_said_list(c->db, &r, c->arena, &rows, &n, &sealed, &c->err) : rc;
    return rc == OK ? reply_csv(c, arena_printf(c->arena, SV_FMT ".csv", SV_ARG(r.name)), &evaluation_said_record, rows, n) : rc;
}
