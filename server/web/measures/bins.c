/* bins.c - accuracy by selection frequency: the section of the page, the charts of corrected bins, and their files. Rows in
 * routes.c and charts.c. */
#include "web/measures/bins.h"

#include "figures/figures.h"
#include "json/object.h"
#include "measures/scores/score_sheet.h"
#include "sets/bias/adjusted_bins.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/measures/adjusted_data.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"

static const char no_pair[] = "There is no pair of sets to compare.";

/* ---- charts ---- */

/* Of a few models that were named each is shown. */
static bool is_few(const struct measures *m)
{
    return m->named && m->n > 1 && m->n <= MEASURES_LINES;
}

/* The charts of the page by their names: of the mean, and of each side's models. NULL with c->err set. */
static json_t *charts_json(struct ctx *c, const struct measures *m, const char *mean_name, const char *models_name)
{
    const struct chart_ask ask = measures_chart_ask(&m->query);
    json_t *list = json_array(), *mean = charts_data(c, mean_name, &ask);
    for (int side = 0; side < SIDES && mean && is_few(m); side++) {
        struct chart_ask one = ask;
        if (!m->t.sets[side].r) {
            continue;
        }
        one.set = sv_of(set_title(c->arena, m->t.sets[side].r));
        json_t *chart = charts_data(c, models_name, &one);
        if (!chart) {
            json_decref(mean);
            mean = NULL;
        } else {
            object_add(list, field_json("chart", chart));
        }
    }
    if (!mean) {
        json_decref(list);
        return NULL;
    }
    return object(field_bool("any_models", json_array_size(list) > 0), field_json("models", list), field_json("mean", mean));
}

static const char *empty_of(const struct measures_adjusted *of)
{
    return !of->pair                                                  ? no_pair
           : set_adjusted_leading(&of->s)->silence != ADJUSTED_SPEAKS ? set_adjusted_why(&of->s)
                                                                      : NULL;
}

static struct chart *draw(struct ctx *c, const struct measures_adjusted *of, const char *title, const struct figure_bars *bars, size_t n)
{
    const char *part = of->pair ? subset_title(&of->m.t.subset, &of->m.t.fresh_subset, c->arena) : NULL;
    const struct figure_text text = {
        .title = title,
        .description = arena_printf(c->arena, "On images with such a true frequency, %s%s%s%s, with 95 %% intervals over people and images. "
                                              "Bins that hardly any image is in have no bar.",
                                    of->pair ? set_adjusted_how(&of->s) : "", part ? " (" : "", part ? part : "", part ? ")" : ""),
        .empty = empty_of(of)};
    return figure_bins(c->arena, &text, bars, n);
}

static enum err_code read_pair(struct ctx *c, const struct chart_ask *ask, struct measures_adjusted *of)
{
    struct measures_query q;
    enum err_code rc = measures_query_of(c, ask, &q);
    return rc == OK ? measures_adjusted_make(c, &q, of) : rc;
}

static int adjusted_side_of(int side)
{
    return side == SIDE_NEW ? ADJUSTED_NEW : ADJUSTED_ORIGINAL;
}

enum err_code chart_measures_corrected_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures_adjusted of;
    struct figure_bars bars[SIDES];
    enum err_code rc = read_pair(c, ask, &of);
    if (rc != OK) {
        return rc;
    }
    bool any = !empty_of(&of);
    for (int side = 0; side < SIDES && any; side++) {
        const struct adjusted_gap *g = set_adjusted_leading(&of.s);
        bars[side] = figure_bars_corrected(set_title(c->arena, of.m.t.sets[side].r), g, &g->mean, adjusted_side_of(side));
    }
    *out = draw(c, &of, arena_printf(c->arena, "Top-%d accuracy by true selection frequency", of.m.query.top), bars, any ? SIDES : 0);
    return OK;
}

enum err_code chart_measures_corrected_model_bins(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct measures_adjusted of;
    struct figure_bars bars[MEASURES_LINES];
    enum model_side side = SIDE_ORIGINAL;
    size_t n = 0;
    enum err_code rc = read_pair(c, ask, &of);
    rc = rc == OK ? measures_side_of(c, &of.m, ask->set, &side) : rc;
    if (rc != OK) {
        return rc;
    }
    for (; !empty_of(&of) && n < of.s.n_models && n < MEASURES_LINES; n++) {
        const struct adjusted_gap *g = set_adjusted_leading(&of.s);
        bars[n] = figure_bars_corrected(arena_cstr(c->arena, of.s.models[n].name), g, &g->lines[n], adjusted_side_of(side));
    }
    *out = draw(c, &of, arena_printf(c->arena, "By model on %s", set_title(c->arena, of.m.t.sets[side].r)), bars, n);
    return OK;
}

/* ---- the table ---- */

static json_t *share_json(struct ctx *c, const struct adjusted_bin_share *s)
{
    const char *bounds = s->interval ? arena_printf(c->arena, "%s to %s", data_number(c->arena, s->lo, 1), data_number(c->arena, s->hi, 1)) : "no interval";
    return s->known ? object(field_text("value", data_number(c->arena, s->value, 1)), field_text("note", bounds)) : json_null();
}

static json_t *side_json(struct ctx *c, const struct adjusted_bin_side *s)
{
    return object(field_text("images", data_count(c->arena, (int64_t)s->seen)), field_text("raw", data_number(c->arena, s->raw, 1)),
                  field_text("expected", data_count(c->arena, (int64_t)(s->expected + 0.5))), field_json("corrected", share_json(c, &s->corrected)));
}

static json_t *rows_json(struct ctx *c, const struct adjusted_bin_row *rows, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct adjusted_bin_row *r = &rows[i];
        object_add(list, field_sv("model", r->model.n ? r->model : SV("Mean of models")), field_text("bin", r->words),
                   field_json("original", side_json(c, &r->side[ADJUSTED_ORIGINAL])),
                   field_json("fresh", side_json(c, &r->side[ADJUSTED_NEW])), field_json("gap", share_json(c, &r->gap)));
    }
    return list;
}

static json_t *formats_json(struct ctx *c, const struct measures_query *q)
{
    static const char *const labels[] = {"CSV", "Markdown", "LaTeX"};
    struct measures_query own = *q;
    json_t *list = json_array();
    own.bins = MEASURES_BINS_RAW; /* what files of corrected bins need not say */
    for (size_t i = 0; score_formats[i].word; i++) {
        const char *path = arena_printf(c->arena, "/api/v1/measures/bins.%s", score_formats[i].word);
        object_add(list, field_text("label", labels[i]), field_text("url", measures_query_url(c, path, &own)));
    }
    object_add(list, field_text("label", "JSON"), field_text("url", measures_query_url(c, "/api/v1/measures/adjusted", &own)));
    return list;
}

/* ---- the section ---- */

static json_t *corrected_json(struct ctx *c, const struct measures *m)
{
    struct set_adjusted s;
    struct adjusted_bin_row *rows;
    if (!m->t.sets[SIDE_ORIGINAL].r || !m->t.sets[SIDE_NEW].r) {
        return object(field_bool("any", false), field_text("why", no_pair));
    }
    if (measures_adjusted_of(c, m, &s) != OK) {
        return NULL;
    }
    size_t n = adjusted_bin_rows(&s, c->arena, &rows), shown = is_few(m) ? n : HISTOGRAM_BINS;
    if (n == 0) {
        return object(field_bool("any", false), field_text("why", set_adjusted_why(&s)));
    }
    json_t *drawn = charts_json(c, m, "measures-corrected-bins", "measures-corrected-model-bins");
    return drawn ? object(field_bool("any", true), field_json("charts", drawn), field_text("why", set_adjusted_why(&s)),
                          field_text("warning", adjusted_gap_warning(set_adjusted_leading(&s))), field_text("assumes", adjusted_bins_assume),
                          field_text("how", set_adjusted_how(&s)), field_json("rows", rows_json(c, rows, shown)),
                          field_json("formats", formats_json(c, &m->query)))
                 : NULL;
}

json_t *measures_bins_section(struct ctx *c, const struct measures *m)
{
    bool corrected = m->query.bins == MEASURES_BINS_CORRECTED;
    json_t *own = corrected ? corrected_json(c, m) : charts_json(c, m, "measures-bins", "measures-model-bins");
    return own ? object(field_json("tabs", measures_bins_tabs(c, &m->query, "/measures")),
                        field_json("raw", corrected ? json_null() : own), field_json("corrected", corrected ? own : json_null()))
               : NULL;
}

/* ---- files ---- */

static enum err_code reply_bins(struct ctx *c, const struct score_format *format)
{
    struct measures_query q;
    struct measures_adjusted of;
    if (measures_query_read(c, &q) != OK || measures_adjusted_make(c, &q, &of) != OK) {
        return c->err.code;
    }
    if (!of.pair) {
        return err_rule(&c->err, ERR_NOT_FOUND, "set", "%s", no_pair);
    }
    adjusted_bins_write(&of.s, format->as, c->arena, &c->res->body);
    return reply_table_file(c, arena_printf(c->arena, "bins.%s", format->ending), format->content_type);
}

/* GET /api/v1/measures/bins.csv?original=&new=&top=&subset=&labels=&new_labels=&models=, .markdown, .latex */
enum err_code api_measures_bins_csv(struct ctx *c)
{
    return reply_bins(c, &score_formats[0]);
}

enum err_code api_measures_bins_markdown(struct ctx *c)
{
    return reply_bins(c, &score_formats[1]);
}

enum err_code api_measures_bins_latex(struct ctx *c)
{
    return reply_bins(c, &score_formats[2]);
}
