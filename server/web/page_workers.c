/* page_workers.c - the people who work: a list, one person with answers and notes, blocking and
 * forgetting. Rows in routes.c (all need the role lead); templates/workers/. A person's address is the
 * pseudonym, which says nothing and outlives their panel id. */
#include "base/clock.h"
#include "store/notes.h"
#include "store/participants.h"
#include "store/people.h"
#include "store/workers.h"
#include "view/escape.h"
#include "web/grid_data.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/people_data.h"
#include "web/reply.h"

enum { PEOPLE_A_PAGE = 25, ANSWERS_A_PAGE = 20 };

static json_t *person_json(struct ctx *c, const struct worker *w)
{
    struct arena *a = c->arena;
    return json_pack(
        "{s:o, s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:b, s:s, s:b, s:b, s:b}", "pseudonym",
        data_text(w->pseudonym), "url", people_url(a, w->pseudonym), "id", data_text(w->external_id),
        "source", data_text(w->source), "places", data_count(a, w->places), "grids",
        data_count(a, w->grids), "active", people_minutes(a, w->active_ms), "rate",
        people_rate(a, w->rate_cents, w->currency), "low",
        w->rate_cents >= 0 && w->rate_cents < w->floor_cents, "last",
        w->last_at ? people_day(a, w->last_at) : "\xe2\x80\x93", "blocked", w->blocked,
        "forgotten", w->forgotten, "imported", sv_is(w->kind, "imported"));
}

static const char *list_url(struct ctx *c, enum worker_filter filter, struct sv query,
                            int64_t after)
{
    struct str s;
    str_init(&s, 4096);
    str_printf(&s, "/workers?show=%s", worker_filter_name(filter));
    if (query.n) {
        str_addz(&s, "&q=");
        escape_url(&s, query);
    }
    if (after) {
        str_printf(&s, "&after=%lld", (long long)after);
    }
    const char *url = arena_cstr(c->arena, str_sv(&s));
    str_release(&s);
    return url;
}

static enum worker_filter filter_asked(struct ctx *c)
{
    for (unsigned i = 0; i < WORKERS_FILTERS; i++) {
        if (sv_is(request_query(c->req, "show"), worker_filter_name((enum worker_filter)i))) {
            return (enum worker_filter)i;
        }
    }
    return WORKERS_ALL;
}

static json_t *filters_json(struct ctx *c, enum worker_filter current, struct sv query)
{
    static const char *const labels[WORKERS_FILTERS] = {"Everybody", "Blocked", "Forgotten"};
    json_t *list = json_array();
    for (unsigned i = 0; i < WORKERS_FILTERS; i++) {
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:b}", "label", labels[i], "url",
                            list_url(c, (enum worker_filter)i, query, 0), "current",
                            i == (unsigned)current));
    }
    return list;
}

/* GET /workers?show=&q=&after= */
enum err_code page_workers(struct ctx *c)
{
    enum worker_filter filter = filter_asked(c);
    struct sv query = sv_trim(request_query(c->req, "q"));
    struct worker *list;
    size_t n;
    int64_t after = 0;
    sv_i64(request_query(c->req, "after"), &after);
    if (workers_page(c->db, filter, query, after, PEOPLE_A_PAGE + 1, c->arena, &list, &n,
                     &c->err) != OK) {
        return c->err.code;
    }
    bool more = n > PEOPLE_A_PAGE;
    json_t *people = json_array();
    for (size_t i = 0; i < n - more; i++) {
        json_array_append_new(people, person_json(c, &list[i]));
    }
    return reply_page(
        c, 200, "workers/index", "People",
        json_pack("{s:o, s:s, s:b, s:o, s:o, s:o}", "query", data_text(query), "show",
                  worker_filter_name(filter), "narrowed", query.n || filter != WORKERS_ALL,
                  "filters", filters_json(c, filter, query), "people", people, "next_url",
                  more ? json_string(list_url(c, filter, query, list[n - 2].person))
                       : json_null()));
}

/* ---- one person ---- */

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

/* A difference from the others: "+0.02", and never "-0.00". */
static const char *relative_text(struct arena *a, double x)
{
    return x > -0.005 && x < 0.005 ? "0.00" : arena_printf(a, "%+.2f", x);
}

struct compared {
    size_t n;
    double relative, control;
    size_t controls;
};

/* How this answer compares with the others to the same grid; `row` gets texts. */
static enum err_code compare(struct ctx *c, const struct worker_answer *w, json_t *row,
                             struct compared *sum)
{
    struct grid_view v;
    if (grid_view_load(c, w->grid, &v) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < v.n_lent; i++) {
        const struct score *s = &v.lent[i].score;
        if (v.lent[i].answer != w->id) {
            continue;
        }
        if (s->control >= 0) {
            sum->control += s->control;
            sum->controls++;
            json_object_set_new(row, "control",
                                json_string(arena_printf(c->arena, "%.0f\xc2\xa0%%",
                                                         100 * s->control)));
        }
        if (s->compared) {
            sum->relative += s->relative;
            sum->n++;
            json_object_set_new(row, "relative",
                                json_string(relative_text(c->arena, s->relative)));
        }
        json_object_set_new(row, "grid_url",
                            json_string(assignment_url(c, &v.campaign, w->assignment)));
    }
    return OK;
}

static enum err_code answers_json(struct ctx *c, const struct worker *w, json_t *page,
                                  struct compared *sum)
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
    json_object_set_new(page, "answers", answers);
    for (size_t i = 0; i < n - more; i++) {
        const struct worker_answer *one = &list[i];
        json_t *row = json_pack(
            "{s:s, s:o, s:s, s:s, s:s, s:b, s:o, s:s, s:s, s:n}", "at",
            people_minute(c->arena, one->at), "campaign", data_text(one->campaign), "class",
            data_synset(c->arena, one->class_words, ", "), "active",
            people_minutes(c->arena, one->active_ms), "state",
            one->out       ? "out"
            : one->surplus ? "surplus"
                           : "stored",
            "stored", !one->out && !one->surplus, "rule", data_text(one->rule), "control",
            "\xe2\x80\x93", "relative", "\xe2\x80\x93", "grid_url");
        json_array_append_new(answers, row);
        if (compare(c, one, row, sum) != OK) {
            return c->err.code;
        }
    }
    json_object_set_new(page, "older_url",
                        more ? json_string(arena_printf(
                                   c->arena, "%s?before=%lld", people_url(c->arena, w->pseudonym),
                                   (long long)list[n - 2].id))
                             : json_null());
    return OK;
}

static json_t *tiles_json(struct ctx *c, const struct worker *w, const struct compared *sum)
{
    struct arena *a = c->arena;
    json_t *tiles = json_array();
    data_tile(tiles, "Grids answered", data_count(a, w->grids),
              w->places ? arena_printf(a, "in %s campaign%s here", data_count(a, w->places),
                                       w->places == 1 ? "" : "s")
                        : "imported or simulated");
    data_tile(tiles, "Active time", people_minutes(a, w->active_ms), NULL);
    people_rate_tile(a, tiles, "Effective pay", w->rate_cents, w->floor_cents, w->currency,
                     "complete campaigns only");
    data_tile(tiles, "Against the others",
              sum->n ? relative_text(a, sum->relative / (double)sum->n) : "\xe2\x80\x93",
              sum->n ? arena_printf(a, "agreement on the same cells, %zu grid%s shown below", sum->n,
                                    sum->n == 1 ? "" : "s")
                     : "nobody to compare with");
    data_tile(tiles, "Controls right",
              sum->controls
                  ? arena_printf(a, "%.0f\xc2\xa0%%", 100 * sum->control / (double)sum->controls)
                  : "\xe2\x80\x93",
              "of the grids shown below; it measures the originals too");
    return tiles;
}

/* GET /workers/:person?before= */
enum err_code page_worker(struct ctx *c)
{
    struct worker w;
    struct participant *parts;
    struct note *notes;
    struct compared sum = {0};
    size_t n_parts, n_notes;
    if (load(c, &w) != OK ||
        participants_of(c->db, w.person, c->arena, &parts, &n_parts, &c->err) != OK ||
        notes_list(c->db, w.person, c->arena, &notes, &n_notes, &c->err) != OK) {
        return c->err.code;
    }
    json_t *page = json_pack("{s:o, s:o, s:o}", "person", person_json(c, &w), "parts",
                             parts_json(c, parts, n_parts), "notes",
                             notes_json(c, notes, n_notes));
    if (answers_json(c, &w, page, &sum) != OK) {
        json_decref(page);
        return c->err.code;
    }
    json_object_set_new(page, "tiles", tiles_json(c, &w, &sum));
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
                      json_pack("{s:o}", "person", person_json(c, &w)));
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
