/* worker.c - one person: scores, answers, pay, notes, what was decided about them; blocking and
 * forgetting. Rows in routes.c (all need the role lead); templates/people/worker, forget. A person's address is the
 * pseudonym, which says nothing and outlives their panel id. */
#include "json/object.h"
#include "stats/binomial.h"
#include "study/decision_data.h"
#include "study/person.h"
#include "web/core/lists.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/study_of.h"
#include "web/parts/people_data.h"

enum { ANSWERS_A_PAGE = 20 };
#define DASH "\xe2\x80\x93"

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
        object_add(
            notes, field_text("at", people_minute(c->arena, list[i].at)),
            field_sv("kind", list[i].kind), field_bool("block", sv_is(list[i].kind, "block")),
            field_sv("text", list[i].text),
            field_json("by", list[i].by.n ? data_text(list[i].by) : json_string("command line")));
    }
    return notes;
}

/* ---- scores ---- */

/* "92 %". */
static const char *share_text(struct arena *a, uint32_t right, uint32_t n)
{
    return n ? arena_printf(a, "%.0f\xc2\xa0%%", 100.0 * right / n) : DASH;
}

/* "n 12, 62-100 %", "" of none: the interval is Clopper and Pearson's, of one person's answers. */
static const char *share_note(struct arena *a, uint32_t right, uint32_t n)
{
    struct interval ci = binomial_clopper_pearson(right, n, 0.05);
    return n ? arena_printf(a, "n %s, %.0f\xe2\x80\x93%.0f\xc2\xa0%%", data_count(a, n),
                            100 * ci.lo, 100 * ci.hi)
             : "";
}

/* As layout/score takes it. */
static json_t *share_json(struct arena *a, uint32_t right, uint32_t n)
{
    return object(field_text("value", share_text(a, right, n)),
                  field_text("note", share_note(a, right, n)));
}

/* The same of a number about `compared` grids. */
static json_t *compared_json(struct arena *a, const char *value, uint32_t compared)
{
    return object(
        field_text("value", compared ? value : DASH),
        field_text("note", compared ? arena_printf(a, "n %s", data_count(a, compared)) : ""));
}

static json_t *sums_json(struct arena *a, const struct person_sums *s)
{
    return object(
        field_text("answers", data_count(a, s->n)), field_text("out", data_count(a, s->out)),
        field_text("surplus", data_count(a, s->surplus)),
        field_text("active", people_minutes(a, (int64_t)s->active_ms)),
        field_json("positive", share_json(a, s->pos_right, s->pos)),
        field_json("negative", share_json(a, s->neg_right, s->neg)),
        field_json("gold", share_json(a, s->gold_right, s->gold)),
        field_json("agreement",
                   compared_json(a, arena_printf(a, "%.2f", s->agreement), s->compared)),
        field_json("relative", compared_json(a, people_relative(a, s->relative), s->compared)));
}

static json_t *campaigns_json(struct ctx *c, const struct person_record *p)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < p->n_campaigns; i++) {
        const struct person_campaign *k = &p->campaigns[i];
        json_t *row = sums_json(c->arena, &k->sums);
        json_object_set_new(row, "title", data_text(k->title));
        json_object_set_new(
            row, "url",
            json_string(arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k->name))));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- answers ---- */

struct query {
    int state, sort;
    bool falling;
    int64_t page;
};

static const struct list_word states[] = {
    {"all", "All", PERSON_ANSWER_ANY},
    {"stored", "Stored", PERSON_ANSWER_STORED},
    {"out", "Excluded", PERSON_ANSWER_OUT},
    {"surplus", "Surplus", PERSON_ANSWER_SURPLUS},
    {0},
};
static const struct list_word sorts[] = {
    {"when", "When", PERSON_ANSWERS_BY_TIME},
    {"active", "Active", PERSON_ANSWERS_BY_ACTIVE},
    {"relative", "Against the others", PERSON_ANSWERS_BY_RELATIVE},
    {"controls", "Controls right", PERSON_ANSWERS_BY_CONTROL},
    {0},
};

/* The newest; but the fastest and the worst. */
static bool falls(int sort)
{
    return sort == PERSON_ANSWERS_BY_TIME;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"state", LIST_WORD, AT(state), .words = states, .chips = "Which submissions"},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[1], falls};
static const struct query usual = {.state = PERSON_ANSWER_ANY, .falling = true, .page = 1};

static json_t *answer_json(struct ctx *c, const struct worker_answer *one, const struct person_answer *counted)
{
    struct arena *a = c->arena;
    const struct agreement *s = &counted->agreement;
    const char *url = arena_printf(a, "/campaigns/" SV_FMT "/assignments/%lld",
                                   SV_ARG(one->campaign), (long long)one->assignment);
    return object(
        field_text("at", people_minute(a, one->at)), field_sv("campaign", one->campaign),
        field_text("class", data_synset(a, one->class_words, ", ")),
        field_text("active", people_minutes(a, one->active_ms)),
        field_text("state", list_word_of(states, person_answer_state(counted))),
        field_bool("stored", person_answer_state(counted) == PERSON_ANSWER_STORED),
        field_sv("rule", one->rule),
        field_text("control", s->control >= 0 ? arena_printf(a, "%.0f\xc2\xa0%%", 100 * s->control)
                                              : DASH),
        field_text("relative", s->compared ? people_relative(a, s->relative) : DASH),
        field_text("grid_url", url),
        field_text("decide_url", arena_printf(a, "/decisions/new?answer=%lld&value=%s",
                                              (long long)one->id, one->out ? "in" : "out")));
}

/* {chips, heads, answers, pages, pages_label}; NULL on failure. */
static json_t *answers_json(struct ctx *c, const struct query *q, const struct person_record *p)
{
    const struct person_answers_ask ask = {q->state, q->sort, q->falling};
    size_t n;
    const struct person_answer *list = person_answers_find(p->answers, p->n_answers, &ask, c->arena, &n);
    const struct list_page part = list_page_of((int64_t)n, ANSWERS_A_PAGE, q->page);
    json_t *rows = json_array();
    for (size_t i = part.skip; i < n && i < part.skip + part.most; i++) {
        struct worker_answer one;
        if (workers_answer(c->db, list[i].id, c->arena, &one, &c->err) != OK) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, answer_json(c, &one, &list[i]));
    }
    const char *path = people_url(c->arena, p->worker.pseudonym);
    const char *base = list_url(c, &table, path, &usual, q, false);
    return object(field_json("chips", list_chips(c, &table, path, q)),
                  field_json("heads", list_heads(c, &table, path, &usual, q)), field_json("answers", rows),
                  field_json("pages", list_page_links(c, &part, base, "#answers-head")),
                  field_text("pages_label", "Pages of submissions"));
}

static json_t *tiles_json(struct ctx *c, const struct worker *w, const struct person_sums *sum)
{
    struct arena *a = c->arena;
    json_t *tiles = json_array();
    const char *out = sum->out ? arena_printf(a, "%s excluded", data_count(a, sum->out))
                               : "none excluded";
    data_tile(tiles, "Grids answered", data_count(a, sum->n), out);
    data_tile(tiles, "Active time", people_minutes(a, (int64_t)sum->active_ms), NULL);
    people_rate_tile(a, tiles, "Effective pay", w->rate_cents, w->floor_cents, w->currency,
                     "complete campaigns only");
    data_tile(tiles, "Against the others", sum->compared ? people_relative(a, sum->relative) : DASH,
              sum->compared ? arena_printf(a, "agreement on the same cells, n %s grids",
                                           data_count(a, sum->compared))
                            : "nobody to compare with");
    data_tile(tiles, "Gold answered right", share_text(a, sum->gold_right, sum->gold),
              sum->gold ? share_note(a, sum->gold_right, sum->gold) : "no gold in these grids");
    data_tile(tiles, "Negatives right", share_text(a, sum->neg_right, sum->neg),
              share_note(a, sum->neg_right, sum->neg));
    data_tile(tiles, "Positives right", share_text(a, sum->pos_right, sum->pos),
              arena_printf(a, "%s%sthey measure the originals too",
                           share_note(a, sum->pos_right, sum->pos), sum->pos ? "; " : ""));
    return tiles;
}

/* ---- decisions about the person ---- */

/* NULL on failure. */
static json_t *decisions_json(struct ctx *c, const struct person_record *p)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < p->n_decisions; i++) {
        json_t *row = decision_json(c->db, &p->decisions[i], c->arena, &c->err);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_object_set_new(row, "about", json_string(data_count(c->arena, p->about[i])));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- the page ---- */

/* What may fail, added to the page; false with c->err set. */
static bool add_parts(struct ctx *c, const struct query *q, const struct person_record *p, json_t *page)
{
    const struct chart_ask ask = {.person = p->worker.pseudonym};
    json_t *chart = charts_data(c, "person-agreement", &ask);
    json_object_set_new(page, "chart", chart);
    json_t *decisions = chart ? decisions_json(c, p) : NULL;
    json_object_set_new(page, "decisions", decisions);
    json_t *answers = decisions ? answers_json(c, q, p) : NULL;
    json_object_set_new(page, "submissions", answers);
    return answers != NULL;
}

/* GET /workers/:person?state=&sort=&order=&page= */
enum err_code page_worker(struct ctx *c)
{
    struct query q;
    struct person_record p;
    const struct study study = study_of(c);
    const struct worker *w = &p.worker;
    if (list_read(c, &table, &usual, &q) != OK || person_read(&study, c->req->params[0], &p) != OK) {
        return c->err.code;
    }
    json_t *page =
        object(field_json("person", people_worker(c->arena, w)),
               field_json("parts", parts_json(c, p.parts, p.n_parts)),
               field_json("notes", notes_json(c, p.notes, p.n_notes)),
               field_json("scores", campaigns_json(c, &p)),
               field_json("tiles", tiles_json(c, w, &p.sums)),
               field_text("out_url", arena_printf(c->arena, "/decisions/new?person=" SV_FMT,
                                                  SV_ARG(w->pseudonym))),
               field_bool("has_out", p.sums.out > 0));
    if (!add_parts(c, &q, &p, page)) {
        json_decref(page);
        return c->err.code;
    }
    return reply_page(c, 200, "people/worker", arena_cstr(c->arena, w->pseudonym), page);
}

/* POST /workers/:person/notes: kind, text */
enum err_code page_worker_note(struct ctx *c)
{
    const struct study study = study_of(c);
    struct sv pseudonym = c->req->params[0];
    const struct person_noting note = {form_get(&c->form, "kind"), form_get(&c->form, "text"),
                                       c->user.account};
    struct person_noted done;
    if (person_note(&study, pseudonym, &note, &done) != OK) {
        return c->err.code;
    }
    const char *url = people_url(c->arena, pseudonym);
    const struct undo undo = {.action = arena_printf(c->arena, "%s/notes", url),
                              .fields = {{"kind", done.undo_kind}, {"text", done.undo_text}}};
    return reply_did(c, url, done.undo_kind ? &undo : NULL, "%s",
                     strcmp(done.kind, "note") == 0    ? "The note is saved."
                     : strcmp(done.kind, "block") == 0 ? "Blocked: this person gets no more grids."
                                                       : "Unblocked: this person can get grids again.");
}

/* ---- forgetting ---- */

/* GET /workers/:person/forget */
enum err_code page_worker_forget_form(struct ctx *c)
{
    struct worker w;
    const struct study study = study_of(c);
    if (person_forgettable(&study, c->req->params[0], c->user.role >= ROLE_ADMIN, &w) != OK) {
        return c->err.code;
    }
    return reply_page(c, 200, "people/forget", "Forget a person",
                      object(field_json("person", people_worker(c->arena, &w))));
}

/* POST /workers/:person/forget */
enum err_code page_worker_forget(struct ctx *c)
{
    const struct study study = study_of(c);
    struct sv pseudonym = c->req->params[0];
    if (person_forget(&study, pseudonym, c->user.role >= ROLE_ADMIN, c->user.account) != OK) {
        return c->err.code;
    }
    return reply_did(c, people_url(c->arena, pseudonym), NULL,
                     "The identity is erased. The answers are kept.");
}
