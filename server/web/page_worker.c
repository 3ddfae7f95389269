/* page_worker.c - one person: scores, answers, pay, notes, what was decided about them; blocking and
 * forgetting. Rows in routes.c (all need the role lead); templates/workers/. A person's address is the
 * pseudonym, which says nothing and outlives their panel id. */
#include "base/clock.h"
#include "base/sorted.h"
#include "live/person_scores.h"
#include "stats/binomial.h"
#include "store/notes.h"
#include "store/participants.h"
#include "store/people.h"
#include "store/workers.h"
#include "web/charts.h"
#include "web/decision_data.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/people_data.h"
#include "web/reply.h"

enum { ANSWERS_A_PAGE = 20, DECISIONS_SHOWN = 20 };
#define DASH "\xe2\x80\x93"

static enum err_code load(struct ctx *c, struct worker *out)
{
    int64_t person = 0;
    if (people_find_pseudonym(c->db, c->req->params[0], &person, &c->err) != OK) {
        return c->err.code;
    }
    return workers_get(c->db, person, c->arena, out, &c->err);
}

static json_t *parts_json(struct ctx *c, const struct participant *list, size_t n)
{
    json_t *parts = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *part = people_participant(c->arena, &list[i]);
        json_object_set_new(part, "title", data_text(list[i].campaign_title));
        json_object_set_new(part, "campaign_url",
                            json_string(arena_printf(c->arena, "/campaigns/" SV_FMT,
                                                     SV_ARG(list[i].campaign_name))));
        json_array_append_new(parts, part);
    }
    return parts;
}

static json_t *notes_json(struct ctx *c, const struct note *list, size_t n)
{
    json_t *notes = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(
            notes, json_pack("{s:s, s:o, s:b, s:o, s:o}", "at",
                             people_minute(c->arena, list[i].at), "kind", data_text(list[i].kind),
                             "block", sv_is(list[i].kind, "block"), "text",
                             data_text(list[i].text), "by",
                             list[i].by.n ? data_text(list[i].by) : json_string("command line")));
    }
    return notes;
}

/* ---- scores ---- */

/* "92 % (n 12, 62-100 %)": the interval is Clopper and Pearson's, of one person's answers. */
static const char *share_text(struct arena *a, uint32_t right, uint32_t n)
{
    struct interval ci = binomial_clopper_pearson(right, n, 0.05);
    return n ? arena_printf(a, "%.0f\xc2\xa0%% (n %s, %.0f\xe2\x80\x93%.0f\xc2\xa0%%)",
                            100.0 * right / n, data_count(a, n), 100 * ci.lo, 100 * ci.hi)
             : DASH;
}

static json_t *sums_json(struct arena *a, const struct person_sums *s)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "answers", data_count(a, s->n), "out",
        data_count(a, s->out), "surplus", data_count(a, s->surplus), "active",
        people_minutes(a, (int64_t)s->active_ms), "positive", share_text(a, s->pos_right, s->pos),
        "negative", share_text(a, s->neg_right, s->neg), "gold",
        share_text(a, s->gold_right, s->gold), "agreement",
        s->compared ? arena_printf(a, "%.2f (n %s)", s->agreement, data_count(a, s->compared))
                    : DASH,
        "relative",
        s->compared ? arena_printf(a, "%s (n %s)", people_relative(a, s->relative),
                                   data_count(a, s->compared))
                    : DASH);
}

struct scored {
    struct person_answer *list;
    size_t n;
};

/* A row for each campaign that the person answered in, the newest first. */
static enum err_code scores_json(struct ctx *c, const struct scored *s, json_t *rows)
{
    struct campaign *list;
    size_t n;
    enum err_code rc = campaigns_list(c->db, false, c->arena, &list, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct person_sums sum = person_sum(s->list, s->n, (uint32_t)list[i].id);
        if (sum.n) {
            json_t *row = sums_json(c->arena, &sum);
            json_object_set_new(row, "title", data_text(list[i].title));
            json_object_set_new(row, "url",
                                json_string(arena_printf(c->arena, "/campaigns/" SV_FMT,
                                                         SV_ARG(list[i].name))));
            json_array_append_new(rows, row);
        }
    }
    return rc;
}

static const struct score *score_of(const struct scored *s, int64_t answer)
{
    if (answer < 0 || answer > UINT32_MAX) {
        return NULL;
    }
    size_t at = sorted_u32(s->list, s->n, sizeof *s->list, offsetof(struct person_answer, id),
                           (uint32_t)answer);
    return at < s->n && s->list[at].id == answer ? &s->list[at].score : NULL;
}

static json_t *answer_json(struct ctx *c, const struct worker_answer *one, const struct scored *all)
{
    struct arena *a = c->arena;
    const struct score *s = score_of(all, one->id);
    const char *url = arena_printf(a, "/campaigns/" SV_FMT "/assignments/%lld",
                                   SV_ARG(one->campaign), (long long)one->assignment);
    return json_pack(
        "{s:s, s:o, s:s, s:s, s:s, s:b, s:o, s:s, s:s, s:s, s:s}", "at",
        people_minute(a, one->at), "campaign", data_text(one->campaign), "class",
        data_synset(a, one->class_words, ", "), "active", people_minutes(a, one->active_ms),
        "state",
        one->out       ? "out"
        : one->surplus ? "surplus"
                       : "stored",
        "stored", !one->out && !one->surplus, "rule", data_text(one->rule), "control",
        s && s->control >= 0 ? arena_printf(a, "%.0f\xc2\xa0%%", 100 * s->control) : DASH,
        "relative", s && s->compared ? people_relative(a, s->relative) : DASH, "grid_url", url,
        "decide_url", arena_printf(a, "/decisions/new?answer=%lld&value=%s", (long long)one->id,
                                   one->out ? "in" : "out"));
}

static enum err_code answers_json(struct ctx *c, const struct worker *w, const struct scored *all,
                                  json_t *page)
{
    struct worker_answer *list;
    size_t n;
    int64_t before = 0;
    sv_i64(request_query(c->req, "before"), &before);
    if (workers_answers(c->db, w->person, before, ANSWERS_A_PAGE + 1, c->arena, &list, &n,
                        &c->err) != OK) {
        return c->err.code;
    }
    bool more = n > ANSWERS_A_PAGE;
    json_t *answers = json_array();
    for (size_t i = 0; i < n - more; i++) {
        json_array_append_new(answers, answer_json(c, &list[i], all));
    }
    json_object_set_new(page, "answers", answers);
    json_object_set_new(page, "older_url",
                        more ? json_string(arena_printf(
                                   c->arena, "%s?before=%lld", people_url(c->arena, w->pseudonym),
                                   (long long)list[n - 2].id))
                             : json_null());
    return OK;
}

static json_t *tiles_json(struct ctx *c, const struct worker *w, const struct person_sums *sum)
{
    struct arena *a = c->arena;
    json_t *tiles = json_array();
    const char *out = sum->out ? arena_printf(a, "%s out of the analysis", data_count(a, sum->out))
                               : "none out of the analysis";
    data_tile(tiles, "Grids answered", data_count(a, sum->n), out);
    data_tile(tiles, "Active time", people_minutes(a, (int64_t)sum->active_ms), NULL);
    people_rate_tile(a, tiles, "Effective pay", w->rate_cents, w->floor_cents, w->currency,
                     "complete campaigns only");
    data_tile(tiles, "Against the others", sum->compared ? people_relative(a, sum->relative) : DASH,
              sum->compared ? arena_printf(a, "agreement on the same cells, n %s grids",
                                           data_count(a, sum->compared))
                            : "nobody to compare with");
    data_tile(tiles, "Gold answered right", share_text(a, sum->gold_right, sum->gold),
              sum->gold ? NULL : "no gold in these grids");
    data_tile(tiles, "Negatives right", share_text(a, sum->neg_right, sum->neg), NULL);
    data_tile(tiles, "Positives right", share_text(a, sum->pos_right, sum->pos),
              "it measures the originals too");
    return tiles;
}

/* ---- decisions about the person ---- */

static enum err_code decisions_json(struct ctx *c, const struct worker *w, json_t *rows)
{
    struct decision *list;
    int64_t *about;
    size_t n;
    enum err_code rc =
        decisions_of(c->db, w->person, DECISIONS_SHOWN, c->arena, &list, &about, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        json_t *row = decision_json(c->db, &list[i], c->arena, &c->err);
        if (!row) {
            return c->err.code;
        }
        json_object_set_new(row, "about", json_string(data_count(c->arena, about[i])));
        json_array_append_new(rows, row);
    }
    return rc;
}

/* ---- the page ---- */

static enum err_code fill_page(struct ctx *c, const struct worker *w, json_t *page)
{
    struct scored all;
    struct chart_ask ask = {.person = w->pseudonym};
    json_t *scores = json_array(), *decisions = json_array();
    person_scores(app_tally(c->app), w->person, c->arena, &all.list, &all.n);
    struct person_sums sum = person_sum(all.list, all.n, 0);
    json_object_set_new(page, "scores", scores);
    json_object_set_new(page, "decisions", decisions);
    json_object_set_new(page, "tiles", tiles_json(c, w, &sum));
    json_object_set_new(page, "out_url",
                        json_string(arena_printf(c->arena, "/decisions/new?person=" SV_FMT,
                                                 SV_ARG(w->pseudonym))));
    json_object_set_new(page, "has_out", json_boolean(sum.out > 0));
    json_t *chart = charts_data(c, "person-agreement", &ask);
    json_object_set_new(page, "chart", chart ? chart : json_null());
    if (!chart || answers_json(c, w, &all, page) != OK || scores_json(c, &all, scores) != OK ||
        decisions_json(c, w, decisions) != OK) {
        return c->err.code;
    }
    return OK;
}

/* GET /workers/:person?before= */
enum err_code page_worker(struct ctx *c)
{
    struct worker w;
    struct participant *parts;
    struct note *notes;
    size_t n_parts, n_notes;
    if (load(c, &w) != OK ||
        participants_of(c->db, w.person, c->arena, &parts, &n_parts, &c->err) != OK ||
        notes_list(c->db, w.person, c->arena, &notes, &n_notes, &c->err) != OK) {
        return c->err.code;
    }
    json_t *page = json_pack("{s:o, s:o, s:o}", "person", people_worker(c->arena, &w), "parts",
                             parts_json(c, parts, n_parts), "notes",
                             notes_json(c, notes, n_notes));
    if (fill_page(c, &w, page) != OK) {
        json_decref(page);
        return c->err.code;
    }
    return reply_page(c, 200, "workers/show", arena_cstr(c->arena, w.pseudonym), page);
}

/* POST /workers/:person/notes: kind, text */
enum err_code page_worker_note(struct ctx *c)
{
    static const char *const kinds[] = {"note", "block", "unblock"};
    struct worker w;
    const char *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        kind = sv_is(form_get(&c->form, "kind"), kinds[i]) ? kinds[i] : kind;
    }
    if (!kind) {
        return err_rule(&c->err, ERR_INPUT, "note-kind",
                        "A note, a block or an unblock can be written; nothing was changed.");
    }
    if (load(c, &w) != OK || notes_add(c->db, w.person, kind, form_get(&c->form, "text"),
                                       c->user.account, clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    return reply_redirect(c, people_url(c->arena, w.pseudonym));
}

/* ---- forgetting ---- */

/* An account belongs to somebody who signs in: that is the administrator's to end. */
static enum err_code may_forget(struct ctx *c, const struct worker *w)
{
    return sv_is(w->kind, "staff") && c->user.role < ROLE_ADMIN
               ? err_rule(&c->err, ERR_DENIED, "forget-staff",
                          "This person has an account here; only an administrator may erase them. "
                          "Nothing was changed.")
               : OK;
}

/* GET /workers/:person/forget */
enum err_code page_worker_forget_form(struct ctx *c)
{
    struct worker w;
    if (load(c, &w) != OK || may_forget(c, &w) != OK) {
        return c->err.code;
    }
    return reply_page(c, 200, "workers/forget", "Forget a person",
                      json_pack("{s:o}", "person", people_worker(c->arena, &w)));
}

/* POST /workers/:person/forget */
enum err_code page_worker_forget(struct ctx *c)
{
    struct worker w;
    if (load(c, &w) != OK || may_forget(c, &w) != OK ||
        people_forget(c->db, clock_wall_ms(), c->user.account, w.person, &c->err) != OK) {
        return c->err.code;
    }
    return reply_redirect(c, people_url(c->arena, w.pseudonym));
}
