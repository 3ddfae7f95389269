/* workers.c - the list of people who work: sorted and filtered by any figure, with check boxes for a
 * decision about them. Rows in routes.c (all need the role lead); templates/people/workers. One person
 * is worker.c. */
#include <math.h>

#include "json/object.h"
#include "stats/binomial.h"
#include "store/people/workers.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/people_data.h"
#include "web/people/ask.h"

enum { PEOPLE_A_PAGE = 50 };
#define DASH "\xe2\x80\x93"

struct list {
    struct people_words words;
    struct people_row *rows;
    size_t n;
    int64_t page_asked;
    struct list_page part;
    uint64_t all;          /* answers of everybody */
};

/* ---- a row ---- */

/* NAME "93 %" and NAME_n "412". */
static void add_figure(json_t *o, struct arena *a, const char *name, const char *text, uint64_t n)
{
    json_object_set_new(o, name, json_string(n ? text : DASH));
    json_object_set_new(o, arena_printf(a, "%s_n", name),
                        n ? json_string(data_count(a, (int64_t)n)) : json_null());
}

static const char *percent(struct arena *a, double value)
{
    return arena_printf(a, "%.0f\xc2\xa0%%", 100 * value);
}

static void add_scores(json_t *o, struct arena *a, const struct people_row *r, uint64_t all)
{
    static const struct stats_person none = {0};
    const struct stats_person *s = r->s ? r->s : &none;
    double share = people_value(r, PEOPLE_SHARE, all);
    add_figure(o, a, "control", percent(a, people_value(r, PEOPLE_CONTROL, all)), s->pos + s->neg);
    add_figure(o, a, "negative", percent(a, people_value(r, PEOPLE_NEGATIVE, all)), s->neg);
    add_figure(o, a, "gold", percent(a, people_value(r, PEOPLE_GOLD, all)), s->gold);
    if (s->gold) { /* the one figure that is about the person: with its interval */
        struct interval ci = binomial_clopper_pearson(s->gold_right, s->gold, 0.05);
        json_object_set_new(o, "gold_n",
                            json_string(arena_printf(a, "%s, %.0f\xe2\x80\x93%.0f\xc2\xa0%%",
                                                     data_count(a, s->gold), 100 * ci.lo,
                                                     100 * ci.hi)));
    }
    add_figure(o, a, "relative", people_relative(a, s->relative), s->compared);
    json_object_set_new(o, "share",
                        json_string(isnan(share) ? DASH
                                                 : arena_printf(a, "%.1f\xc2\xa0%%", 100 * share)));
    json_object_set_new(o, "out",
                        json_string(s->out ? arena_printf(a, "%s excluded", data_count(a, s->out)) : ""));
    json_object_set_new(o, "has_out", json_boolean(s->out > 0));
    json_object_set_new(o, "last",
                        json_string(s->last_s ? people_day(a, (int64_t)s->last_s * 1000) : DASH));
}

/* Pay is asked of the database for who has places alone; the rest is in memory. */
static enum err_code row_json(struct ctx *c, const struct people_row *r, uint64_t all, json_t *rows)
{
    struct arena *a = c->arena;
    struct worker w;
    enum err_code rc = r->places ? workers_get(c->db, r->person, a, &w, &c->err)
                                 : workers_name(c->db, r->person, a, &w, &c->err);
    if (rc != OK) {
        return rc;
    }
    if (!r->places && r->s) {
        w.grids = r->s->answers;
        w.active_ms = (int64_t)r->s->active_ms;
    }
    json_t *o = people_worker(a, &w);
    add_scores(o, a, r, all);
    json_array_append_new(rows, o);
    return OK;
}

/* ---- the list's own controls ---- */

static json_t *options(const char *const *values, const char *const *labels, unsigned n,
                       unsigned current)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++) {
        object_add(list, field_text("value", values[i]), field_text("label", labels[i]),
                   field_bool("current", i == current));
    }
    return list;
}

static json_t *heads_json(struct ctx *c, const struct people_words *w)
{
    static const enum people_key shown[] = {PEOPLE_ANSWERS,  PEOPLE_ACTIVE, PEOPLE_RATE,
                                            PEOPLE_CONTROL,  PEOPLE_NEGATIVE, PEOPLE_GOLD,
                                            PEOPLE_RELATIVE, PEOPLE_SHARE,  PEOPLE_LAST};
    json_t *heads = json_array();
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        struct people_words to = *w;
        bool here = w->sort == shown[i];
        to.sort = shown[i];
        to.falling = here ? !w->falling : people_key_falls(shown[i]);
        object_add(heads, field_text("label", people_key_labels[shown[i]]),
                   field_text("url", people_list_url(c, &to)),
                   field_text("sorted", here ? w->falling ? "descending" : "ascending" : NULL),
                   field_bool("number", shown[i] != PEOPLE_LAST));
    }
    return heads;
}

/* ---- the page ---- */

static enum err_code find(struct ctx *c, const struct stats *s, struct list *l)
{
    struct people_ask ask;
    enum err_code rc = people_words_ask(&l->words, &ask, &c->err);
    if (rc == OK && l->words.query.n) {
        rc = workers_search(c->db, l->words.query, &ask.only, &c->err);
    }
    if (rc == OK) {
        rc = people_find(app_people(c->app), c->db, app_tally(c->app), s, &ask, c->arena, &l->rows,
                         &l->n, &c->err);
    }
    for (size_t i = 0; i < s->n_people; i++) {
        l->all += s->people[i].answers;
    }
    l->part = list_page_of((int64_t)l->n, PEOPLE_A_PAGE, l->page_asked);
    return rc;
}

static json_t *page_json(struct ctx *c, const struct list *l, json_t *people)
{
    struct arena *a = c->arena;
    const struct people_words *w = &l->words;
    return object(
        field_sv("query", w->query), field_sv("least", w->least), field_sv("most", w->most),
        field_json("shows", options(people_shows, people_show_labels, PEOPLE_SHOWS, w->show)),
        field_json("bys", options(people_keys, people_key_labels, PEOPLE_KEYS, w->by)),
        field_json("sorts", options(people_keys, people_key_labels, PEOPLE_KEYS, w->sort)),
        field_json("heads", heads_json(c, w)), field_text("show", people_shows[w->show]),
        field_text("by", people_keys[w->by]), field_bool("narrowed", people_words_narrow(w)),
        field_json("people", people), field_text("count", data_count(a, (int64_t)l->n)),
        field_text("count_text", l->n == 1
                                     ? "1 person"
                                     : arena_printf(a, "%s people", data_count(a, (int64_t)l->n))),
        field_text("order", w->falling ? "falling" : "rising"),
        field_json("pages", list_page_links(c, &l->part, people_list_url(c, w), "")),
        field_text("pages_label", "Pages of people"),
        field_bool("any", l->n > 0));
}

/* GET /workers?show=&q=&by=&least=&most=&sort=&order=&page= */
enum err_code page_workers(struct ctx *c)
{
    struct list l = {.n = 0};
    if (people_asked(c, &l.words) != OK || list_page_asked(c, &l.page_asked) != OK) {
        return c->err.code;
    }
    const struct stats *s = stats_get(app_stats(c->app));
    json_t *people = json_array();
    enum err_code rc = find(c, s, &l);
    for (size_t i = l.part.skip; i < l.n && i < l.part.skip + l.part.most && rc == OK; i++) {
        rc = row_json(c, &l.rows[i], l.all, people);
    }
    stats_put(app_stats(c->app), s);
    if (rc != OK) {
        json_decref(people);
        return rc;
    }
    return reply_page(c, 200, "people/workers", "People", page_json(c, &l, people));
}
