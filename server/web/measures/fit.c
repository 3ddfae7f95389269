/* fit.c - the page of the line through models, and the same for scripts. Rows in routes.c; templates/measures/fit.mustache. */
#include <math.h>

#include "json/object.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/fit_data.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"
#include "web/scoring/model_choice.h"
#include "web/scoring/model_rows.h"

#define PATH "/measures/fit"

/* ---- the form ---- */

static json_t *query_json(struct ctx *c, const struct measures *m)
{
    const struct measures_query *q = &m->query;
    return object(field_json("original", model_choice_sets(c, &m->t, SIDE_ORIGINAL)),
                  field_json("new", model_choice_sets(c, &m->t, SIDE_NEW)),
                  field_json("subsets", model_choice_subsets(c, m->t.query.subset, &m->t.subset, false)), field_json("overs", list_options(measures_overs, q->over)),
                  field_json("bys", list_options(measures_bys, q->by)), field_sv("models", q->models),
                  field_sv("without", q->without), field_sv("pivot", q->pivot), field_text("top", list_word_of(measures_tops, q->top)),
                  field_text("scale", list_word_of(measures_scales, q->scale)));
}

/* ---- the line ---- */

static const char *range(struct ctx *c, double lo, double hi, int digits, const char *how)
{
    return isfinite(lo) ? arena_printf(c->arena, "%s to %s, 95 %%%s", data_number(c->arena, lo, digits), data_number(c->arena, hi, digits), how)
                        : "no interval";
}

static void line_tiles(struct ctx *c, json_t *tiles, const struct fit_found *t, const struct line *line,
                       const struct bootstrap_found *r, const char *where, const char *how)
{
    data_tile(tiles, arena_printf(c->arena, "Slope%s", where), data_number(c->arena, line->slope, 3), range(c, r->slope.lo, r->slope.hi, 3, how));
    data_tile(tiles, arena_printf(c->arena, "Offset%s", where), data_number(c->arena, line->offset, 2), range(c, r->offset.lo, r->offset.hi, 2, how));
    if (t->scale == SHARE_LINEAR) {
        data_tile_unit(tiles, json_string("points"));
    }
}

/* What the bootstrap drew, as the form has it. */
static const char *over_words(const struct measures_fit *f)
{
    const struct list_word *w = measures_overs;
    while (w->value != (int)f->found.over) {
        w++;
    }
    return w->label;
}

static json_t *tiles_json(struct ctx *c, const struct measures_fit *f)
{
    static const char *const where[FIT_SIDES] = {[FIT_BELOW] = ", below", [FIT_ABOVE] = ", above"};
    const struct fit_found *t = &f->found;
    json_t *tiles = json_array();
    const char *how = arena_printf(c->arena, " over %s", over_words(f));
    line_tiles(c, tiles, t, &t->line, &t->range, t->n_pieces ? ", all" : "", how);
    for (size_t i = 0; i < t->n_pieces; i++) {
        how = arena_printf(c->arena, " over %zu models", t->pieces[i].n);
        line_tiles(c, tiles, t, &t->pieces[i].line, &t->pieces[i].range, where[i], how);
    }
    data_tile(tiles, "R\xc2\xb2", data_number(c->arena, t->line.r * t->line.r, 3),
              arena_printf(c->arena, "n %zu models", t->line.n));
    data_tile(tiles, "Rank correlation", data_number(c->arena, t->kendall, 3),
              arena_printf(c->arena, "Kendall; Spearman %s", data_number(c->arena, t->spearman, 3)));
    if (t->bends) {
        data_tile(tiles, "Bend", data_number(c->arena, t->bend.term, 4), range(c, t->bend.range.lo, t->bend.range.hi, 4, ", quadratic term"));
    }
    if (t->drifts) {
        data_tile(tiles, "Residual per year", data_number(c->arena, t->drift.slope, 3),
                  range(c, t->drift_range.lo, t->drift_range.hi, 3, arena_printf(c->arena, ", %zu models", t->n_years)));
    }
    return tiles;
}

static const char *percent(struct ctx *c, double share)
{
    return data_number(c->arena, 100 * share, 1);
}

/* In the order of accuracy on the originals; none without a pair of sets. */
static json_t *rows_json(struct ctx *c, const struct measures_fit *f)
{
    json_t *rows = json_array();
    int digits = f->m.query.scale == SHARE_LINEAR ? 2 : 3;
    for (size_t i = 0; f->points && i < f->m.n; i++) {
        const struct fit_point *p = &f->points[f->at[i]];
        const struct model_facts *facts = f->m.lines[i]->facts;
        const double none = (double)NAN;
        bool asked = p->left_out && sv_is(sv_of(p->left_out), FIT_ASKED_OUT);
        object_add(rows, field_sv("name", p->model), field_text("url", arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(p->model))),
                   field_sv("fact", facts ? model_facts_get(facts, &model_fact_list[f->m.query.by], c->arena) : SV("")),
                   field_text("x", percent(c, p->x)), field_text("y", percent(c, p->y)),
                   field_text("fitted", percent(c, f->any ? p->fitted : none)),
                   field_text("residual", data_number(c->arena, f->any ? p->residual : none, digits)),
                   field_text("robustness", data_number(c->arena, f->any ? p->robustness : none, 1)),
                   field_text("left_out", asked ? NULL : p->left_out), field_bool("out", p->left_out != NULL),
                   field_text("toggle_url", p->left_out && !asked ? NULL : measures_fit_toggle(c, f, p->model, PATH)));
    }
    return rows;
}

/* The line without each family; null where none are said. */
static json_t *families_json(struct ctx *c, const struct measures_fit *f)
{
    const struct fit_found *t = &f->found;
    json_t *rows = json_array();
    for (size_t i = 0; f->any && i < t->n_families; i++) {
        const struct fit_family *one = &t->families[i];
        object_add(rows, field_sv("name", one->family), field_text("models", data_count(c->arena, (int64_t)one->n_models)),
                   field_text("slope", data_number(c->arena, one->line.slope, 3)), field_text("offset", data_number(c->arena, one->line.offset, 2)));
    }
    if (json_array_size(rows) == 0) {
        json_decref(rows);
        return json_null();
    }
    return object(field_json("rows", rows));
}

static const char *drawn_text(struct ctx *c, const struct measures_fit *f)
{
    return f->any ? arena_printf(c->arena, "Intervals: %s resamples over %s, seed %llu.%s", data_count(c->arena, f->found.resamples),
                                 over_words(f), (unsigned long long)f->found.seed,
                                 f->found.range.left_out ? arena_printf(c->arena, " %u of them have no line.", f->found.range.left_out) : "")
                  : NULL;
}

/* GET /measures/fit?original=&new=&top=&new_top=&subset=&new_subset=&labels=&new_labels=&models=&scale=&over=&by=&without= */
enum err_code page_measures_fit(struct ctx *c)
{
    struct measures_query q;
    struct measures_fit f;
    if (measures_query_read(c, &q) != OK || measures_fit_make(c, &q, FIT_RESAMPLES, &f) != OK) {
        return c->err.code;
    }
    const struct chart_ask ask = measures_fit_ask(&q);
    json_t *chart = charts_data(c, "measures-fit", &ask);
    if (!chart) {
        return c->err.code;
    }
    struct measures_query whole = q;
    whole.without = SV("");
    struct measures_query alike = q;
    alike.new_top = 0;
    alike.new_subset = SV("");
    const struct model_set *sets = f.m.t.sets;
    json_t *query = query_json(c, &f.m);
    model_choice_add_labels(&f.m.t, query);
    if (model_choice_add_new(c, &f.m.t, query) != OK) {
        json_decref(query);
        json_decref(chart);
        return c->err.code;
    }
    json_t *page = object(
        field_json("sections", measures_tabs(c, &alike, PATH)), field_json("query", query), field_json("tops", measures_tops_tabs(c, &q, PATH)),
        field_json("scales", measures_scales_tabs(c, &q, PATH)),
        field_bool("any", f.points != NULL && f.m.n > 0), field_bool("any_sets", f.m.t.n_revisions > 0),
        field_json("originals", model_rows_set(c, &sets[SIDE_ORIGINAL])), field_json("news", model_rows_set(c, &sets[SIDE_NEW])),
        field_text("part", model_table_part(c, &f.m.t)),
        field_json("tiles", f.any ? tiles_json(c, &f) : json_array()), field_text("why", f.why),
        field_text("drawn", drawn_text(c, &f)), field_bool("linear", q.scale == SHARE_LINEAR),
        field_text("fact", model_fact_list[q.by].label), field_json("chart", chart), field_json("rows", rows_json(c, &f)),
        field_json("families", families_json(c, &f)),
        field_text("all_url", sv_trim(q.without).n ? measures_query_url(c, PATH, &whole) : NULL),
        field_text("models_url", "/models"), field_text("difficulty_url", measures_query_url(c, "/measures/difficulty", &alike)),
        field_text("json_url", measures_query_url(c, "/api/v1/measures/fit", &q)),
        field_json("live", data_live("jobs,models", measures_query_url(c, PATH, &q))));
    return reply_page(c, 200, "measures/fit", "Line through models", page);
}

/* ---- for scripts ---- */

struct fit_reply {
    const char *original, *fresh, *why;
    struct sv subset, new_subset, labels, new_labels;
    int new_top;
    json_t *fit;
    struct fit_residual *rows;
    size_t n_rows;
};
#define OF(member) RECORD_OF(struct fit_reply, member)
RECORD(measures_fit_record, struct fit_reply, "measures_fit", "The line through models' accuracies on a pair of sets, and what it says of each model.",
       {"original", OF(original), .maybe = true, .about = "The originals, SET/NUMBER; null: there are none."},
       {"new", OF(fresh), .maybe = true, .about = "The new set, SET/NUMBER; null: there is none."},
       {"subset", OF(subset), .about = "Of the images of the originals, as in addresses; empty: all."},
       {"new_subset", OF(new_subset), .about = "Of those of the new set."},
       {"new_top", OF(new_top), .about = "A prediction on the new set is right when the label is among its first so many; on the originals see fit."},
       {"labels", OF(labels), .about = "By which label source and rule answers on the originals are right, SOURCE/NUMBER:RULE; empty: the set's own labels."},
       {"new_labels", OF(new_labels), .about = "The same of the new set."},
       {"fit", OF(fit), .maybe = true, .of = &fit_record, .about = "The line; null: there is none."},
       {"why", OF(why), .maybe = true, .about = "What a line wants when there is none."},
       {"models", RECORD_ROWS(struct fit_reply, rows, n_rows), .of = &fit_residual_record,
        .about = "The models that have predicted all images of both; none without a line."});
#undef OF

/* GET /api/v1/measures/fit?original=&new=&top=&new_top=&subset=&new_subset=&labels=&new_labels=&models=&scale=&over=&without= */
enum err_code api_measures_fit(struct ctx *c)
{
    struct measures_query q;
    struct measures_fit f;
    if (measures_query_read(c, &q) != OK || measures_fit_make(c, &q, FIT_RESAMPLES, &f) != OK) {
        return c->err.code;
    }
    const struct model_set *sets = f.m.t.sets;
    struct fit_reply r = {.original = sets[SIDE_ORIGINAL].r ? set_title(c->arena, sets[SIDE_ORIGINAL].r) : NULL,
                          .fresh = sets[SIDE_NEW].r ? set_title(c->arena, sets[SIDE_NEW].r) : NULL,
                          .why = f.why,
                          .subset = f.m.t.subset.name,
                          .new_subset = f.m.t.fresh_subset.name,
                          .new_top = model_query_top(&f.m.t.query, SIDE_NEW),
                          .labels = f.m.t.subset.labels.name,
                          .new_labels = f.m.t.fresh_subset.labels.name};
    if (f.any) {
        const struct fit_record_row row = {
            .dataset = arena_cstr(c->arena, sets[SIDE_NEW].r->set),
            .top = q.top,
            .models = sv_trim(q.without).n ? arena_printf(c->arena, "all but " SV_FMT, SV_ARG(q.without)) : "all",
            .found = &f.found};
        r.fit = fit_json(&row, c->arena);
        r.rows = fit_residuals(&f.found, c->arena, &r.n_rows);
    }
    return reply_json(c, 200, record_json(&measures_fit_record, &r));
}
