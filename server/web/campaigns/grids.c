/* grids.c - a lead looks at one grid: its cells as planned, what they were selected, everybody
 * it was lent to; and at one assignment, as its worker saw it. */
#include "base/clock.h"
#include "domain/grids/grid.h"
#include "json/object.h"
#include "store/classes/classes.h"
#include "store/work/flags.h"
#include "web/campaigns/grid_data.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

/* The grid, when it is one of the campaign in the address. */
static enum err_code load(struct ctx *c, int64_t grid, struct grid_view *v,
                          struct class_info *class_info)
{
    if (grid_view_load(c, grid, v) != OK ||
        classes_get(c->db, v->grid.class_id, c->arena, class_info, &c->err) != OK) {
        return c->err.code;
    }
    return sv_eq(v->campaign.name, c->req->params[0])
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "no-grid", "This campaign has no such grid.");
}

static json_t *page_base(struct ctx *c, const struct grid_view *v, const struct class_info *k)
{
    return object(
        field_json("campaign", object(field_sv("name", v->campaign.name),
                                      field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT,
                                                                     SV_ARG(v->campaign.name))))),
        field_json("grid",
                   object(field_int("id", v->grid.id), field_sv("name", v->grid.name),
                          field_text("url", grid_url(c, &v->campaign, v->grid.id)),
                          field_bool("special", v->grid.special),
                          field_json("excluded", v->grid.excluded.n ? data_text(v->grid.excluded)
                                                                    : json_null()))),
        field_json("class", data_class(c->arena, k)), field_bool("classify", v->campaign.classify),
        field_json("options", grid_options_json(c, v)));
}

/* [{name, main, more}] of what was ticked, in candidate order; more: others follow. */
static json_t *marks_json(struct ctx *c, const struct grid_view *v, const struct lent *l)
{
    json_t *marks = json_array();
    uint64_t rest = l->mask;
    for (size_t i = 0; i < v->grid.n_options && rest; i++) {
        if (rest >> i & 1) {
            rest &= ~(UINT64_C(1) << i);
            object_add(marks, field_text("name", grid_option_name(c, v, i)),
                       field_bool("main", l->main == (int64_t)i), field_bool("more", rest != 0));
        }
    }
    return marks;
}

/* What somebody ticked, of a CLASSIFY task: into the row of their assignment. */
static json_t *lent_row(struct ctx *c, const struct grid_view *v, const struct lent *l)
{
    json_t *row = grid_lent_json(c, v, l);
    if (v->campaign.classify && l->answer) {
        json_object_set_new(row, "marks", marks_json(c, v, l));
    }
    return row;
}

/* Of a check: how many of the counted answers ticked exactly what is known to be there. */
static void check_tile(struct ctx *c, const struct grid_view *v, json_t *tiles)
{
    int64_t n = 0, right = 0;
    for (size_t i = 0; i < v->n_lent; i++) {
        bool counted = v->lent[i].state == LENT_STORED && v->lent[i].agreement.gold > 0;
        n += counted;
        right += counted && v->lent[i].agreement.gold_right > 0;
    }
    if (v->grid.known) {
        data_tile(tiles, "Check right", data_count(c->arena, right), arena_printf(c->arena, "of %s", data_count(c->arena, n)));
    }
}

static json_t *tiles_json(struct ctx *c, const struct grid_view *v)
{
    json_t *tiles = json_array(), *s = grid_summary_json(c, v);
    json_int_t answers = 0;
    double least = 0, most = 0, mean = 0, median = 0;
    json_unpack(s, "{s:I, s:{s:F, s:F, s:F, s:F}}", "answers", &answers, "seconds", "least", &least,
                "most", &most, "mean", &mean, "median", &median);
    data_tile(tiles, "Answers that count", data_count(c->arena, answers),
              arena_printf(c->arena, "of %s wanted",
                           data_count(c->arena, v->campaign.answers_per_grid)));
    if (answers) {
        json_t *control = json_object_get(s, "control"), *agreement = json_object_get(s, "agreement");
        data_tile(tiles, "Median time",
                  arena_printf(c->arena, "%.1f s", median),
                  arena_printf(c->arena, "%.1f\xe2\x80\x93%.1f s, mean %.1f s", least, most, mean));
        if (v->campaign.classify) {
            check_tile(c, v, tiles);
        } else {
            data_tile(tiles, "Controls right",
                      json_is_real(control)
                          ? arena_printf(c->arena, "%.0f\xc2\xa0%%", 100 * json_real_value(control))
                          : "\xe2\x80\x93",
                      arena_printf(c->arena, "mean of %s assignment%s", data_count(c->arena, answers),
                                   answers == 1 ? "" : "s"));
        }
        data_tile(tiles, "Agreement",
                  json_is_real(agreement)
                      ? arena_printf(c->arena, "%.2f", json_real_value(agreement))
                      : "\xe2\x80\x93",
                  v->campaign.classify ? "between two people on a label" : "between two people on a cell");
    }
    json_decref(s);
    return tiles;
}

/* GET /campaigns/:campaign/grids/:grid */
enum err_code page_grid(struct ctx *c)
{
    struct grid_view v;
    struct class_info k;
    int64_t id = 0;
    sv_i64(c->req->params[1], &id);
    if (load(c, id, &v, &k) != OK) {
        return c->err.code;
    }
    json_t *lent = json_array();
    for (size_t i = 0; i < v.n_lent; i++) {
        json_array_append_new(lent, lent_row(c, &v, &v.lent[i]));
    }
    json_t *page = page_base(c, &v, &k);
    json_object_set_new(page, "live", data_live("votes", grid_url(c, &v.campaign, id)));
    json_object_set_new(page, "tiles", tiles_json(c, &v));
    json_object_set_new(page, "cells", grid_cells_json(c, &v));
    json_object_set_new(page, "lent", lent);
    json_object_set_new(page, "preview_url",
                        json_string(arena_printf(c->arena, "/campaigns/" SV_FMT "/preview?grid=%lld",
                                                 SV_ARG(v.campaign.name), (long long)id)));
    return reply_page(c, 200, "grids/show",
                      arena_printf(c->arena, "%s %lld", v.campaign.classify ? "Task" : "Grid", (long long)id), page);
}

/* --- one assignment --- */

/* "2026-11-20 10:00:05 UTC" */
static const char *second_text(struct ctx *c, int64_t wall_ms)
{
    char iso[CLOCK_ISO_SIZE];
    clock_iso(wall_ms, iso);
    return arena_printf(c->arena, "%.10s %.8s UTC", iso, iso + 11);
}

static json_t *terms_json(struct ctx *c, const struct grid_view *v, const struct lent *l, json_t *row)
{
    json_t *terms = json_array(), *texts = json_object_get(row, "texts");
    data_term(terms, "State", lent_state_name(l->state));
    if (l->rule.n) {
        data_term(terms, "Because", arena_cstr(c->arena, l->rule));
    }
    data_term(terms, "Lent", second_text(c, l->leased_at));
    if (l->answer == 0) {
        data_term(terms, "Reserved until", second_text(c, l->lease_until));
        return terms;
    }
    data_term(terms, "Submitted", second_text(c, l->at));
    data_term(terms, "From lease to submission", json_string_value(json_object_get(texts, "seconds")));
    data_term(terms, "Active time", json_string_value(json_object_get(texts, "active")));
    if (v->campaign.classify) {
        const char *main = grid_main(c, v, l);
        data_term(terms, "Ticked", grid_ticked(c, v, l->mask));
        data_term(terms, "Main object", main ? main : "none");
    } else {
        data_term(terms, "Selected", arena_printf(c->arena, "%u", l->agreement.selected));
    }
    data_term(terms, v->campaign.classify ? "Check" : "Controls right", grid_controls_text(c->arena, v, l));
    data_term(terms, "Agreement with the others",
              json_string_value(json_object_get(texts, "agreement")));
    data_term(terms, "Pay", arena_cstr(c->arena, l->pay));
    return terms;
}

/* The labels of a CLASSIFY task in the order in which its worker saw them: [{n, name, ticked, main}]. */
static json_t *labels_json(struct ctx *c, const struct grid_view *v, const struct lent *l)
{
    uint8_t order[GRID_CELLS];
    json_t *labels = json_array();
    grid_order(l->seed, l->has_seed, (unsigned)v->grid.n_options, order);
    for (size_t i = 0; i < v->grid.n_options; i++) {
        object_add(labels, field_count("n", i + 1),
                   field_text("name", grid_option_name(c, v, order[i])),
                   field_bool("ticked", l->answer && (l->mask >> order[i] & 1)),
                   field_bool("main", l->answer && l->main == order[i]));
    }
    return labels;
}

/* As the worker saw them. */
static json_t *seen_json(struct ctx *c, const struct grid_view *v, const struct lent *l,
                         const uint8_t order[GRID_CELLS])
{
    json_t *cells = json_array();
    for (unsigned i = 0; i < v->grid.n; i++) {
        json_t *cell = grid_cell_json(c, v, order[i]);
        json_object_set_new(cell, "shown", json_integer(i + 1));
        json_object_set_new(cell, "selected", json_boolean(!v->campaign.classify && l->answer && (l->mask >> order[i] & 1)));
        json_array_append_new(cells, cell);
    }
    return cells;
}

/* NULL on failure. */
static json_t *flags_json(struct ctx *c, const struct grid_view *v, const struct lent *l,
                          const uint8_t order[GRID_CELLS])
{
    struct flag_given *list;
    size_t n;
    if (flags_of_assignment(c->db, l->person, l->id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *flags = json_array();
    for (size_t i = 0; i < n; i++) {
        unsigned at = 0;
        while (at < v->grid.n && v->grid.cells[order[at]].image != list[i].image) {
            at++;
        }
        object_add(flags, field_int("shown", (json_int_t)at + 1), field_sv("kind", list[i].kind),
                   field_sv("note", list[i].note));
    }
    return flags;
}

static const struct lent *find_lent(const struct grid_view *v, int64_t assignment)
{
    for (size_t i = 0; i < v->n_lent; i++) {
        if (v->lent[i].id == assignment) {
            return &v->lent[i];
        }
    }
    return NULL;
}

/* GET /campaigns/:campaign/assignments/:assignment */
enum err_code page_assignment(struct ctx *c)
{
    struct grid_view v;
    struct class_info k;
    int64_t id = 0, grid;
    uint8_t order[GRID_CELLS];
    sv_i64(c->req->params[1], &id);
    if (agreement_grid_of(c->db, id, &grid, &c->err) != OK || load(c, grid, &v, &k) != OK) {
        return c->err.code;
    }
    const struct lent *l = find_lent(&v, id);
    BUG_IF(!l);
    grid_order(l->seed, l->has_seed, v.grid.n, order);
    json_t *flags = flags_json(c, &v, l, order);
    if (!flags) {
        return c->err.code;
    }
    json_t *page = page_base(c, &v, &k);
    json_t *row = grid_lent_json(c, &v, l);
    json_object_set_new(page, "terms", terms_json(c, &v, l, row));
    json_object_set_new(page, "labels", labels_json(c, &v, l));
    json_object_set_new(page, "cells", seen_json(c, &v, l, order));
    json_object_set_new(page, "flags", flags);
    json_object_set_new(page, "assignment", row);
    json_object_set_new(page, "decide_url",
                        l->answer ? json_string(arena_printf(
                                        c->arena, "/decisions/new?answer=%lld&value=%s",
                                        (long long)l->answer, l->state == LENT_OUT ? "in" : "out"))
                                  : json_null());
    return reply_page(c, 200, "grids/assignment",
                      arena_printf(c->arena, "Assignment %lld", (long long)id), page);
}
