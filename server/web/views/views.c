/* views.c - named vote views: the list, one view with what its filters do, its frequencies as
 * CSV, JSON. Rows in routes.c; templates/views/. Making and changing one: form.c. */
#include <stdlib.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/people/people.h"
#include "transfer/exports/frequencies_csv.h"
#include "web/core/charts.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/parts/people_data.h"
#include "web/parts/view_data.h"

enum { PEOPLE_A_PAGE = 50, OUT_MOST = HTTP_BODY_OUT };

/* GET /views */
enum err_code page_views(struct ctx *c)
{
    struct vote_view *list;
    size_t n;
    if (views_list(c->db, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *views = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(views, view_data_view(c->arena, &list[i]));
    }
    return reply_page(c, 200, "views/index", "Vote views",
                      object(field_json("views", views), field_bool("only_default", n < 2)));
}

/* ---- one view ---- */

static const char *share_text(struct arena *a, uint64_t k, uint64_t n)
{
    return n ? arena_printf(a, "%.1f\xc2\xa0%%", 100 * (double)k / (double)n) : "\xe2\x80\x93";
}

/* {label, images, same, higher, lower, gone, fresh, changed}. */
static json_t *moves_json(struct arena *a, const char *label, const struct view_moves *m)
{
    uint64_t changed = m->images - m->same;
    return object(field_text("label", label),
                  field_text("images", data_count(a, (int64_t)m->images)),
                  field_text("changed", arena_printf(a, "%s (%s)", data_count(a, (int64_t)changed),
                                                     share_text(a, changed, m->images))),
                  field_text("same", data_count(a, (int64_t)m->same)),
                  field_text("higher", data_count(a, (int64_t)m->higher)),
                  field_text("lower", data_count(a, (int64_t)m->lower)),
                  field_text("gone", data_count(a, (int64_t)m->gone)),
                  field_text("fresh", data_count(a, (int64_t)m->fresh)));
}

static json_t *difference_json(struct ctx *c, const struct counted_view *v)
{
    struct view_moves moves[4];
    if (view_choice_is_default(v->view.name)) {
        return json_null();
    }
    view_data_moves(app_tally(c->app), &v->counts, moves);
    json_t *rows = json_array();
    json_array_append_new(rows, moves_json(c->arena, "Originals", &moves[CELL_POSITIVE]));
    json_array_append_new(rows, moves_json(c->arena, "Candidates", &moves[CELL_CANDIDATE]));
    return object(field_json("rows", rows));
}

/* "12 (40.0 %)" of the answers that are left out because of each filter. */
static json_t *reasons_json(struct arena *a, const struct view_rules *rules,
                            const struct view_left *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rules->n; i++) {
        if (p->by[i]) {
            object_add(list, field_text("text", view_filter_text(&rules->filters[i], a)),
                       field_text("answers", data_count(a, p->by[i])));
        }
    }
    return list;
}

static enum err_code left_row(struct ctx *c, const struct view_rules *rules,
                              const struct view_left *p, json_t *rows)
{
    struct person who;
    if (people_get(c->db, p->person, c->arena, &who, &c->err) != OK) {
        return c->err.code;
    }
    object_add(rows, field_sv("pseudonym", who.pseudonym),
               field_text("url", people_url(c->arena, who.pseudonym)),
               field_text("answers", data_count(c->arena, p->answers)),
               field_json("reasons", reasons_json(c->arena, rules, p)));
    return OK;
}

static const char *list_path(struct ctx *c, const struct counted_view *v)
{
    return arena_printf(c->arena, "/views/" SV_FMT, SV_ARG(v->view.name));
}

/* Who is left out: {people, n, any, pages, pages_label}. */
static json_t *left_json(struct ctx *c, const struct counted_view *v, int64_t page_no)
{
    size_t n;
    json_t *rows = json_array();
    struct view_left *left = view_data_left(app_tally(c->app), &v->counts, c->arena, &n);
    const struct list_page part = list_page_of((int64_t)n, PEOPLE_A_PAGE, page_no);
    for (size_t i = part.skip; i < n && i < part.skip + part.most; i++) {
        if (left_row(c, &v->view.rules, &left[i], rows) != OK) {
            json_decref(rows);
            return NULL;
        }
    }
    return object(field_json("people", rows), field_text("n", data_count(c->arena, (int64_t)n)),
                  field_bool("any", n > 0),
                  field_json("pages", list_page_links(c, &part, list_path(c, v), "#left")),
                  field_text("pages_label", "Pages of people"));
}

static json_t *versions_json(struct ctx *c, struct sv name)
{
    struct vote_view *list;
    size_t n;
    if (views_versions(c->db, name, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(rows, view_data_view(c->arena, &list[i]));
    }
    return rows;
}

static json_t *links_json(struct arena *a, struct sv name)
{
    return object(
        field_text("csv_url", arena_printf(a, "/views/" SV_FMT "/frequencies.csv", SV_ARG(name))),
        field_text("command",
                   arena_printf(a, "holdout export frequencies DIR --view " SV_FMT, SV_ARG(name))),
        field_text("decide_url", arena_printf(a, "/decisions/new?view=" SV_FMT, SV_ARG(name))),
        field_text("classes_url", arena_printf(a, "/classes%s", view_choice_query(a, name, true))),
        field_text("copy_url", arena_printf(a, "/views/new?copy=" SV_FMT, SV_ARG(name))));
}

static json_t *tiles_json(struct arena *a, const struct view_mean *m, const struct view_mean *all)
{
    json_t *tiles = json_array();
    uint64_t left = all->answers - m->answers;
    data_tile(tiles, "Answers", data_count(a, (int64_t)m->answers),
              arena_printf(a, "%s left out, %s", data_count(a, (int64_t)left),
                           share_text(a, left, all->answers)));
    data_tile(tiles, "People", data_count(a, (int64_t)m->people),
              arena_printf(a, "%s left out entirely",
                           data_count(a, (int64_t)(all->people - m->people))));
    static const struct {
        const char *label;
        enum cell_role role;
    } means[] = {{"Originals", CELL_POSITIVE},
                 {"Candidates", CELL_CANDIDATE},
                 {"Negative controls", CELL_NEGATIVE}};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        uint64_t shown = m->shown[means[i].role], selected = m->selected[means[i].role];
        const struct interval *ci = &m->ci[means[i].role];
        data_tile(tiles, means[i].label,
                  shown ? arena_printf(a, "%.2f", (double)selected / (double)shown)
                        : "\xe2\x80\x93",
                  shown ? arena_printf(a, "n %s, %.2f\xe2\x80\x93%.2f",
                                       data_count(a, (int64_t)shown), ci->lo, ci->hi)
                        : "no votes");
    }
    return tiles;
}

/* Adds the parts that may fail; false with c->err set. */
static bool add_parts(struct ctx *c, const struct counted_view *v, int64_t page_no, json_t *page)
{
    const struct chart_ask ask = {.view = v->view.name};
    json_t *left = left_json(c, v, page_no);
    json_t *versions = left ? versions_json(c, v->view.name) : NULL;
    json_t *chart = versions ? charts_data(c, "view-means", &ask) : NULL;
    if (!chart) {
        json_decref(left);
        json_decref(versions);
        return false;
    }
    json_object_set_new(page, "left", left);
    json_object_set_new(page, "versions", versions);
    json_object_set_new(page, "chart", chart);
    json_object_set_new(page, "difference", difference_json(c, v));
    return true;
}

static enum err_code show(struct ctx *c, const struct counted_view *v, int64_t page_no)
{
    const struct vote_view *view = &v->view;
    json_t *page = /* a later page stands still */
        object(field_json("live", page_no > 1 ? json_null() : data_live("votes", list_path(c, v))),
               field_json("view", view_data_view(c->arena, view)),
               field_json("tiles", tiles_json(c->arena, &v->counts.with, &v->counts.all)),
               field_json("effect", view_data_effect(c->arena, &view->rules, &v->counts)),
               field_json("links", links_json(c->arena, view->name)));
    if (!add_parts(c, v, page_no, page)) {
        json_decref(page);
        return c->err.code;
    }
    return reply_page(c, 200, "views/show", arena_cstr(c->arena, view->name), page);
}

/* GET /views/:view?page= */
enum err_code page_view(struct ctx *c)
{
    const struct counted_view *v;
    int64_t page_no;
    if (list_page_asked(c, &page_no) != OK || view_choice_get(c, c->req->params[0], &v) != OK) {
        return c->err.code;
    }
    enum err_code rc = show(c, v, page_no);
    view_choice_put(v);
    return rc;
}

/* GET /views/:view/frequencies.csv */
enum err_code page_view_csv(struct ctx *c)
{
    const struct counted_view *v;
    struct str out;
    if (view_choice_get(c, c->req->params[0], &v) != OK) {
        return c->err.code;
    }
    str_init(&out, OUT_MOST);
    size_t n;
    struct frequency *list = frequencies_of(&v->counts, &n);
    enum err_code rc = frequencies_csv(c->db, list, n, c->arena, &out, NULL, &c->err);
    free(list);
    if (rc == OK && str_check(&out, "this file", NULL) != OK) {
        rc = err_rule(&c->err, ERR_LIMIT, "view-csv",
                      "The file would be larger than a page can be. The command `holdout export frequencies` "
                      "writes it whatever its size.");
    }
    if (rc == OK) {
        response_header(c->res, "Content-Disposition",
                        arena_printf(c->arena, "attachment; filename=\"frequencies-" SV_FMT
                                     ".csv\"", SV_ARG(v->view.name)));
        response_header(c->res, "Cache-Control", "no-store");
        rc = reply_text(c, 200, "text/csv; charset=utf-8", &out);
    }
    str_release(&out);
    view_choice_put(v);
    return rc;
}

/* ---- JSON ---- */

static json_t *split_json(struct sv joined)
{
    json_t *list = json_array();
    for (struct sv rest = joined; rest.p && rest.n;) {
        json_array_append_new(list, data_text(sv_cut(&rest, '|')));
    }
    return list;
}

struct view_item {
    struct vote_view v;
    bool by_account;
    json_t *kinds, *campaigns, *filters;
};

#define OF(member) RECORD_OF(struct view_item, member)
RECORD(view_record, struct view_item, "vote_view", "A vote view: which answers count.",
       {"name", OF(v.name), .about = "Its name."},
       {"version", OF(v.versions), .about = "How many versions it has had: this is the newest."},
       {"id", OF(v.id), .about = "The version's number."},
       {"at", OF(v.at), RECORD_MOMENT, .about = "When the version was made."},
       {"account", OF(v.login), RECORD_IF(struct view_item, by_account), .about = "The login of whoever made it; null: no account."},
       {"description", OF(v.description), .about = "What it is for."},
       {"kinds", OF(kinds), RECORD_TEXTS, .about = "The kinds of campaigns that count."},
       {"campaigns", OF(campaigns), RECORD_TEXTS, .about = "Other campaigns that count, by name."},
       {"filters", OF(filters), RECORD_LIST, .about = "Which of their answers count: `rule`, and `value` where the rule has one."},
       {"as_of", OF(v.as_of), .maybe = true, .about = "The number of the last event that counts; null: all."});
#undef OF

static json_t *item_json(struct arena *a, const struct vote_view *v)
{
    const struct view_item item = {*v, v->account != 0, split_json(v->kinds), split_json(v->campaigns),
                                   json_loads(view_rules_json(&v->rules, a), 0, NULL)};
    return record_json(&view_record, &item);
}

/* GET /api/v1/views */
enum err_code api_views(struct ctx *c)
{
    struct vote_view *list;
    size_t n;
    if (views_list(c->db, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, item_json(c->arena, &list[i]));
    }
    return reply_items(c, items, 0);
}
