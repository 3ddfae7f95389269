/* list_page.c - the list of all classes: sorts, filters, a small histogram of each. Costs the same
 * with a million images. */
#include "domain/grids/grid.h"
#include "json/object.h"
#include "web/classes/list.h"
#include "web/core/catalogues.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"

/* ---- one class ---- */

/* Bars of five bins as a path in a box 60 wide, 24 high; originals and candidates share each bin. */
enum { MINI_HEIGHT = 24, MINI_BIN = 12, MINI_BAR = 5 };

static const char *mini_bars(struct arena *a, const uint32_t h[HISTOGRAM_BINS], int shift)
{
    struct str s;
    uint64_t most = 1;
    str_init(&s, 1024);
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        most = h[i] > most ? h[i] : most;
    }
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        /* What is there is seen: at least one unit high. */
        unsigned high = h[i] ? (unsigned)((h[i] * (uint64_t)(MINI_HEIGHT - 1) + most - 1) / most) : 0;
        str_printf(&s, "M%d %dv-%uh%dv%uz", i * MINI_BIN + shift, MINI_HEIGHT, high, MINI_BAR, high);
    }
    const char *path = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return path;
}

static const char *mini_text(struct arena *a, const uint32_t h[HISTOGRAM_BINS])
{
    return arena_printf(a, "%u, %u, %u, %u, %u", h[0], h[1], h[2], h[3], h[4]);
}

static json_t *mini_json(struct arena *a, const struct stats_class *s)
{
    uint32_t any = 0;
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        any |= s->originals[i] | s->candidates[i];
    }
    return any ? object(field_text("originals", mini_bars(a, s->originals, 0)),
                        field_text("candidates", mini_bars(a, s->candidates, MINI_BAR)),
                        field_text(
                            "text",
                            arena_printf(a,
                                         "Images by frequency from 0 to 1 in five bins: originals "
                                         "%s; candidates %s",
                                         mini_text(a, s->originals), mini_text(a, s->candidates))))
               : json_null();
}

/* A pooled frequency in two lines, with the interval where there is one; null without votes. */
static json_t *frequency_json(struct arena *a, const struct class_numbers *n, enum cell_role role)
{
    uint64_t k = n->s.selected[role], shown = n->s.shown[role];
    if (shown == 0) {
        return json_null();
    }
    const char *votes = data_count(a, (int64_t)shown);
    return object(field_text("value", arena_printf(a, "%.2f", (double)k / (double)shown)),
                  field_text("note", n->has_ci
                                         ? arena_printf(a, "%.2f\xe2\x80\x93%.2f, n %s",
                                                        n->s.ci[role].lo, n->s.ci[role].hi, votes)
                                         : arena_printf(a, "n %s", votes)));
}

static const char *signed_text(struct arena *a, double v)
{
    return data_minus(a, arena_printf(a, "%+.2f", v));
}

/* The same of the difference; null where one side has no votes. */
static json_t *difference_json(struct arena *a, const struct class_numbers *n)
{
    double d;
    if (!class_difference(&n->s, &d)) {
        return json_null();
    }
    const char *note = n->has_ci ? arena_printf(a, "%s to %s", signed_text(a, n->s.difference.lo),
                                                signed_text(a, n->s.difference.hi))
                                 : "";
    return object(field_text("value", signed_text(a, d)), field_text("note", note));
}

static json_t *row_json(struct ctx *c, const struct class_query *q, const struct class_list *l,
                        const struct class_line *line)
{
    const struct stats_class *s = &line->now.s;
    json_t *row = data_class(c->arena, line->info);
    uint64_t votes = s->shown[0] + s->shown[1] + s->shown[2] + s->shown[3];
    json_object_set_new(row, "url",
                        json_string(arena_printf(c->arena, "/classes/" SV_FMT "%s",
                                                 SV_ARG(line->info->wnid),
                                                 view_choice_query(c->arena, q->view, true))));
    json_object_set_new(row, "images", json_string(data_count(c->arena, line->images)));
    json_object_set_new(row, "answers", json_string(data_count(c->arena, (int64_t)votes)));
    json_object_set_new(row, "originals", frequency_json(c->arena, &line->now, CELL_POSITIVE));
    json_object_set_new(row, "candidates", frequency_json(c->arena, &line->now, CELL_CANDIDATE));
    json_object_set_new(row, "difference", difference_json(c->arena, &line->now));
    json_object_set_new(row, "coverage",
                        json_string(l->coverage
                                        ? arena_printf(c->arena, "%u of %lld", s->covered,
                                                       (long long)l->coverage)
                                        : arena_printf(c->arena, "%u", s->covered)));
    json_object_set_new(row, "below", json_boolean(s->covered < l->coverage));
    json_object_set_new(row, "histogram", mini_json(c->arena, s));
    return row;
}

/* ---- the page ---- */

static json_t *pages_json(struct ctx *c, const struct class_query *q, const struct class_list *l)
{
    return list_pages(c, l->page, l->pages, class_query_url(c, "/classes", q),
                      arena_printf(c->arena, "&as_of=%lld", (long long)l->as_of));
}

static json_t *rows_json(struct ctx *c, const struct class_query *q, const struct class_list *l)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < l->n; i++) {
        json_array_append_new(rows, row_json(c, q, l, &l->lines[i]));
    }
    return rows;
}

/* A search that finds one class opens it, a wnid its class: but not a filter, which may find another one tomorrow. */
static const char *found_one(struct ctx *c, const struct class_query *q, const struct class_list *l)
{
    bool search = q->q.n && q->only == CLASS_ALL && !q->as_of;
    for (size_t i = 0; search && i < l->n; i++) {
        struct sv wnid = l->lines[i].info->wnid;
        if (l->total == 1 || sv_eq_nocase(q->q, arena_cstr(c->arena, wnid))) {
            return arena_printf(c->arena, "/classes/" SV_FMT "%s", SV_ARG(wnid),
                                view_choice_query(c->arena, q->view, true));
        }
    }
    return NULL;
}

/* GET /classes?q=&sort=&order=&only=&view=&page=&as_of= */
enum err_code page_classes(struct ctx *c)
{
    struct class_query q;
    struct class_list l;
    struct chart_ask ask = {0};
    if (class_query_read(c, &q) != OK || class_list_make(c, &q, CLASS_LIST_PAGE, &l) != OK) {
        return c->err.code;
    }
    const char *one = found_one(c, &q, &l);
    if (one) {
        return reply_redirect(c, one);
    }
    catalogues_warm(c);
    ask.view = view_choice_is_default(q.view) ? SV("") : q.view;
    json_t *choice = view_choice_json(c, q.view, "/classes", list_keep(c, &class_table, "view"));
    json_t *chart = choice ? charts_data(c, "classes-scatter", &ask) : NULL;
    if (!chart) {
        json_decref(choice);
        return c->err.code;
    }
    const char *here = q.as_of ? class_list_url(c, "/classes", &q, &l, l.page)
                               : class_query_url(c, "/classes", &q);
    json_t *page =
        object(field_json("live", data_live("votes", here)), field_sv("query", q.q),
               field_json("view_choice", choice),
               field_text("count_text", arena_printf(c->arena, "%s class%s",
                                                     data_count(c->arena, (int64_t)l.total),
                                                     l.total == 1 ? "" : "es")),
               field_json("classes", rows_json(c, &q, &l)),
               field_json("heads", list_heads(c, &class_table, "/classes", &class_usual, &q)),
               field_json("onlys", list_options(class_onlys, (int)q.only)),
               field_json("sorts", list_options(class_sorts, (int)q.sort)),
               field_json("pages", pages_json(c, &q, &l)),
               field_json("view", view_choice_is_default(q.view) ? json_null() : data_text(q.view)),
               field_text("newer_url", l.newer ? class_query_url(c, "/classes", &q) : NULL),
               field_bool("filtered", q.q.n || q.only != CLASS_ALL), field_json("chart", chart),
               field_text("as_of", arena_printf(c->arena, "%lld", (long long)l.as_of)),
               field_text("order", q.falling ? "falling" : "rising"),
               field_text("pages_label", "Pages of classes"));
    return reply_page(c, 200, "classes/index", "Classes", page);
}
