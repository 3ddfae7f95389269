/* list.c - label reviews: all of them, and one with how far it is. Reviewers see their own part; leads see people, what they
 * disagree about, and what models make of the verdicts so far. Rows in routes.c; templates/experts/. */
#include <math.h>

#include "experts/review_facts.h"
#include "json/object.h"
#include "store/sets/sets.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/experts/review.h"
#include "web/naming/training_needed.h"
#include "web/parts/expert_choices.h"

/* ---- all ---- */

static json_t *list_json(struct ctx *c, const struct review_facts *f)
{
    const struct label_review_row *r = &f->row;
    const char *url = review_url(c, r->name);
    int64_t percent = r->images ? 100 * f->done / r->images : 0;
    return object(field_sv("name", r->name), field_text("url", url), field_sv("set", r->set), field_sv("state", r->state),
                  field_bool("open", sv_is(r->state, "open")), field_text("images", data_count(c->arena, r->images)),
                  field_text("done", data_count(c->arena, f->done)), field_text("begun", data_count(c->arena, f->begun)),
                  field_int("percent", percent), field_int("reviewers", r->reviewers),
                  field_bool("one", r->reviewers == 1), field_sv("by", r->drawn_by),
                  field_text("next_url", arena_printf(c->arena, "%s/next", url)));
}

/* GET /labels */
enum err_code page_label_reviews(struct ctx *c)
{
    struct label_review_row *rows;
    size_t n = 0;
    bool lead = c->user.role >= ROLE_LEAD;
    json_t *lists = json_array();
    enum err_code rc = label_reviews_list(c->db, lead ? 0 : c->user.account, c->arena, &rows, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct review_facts f;
        rc = review_summary_read(c->db, &rows[i], c->arena, &f, &c->err);
        json_array_append_new(lists, list_json(c, &f));
    }
    if (rc != OK) {
        json_decref(lists);
        return rc;
    }
    json_t *page = object(field_bool("lead", lead), field_bool("any", n > 0), field_json("lists", lists));
    return reply_page(c, 200, "experts/index", "Label review", page);
}

/* ---- one ---- */

static const struct eligibility *eligibility_of(const struct review_facts *f, int64_t account)
{
    static const struct eligibility none = {0};
    for (size_t i = 0; i < f->eligible.n; i++) {
        if (f->eligible.people[i].account == account) {
            return &f->eligible.people[i];
        }
    }
    return &none;
}

static json_t *people_json(struct ctx *c, const struct review_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_people; i++) {
        const struct label_reviewer_row *p = &f->people[i];
        const struct eligibility *e = eligibility_of(f, p->account);
        object_add(list, field_sv("login", p->login.n ? p->login : SV("forgotten")), field_sv("role", p->role),
                   field_bool("active", p->active), field_text("images", data_count(c->arena, p->images)),
                   field_text("repeats", data_count(c->arena, p->repeats)), field_bool("all", e->seen == 0),
                   field_text("eligible", data_count(c->arena, e->eligible)), field_text("why", eligible_why(e, c->arena)),
                   field_text("adjudicated", data_count(c->arena, p->adjudicated)));
    }
    return list;
}

static json_t *disputes_json(struct ctx *c, const struct review_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_disputes; i++) {
        const struct label_open_item *d = &f->disputes[i];
        object_add(list, field_text("number", data_count(c->arena, d->position + 1)),
                   field_text("url", arena_printf(c->arena, "/labels/" SV_FMT "/adjudicate/%lld", SV_ARG(f->row.name), (long long)d->position)),
                   field_int("labels", d->labels), field_int("people", d->people), field_bool("problematic", d->problematic), field_int("keep", d->keep), field_int("discuss", d->discuss));
    }
    return list;
}

static json_t *problems_json(struct ctx *c, const struct review_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_problems; i++) {
        const struct label_problem *p = &f->problems[i];
        object_add(list, field_text("number", data_count(c->arena, p->position + 1)),
                   field_text("url", arena_printf(c->arena, "/labels/" SV_FMT "/adjudicate/%lld", SV_ARG(f->row.name), (long long)p->position)),
                   field_int("people", p->people), field_sv("reasons", p->reasons), field_sv("comments", p->comments));
    }
    return list;
}

static json_t *rates_json(struct ctx *c, const struct review_facts *f)
{
    static const char *const labels[REVIEW_RATES] = {"The set\xe2\x80\x99s label is wrong", "Several labels are correct", "Problematic"};
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_rates; i++) {
        const struct review_rate *r = &f->rates[i];
        object_add(list, field_text("label", labels[i]), field_text("value", data_number(c->arena, r->share, 1)),
                   field_text("note", arena_printf(c->arena, "n %s, %s\xe2\x80\x93%s", data_count(c->arena, r->of), data_number(c->arena, r->lo, 1),
                                                   data_number(c->arena, r->hi, 1))));
    }
    return list;
}

static json_t *found_json(struct ctx *c, const struct review_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_found; i++) {
        const struct review_found *r = &f->found[i];
        object_add(list, field_text("k", data_count(c->arena, r->k)), field_text("reviewed", data_count(c->arena, r->reviewed)),
                   field_text("wrong", data_count(c->arena, r->wrong)), field_text("value", data_number(c->arena, r->precision, 1)),
                   field_text("note", isnan(r->lo) ? NULL : data_range(c->arena, r->lo, r->hi, 1)));
    }
    return list;
}

/* What strict would be over the whole list if all that nobody has reviewed yet were wrong, or correct. */
static const char *until_done(struct ctx *c, const struct review_facts *f, const struct multilabel_row *r)
{
    const struct label_coverage *v = &f->scores.coverage;
    const double all = v->there, open = (double)v->there - v->counted + r->undecided;
    return v->there ? arena_printf(c->arena, "%.1f\xe2\x80\x93%.1f", 100 * r->counts.correct / all, 100 * (r->counts.correct + open) / all)
                    : "\xe2\x80\x93";
}

static json_t *scores_json(struct ctx *c, const struct review_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_rows; i++) {
        const struct multilabel_row *r = &f->rows[i];
        object_add(list, field_sv("model", r->model), field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(r->model))),
                   field_text("set", data_number(c->arena, r->set, 1)), field_text("strict", data_number(c->arena, r->strict, 1)),
                   field_text("strict_range", data_range(c->arena, r->strict_lo, r->strict_hi, 1)),
                   field_text("lenient", data_number(c->arena, r->lenient, 1)),
                   field_text("lenient_range", data_range(c->arena, r->lenient_lo, r->lenient_hi, 1)),
                   field_text("class_mean", data_number(c->arena, 100 * r->counts.mean_strict, 1)), field_text("outside", data_number(c->arena, r->outside, 1)),
                   field_text("until_done", until_done(c, f, r)));
    }
    return list;
}

static const char *agreed_text(struct ctx *c, double percent, int64_t agreed, int64_t of)
{
    return arena_printf(c->arena, "%s (%lld of %lld)", data_number(c->arena, percent, 1), (long long)agreed, (long long)of);
}

static json_t *anchoring_json(struct ctx *c, const struct review_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_anchoring; i++) {
        const struct review_anchoring *r = &f->anchoring[i];
        const struct label_agreement *n = &r->row;
        object_add(list, field_text("who", r->who),
                   field_text("shown", agreed_text(c, r->shown.value, n->shown_agreed, n->shown)),
                   field_text("hidden", agreed_text(c, r->hidden.value, n->hidden_agreed, n->hidden)),
                   field_text("difference", data_number(c->arena, r->difference.value, 1)),
                   field_text("range", arena_printf(c->arena, "%s to %s", data_number(c->arena, r->difference.lo, 1), data_number(c->arena, r->difference.hi, 1))));
    }
    return list;
}

static const char *repeats_text(struct ctx *c, const struct review_facts *f)
{
    return f->repeats_both ? arena_printf(c->arena, "Of %s labels that the same person reviewed twice, %s have the same verdict both times.",
                                          data_count(c->arena, f->repeats_both), data_count(c->arena, f->repeats_same))
                           : NULL;
}

static json_t *lead_json(struct ctx *c, const struct review_facts *f)
{
    json_t *logins = expert_choices(c);
    return logins ? object(field_json("people", people_json(c, f)), field_bool("any_people", f->n_people > 0),
                           field_json("disputes", disputes_json(c, f)), field_bool("any_disputes", f->n_disputes > 0),
                           field_json("problems", problems_json(c, f)), field_bool("any_problems", f->n_problems > 0),
                           field_json("rates", rates_json(c, f)), field_bool("any_drawn", f->drawn > 0),
                           field_text("drawn", data_count(c->arena, f->drawn)),
                           field_json("found", found_json(c, f)), field_bool("any_found", f->n_found > 0), field_json("scores", scores_json(c, f)),
                           field_bool("any_scores", f->n_rows > 0), field_text("why", f->why),
                           field_text("counted", data_count(c->arena, f->scores.coverage.counted)),
                           field_text("repeats", repeats_text(c, f)), field_json("logins", logins),
                           field_bool("starved", f->eligible.starved > 0), field_text("starving", data_count(c->arena, f->eligible.starved)),
                           field_sv("suggested", f->row.suggested), field_json("anchoring", anchoring_json(c, f)),
                           field_bool("any_anchoring", f->n_anchoring > 0), field_bool("again", f->row.again),
                           field_int("models", f->n_models), field_text("model_names", f->models),
                           field_text("sources", f->sources), field_text("candidates", f->candidates),
                           field_text("source_url", f->row.looks ? arena_printf(c->arena, "/label-sources/" SV_FMT "?set=" SV_FMT,
                                                                               SV_ARG(f->row.name), SV_ARG(f->row.set))
                                                                 : NULL),
                           field_text("json_url", arena_printf(c->arena, "/api/v1/label-reviews/" SV_FMT, SV_ARG(f->row.name))))
                  : NULL;
}

/* GET /labels/:list */
enum err_code page_label_review(struct ctx *c)
{
    struct review_facts f;
    struct label_review_row r;
    struct label_next next = {.position = -1};
    bool lead = c->user.role >= ROLE_LEAD, theirs = false;
    enum err_code rc = review_open(c, &r);
    rc = rc == OK ? label_reviewer_is(c->db, r.id, c->user.account, &theirs, &c->err) : rc;
    rc = rc == OK && theirs ? review_next(c->db, &r, c->user.account, &next, &c->err) : rc;
    if (rc == OK) {
        rc = lead ? review_facts_read(c->db, app_model_scores(c->app), &r, c->arena, &f, &c->err) : review_summary_read(c->db, &r, c->arena, &f, &c->err);
    }
    if (rc != OK) {
        return rc;
    }
    json_t *missing = training_needed_json(c, FOR_LABEL_REVIEW, r.id), *of_leads = !missing ? NULL : lead ? lead_json(c, &f) : json_false();
    if (!of_leads) {
        json_decref(missing);
        return c->err.code;
    }
    json_t *page = object(field_json("list", list_json(c, &f)),
                          field_bool("theirs", theirs && sv_is(r.state, "open") && json_array_size(missing) == 0),
                          field_bool("locked", theirs && json_array_size(missing) > 0), field_json("missing", missing),
                          field_bool("left", next.position >= 0), field_json("of_leads", of_leads),
                          field_text("change_url", arena_printf(c->arena, "%s/change", review_url(c, r.name))));
    if (lead) {
        json_object_set_new(page, "live", data_live("review,models", review_url(c, r.name)));
    }
    return reply_page(c, 200, "experts/show", arena_cstr(c->arena, r.name), page);
}

/* ---- changing ---- */

/* POST /labels/:list/change: do, login */
enum err_code page_label_change(struct ctx *c)
{
    struct label_review_row r;
    const char *did = "";
    enum err_code rc = label_reviews_find(c->db, c->req->params[0], c->arena, &r, &c->err);
    rc = rc == OK ? review_change(c, &r, form_get(&c->form, "do"), form_get(&c->form, "login"), &did) : rc;
    return rc == OK ? reply_did(c, review_url(c, r.name), NULL, "%s", did) : rc;
}
