/* charts.c - THE table of charts, and the two ways out: inlined into a page, or as a file of its
 * own at /charts/:chart/:format. Both draw the same chart with the same id, so the bytes are the
 * same. Builders are in the rooms of their pages: charts.c. */
#include "web/core/charts.h"

#include <string.h>

#include "base/hash.h"
#include "json/object.h"
#include "view/escape.h"
#include "web/campaigns/charts.h"
#include "web/classes/charts.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/duplicates/charts.h"
#include "web/experts/charts.h"
#include "web/labels/labels.h"
#include "web/labels/plans.h"
#include "web/measures/charts.h"
#include "web/models/charts.h"
#include "web/objects/charts.h"
#include "web/operate/charts_help.h"
#include "web/parts/bias_data.h"
#include "web/people/charts.h"
#include "web/sets/differences_data.h"
#include "web/sets/discriminator_data.h"
#include "web/views/charts.h"

/* Ordered by name. */
const struct chart_row charts[] = {
    {"campaign-day", ROLE_EXPERT, chart_campaign_day},
    {"campaign-positions", ROLE_EXPERT, chart_campaign_positions},
    {"campaign-pulse", ROLE_EXPERT, chart_campaign_pulse},
    {"class-histogram", ROLE_EXPERT, chart_class_histogram},
    {"classes-scatter", ROLE_EXPERT, chart_classes_scatter},
    {"help-binomial", ROLE_WORKER, chart_help_binomial},
    {"label-plan-numbers", ROLE_LEAD, chart_label_plan_numbers},
    {"label-source-numbers", ROLE_EXPERT, chart_label_source_numbers},
    {"measures-adjusted", ROLE_EXPERT, chart_measures_adjusted},
    {"measures-bins", ROLE_EXPERT, chart_measures_bins},
    {"measures-brightness", ROLE_EXPERT, chart_measures_brightness},
    {"measures-changes", ROLE_EXPERT, chart_measures_changes},
    {"measures-class", ROLE_EXPERT, chart_measures_class},
    {"measures-classes", ROLE_EXPERT, chart_measures_classes},
    {"measures-confusions", ROLE_EXPERT, chart_measures_confusions},
    {"measures-cooccurrence", ROLE_EXPERT, chart_measures_cooccurrence},
    {"measures-corrected-bins", ROLE_EXPERT, chart_measures_corrected_bins},
    {"measures-corrected-model-bins", ROLE_EXPERT, chart_measures_corrected_model_bins},
    {"measures-difficulty", ROLE_EXPERT, chart_measures_difficulty},
    {"measures-fit", ROLE_EXPERT, chart_measures_fit},
    {"measures-model-bins", ROLE_EXPERT, chart_measures_model_bins},
    {"measures-pairs", ROLE_EXPERT, chart_measures_pairs},
    {"measures-pixels", ROLE_EXPERT, chart_measures_pixels},
    {"measures-revisions", ROLE_EXPERT, chart_measures_revisions},
    {"measures-said", ROLE_EXPERT, chart_measures_said},
    {"measures-said-others", ROLE_EXPERT, chart_measures_said_others},
    {"measures-saturation", ROLE_EXPERT, chart_measures_saturation},
    {"measures-sharpness", ROLE_EXPERT, chart_measures_sharpness},
    {"measures-simulated", ROLE_EXPERT, chart_measures_simulated},
    {"measures-valid", ROLE_EXPERT, chart_measures_valid},
    {"model-classes", ROLE_EXPERT, chart_model_classes},
    {"models-accuracy", ROLE_EXPERT, chart_models_accuracy},
    {"models-scatter", ROLE_EXPERT, chart_models_scatter},
    {"near-pairs", ROLE_EXPERT, chart_near_pairs},
    {"objects-numbers", ROLE_LEAD, chart_objects_numbers},
    {"overview-day", ROLE_EXPERT, chart_overview_day},
    {"overview-histogram", ROLE_EXPERT, chart_overview_histogram},
    {"overview-pulse", ROLE_EXPERT, chart_overview_pulse},
    {"person-agreement", ROLE_LEAD, chart_person_agreement},
    {"review-agreement", ROLE_LEAD, chart_review_agreement},
    {"set-bias", ROLE_EXPERT, chart_set_bias},
    {"set-differences", ROLE_EXPERT, chart_set_differences},
    {"set-discriminator", ROLE_EXPERT, chart_set_discriminator},
    {"view-means", ROLE_LEAD, chart_view_means},
};
const size_t charts_count = sizeof charts / sizeof *charts;

enum { CHART_BYTES = 32 << 20 };

static const struct chart_row *find(struct sv name)
{
    for (size_t i = 0; i < charts_count; i++) {
        if (sv_is(name, charts[i].name)) {
            return &charts[i];
        }
    }
    return NULL;
}

/* ---- the address of a chart ---- */

static const struct {
    const char *name;
    size_t at;
} parameters[] = {
    {"campaign", offsetof(struct chart_ask, campaign)},
    {"wnid", offsetof(struct chart_ask, wnid)},
    {"view", offsetof(struct chart_ask, view)},
    {"person", offsetof(struct chart_ask, person)},
    {"original", offsetof(struct chart_ask, original)},
    {"new", offsetof(struct chart_ask, fresh)},
    {"top", offsetof(struct chart_ask, top)},
    {"new_top", offsetof(struct chart_ask, new_top)},
    {"scale", offsetof(struct chart_ask, scale)},
    {"subset", offsetof(struct chart_ask, subset)},
    {"new_subset", offsetof(struct chart_ask, new_subset)},
    {"labels", offsetof(struct chart_ask, labels)},
    {"new_labels", offsetof(struct chart_ask, new_labels)},
    {"group", offsetof(struct chart_ask, group)},
    {"family", offsetof(struct chart_ask, family)},
    {"model", offsetof(struct chart_ask, model)},
    {"set", offsetof(struct chart_ask, set)},
    {"metric", offsetof(struct chart_ask, metric)},
    {"models", offsetof(struct chart_ask, models)},
    {"without", offsetof(struct chart_ask, without)},
    {"pivot", offsetof(struct chart_ask, pivot)},
    {"by", offsetof(struct chart_ask, by)},
    {"groups", offsetof(struct chart_ask, groups)},
    {"row", offsetof(struct chart_ask, row)},
    {"column", offsetof(struct chart_ask, column)},
    {"spread", offsetof(struct chart_ask, spread)},
    {"true_spread", offsetof(struct chart_ask, true_spread)},
    {"true_new_spread", offsetof(struct chart_ask, true_new_spread)},
    {"true_shift", offsetof(struct chart_ask, true_shift)},
    {"images", offsetof(struct chart_ask, images)},
    {"seed", offsetof(struct chart_ask, seed)},
    {"plan", offsetof(struct chart_ask, plan)},
    {"review", offsetof(struct chart_ask, review)},
    {"suggestions", offsetof(struct chart_ask, suggestions)},
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static const struct sv *part(const struct chart_ask *ask, int i)
{
    return (const struct sv *)(const void *)((const char *)ask + parameters[i].at);
}

static void read_ask(struct request *q, struct chart_ask *out)
{
    for (int i = 0; i < PARAMETERS; i++) {
        *(struct sv *)(void *)((char *)out + parameters[i].at) =
            request_query(q, parameters[i].name);
    }
}

/* "?campaign=main&wnid=n01440764"; empty without any. */
static const char *query_of(struct ctx *c, const struct chart_ask *ask)
{
    struct str out;
    str_init(&out, 8192);
    for (int i = 0; i < PARAMETERS; i++) {
        if (part(ask, i)->n) {
            str_printf(&out, "%c%s=", out.n ? '&' : '?', parameters[i].name);
            escape_url(&out, *part(ask, i));
        }
    }
    const char *query = arena_cstr(c->arena, str_sv(&out));
    str_release(&out);
    return query;
}

/* Charts of one kind may stand on one page: what was asked for is part of the id. */
static const char *id_of(struct ctx *c, const char *name, const char *query)
{
    uint32_t mark = (uint32_t)(hash_stable(query, strlen(query)) >> 32);
    return query[0] ? arena_printf(c->arena, "chart-%s-%08x", name, mark)
                    : arena_printf(c->arena, "chart-%s", name);
}

/* ---- into a page ---- */

json_t *charts_data(struct ctx *c, const char *name, const struct chart_ask *ask)
{
    static const struct chart_ask nothing;
    const struct chart_row *row = find(sv_of(name));
    BUG_IF(!row);
    struct chart *chart;
    struct chart_ask asked = ask ? *ask : nothing;
    if (row->build(c, &asked, &chart) != OK) {
        return NULL;
    }
    const char *query = query_of(c, &asked), *id = id_of(c, name, query);
    struct str svg;
    str_init(&svg, CHART_BYTES);
    chart_svg(chart, id, &svg);
    json_t *data = NULL;
    if (str_check(&svg, "the chart", &c->err) == OK) {
        data = object(
            field_text("id", id), field_sv("svg", str_sv(&svg)), field_json("table", chart_table(chart)),
            field_text("svg_url", arena_printf(c->arena, "/charts/%s/svg%s", name, query)),
            field_text("csv_url", arena_printf(c->arena, "/charts/%s/csv%s", name, query)),
            field_text("json_url", arena_printf(c->arena, "/charts/%s/json%s", name, query)));
        BUG_IF(!data);
    }
    str_release(&svg);
    return data;
}

json_t *charts_group(struct ctx *c, const char *const names[][2], size_t n,
                     const struct chart_ask *ask)
{
    json_t *all = json_object();
    for (size_t i = 0; i < n; i++) {
        json_t *chart = charts_data(c, names[i][1], ask);
        if (!chart) {
            json_decref(all);
            return NULL;
        }
        json_object_set_new(all, names[i][0], chart);
    }
    return all;
}

/* ---- as a file ---- */

enum format { FORMAT_SVG, FORMAT_CSV, FORMAT_JSON, FORMATS };
static const struct {
    const char *name, *type, *disposition;
} formats[FORMATS] = {
    [FORMAT_SVG] = {"svg", "image/svg+xml", "inline"},
    [FORMAT_CSV] = {"csv", "text/csv; charset=utf-8", "attachment"},
    [FORMAT_JSON] = {"json", "application/json", "inline"},
};

/* The name under which a browser keeps it. Names of charts need no quoting. */
static void file_headers(struct ctx *c, const struct chart_row *row, enum format f)
{
    response_header(c->res, "Content-Disposition",
                    arena_printf(c->arena, "%s; filename=\"%s.%s\"", formats[f].disposition,
                                 row->name, formats[f].name));
    response_header(c->res, "Cache-Control", "private, no-cache");
    if (f == FORMAT_SVG) {
        /* As a document of its own it may do nothing at all. */
        response_header(c->res, "Content-Security-Policy",
                        "default-src 'none'; frame-ancestors 'none'; sandbox");
    }
}

static void write_json(const struct chart *chart, struct str *out)
{
    json_t *body = chart_json(chart);
    char *text = json_dumps(body, JSON_COMPACT);
    BUG_IF(!text);
    str_addz(out, text);
    str_addc(out, '\n');
    free(text);
    json_decref(body);
}

static enum err_code reply_chart(struct ctx *c, const struct chart_row *row, enum format f)
{
    struct request *q = c->req;
    struct chart_ask ask;
    read_ask(q, &ask);
    struct chart *chart;
    if (row->build(c, &ask, &chart) != OK) {
        return c->err.code;
    }
    struct str *out = &c->res->body;
    switch (f) {
    case FORMAT_SVG: chart_svg(chart, id_of(c, row->name, query_of(c, &ask)), out); break;
    case FORMAT_CSV: chart_csv(chart, out); break;
    case FORMAT_JSON:
    case FORMATS: write_json(chart, out); break;
    }
    c->res->status = 200;
    c->res->content_type = formats[f].type;
    file_headers(c, row, f);
    return str_check(out, "the chart", &c->err);
}

/* GET /charts/:chart/:format, with what the chart needs of `parameters` */
enum err_code page_chart(struct ctx *c)
{
    const struct chart_row *row = find(c->req->params[0]);
    int f = 0;
    while (f < FORMATS && !sv_is(c->req->params[1], formats[f].name)) {
        f++;
    }
    if (!row || f == FORMATS) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-chart",
                        "There is no such chart. Charts come as svg, csv and json; the links are on the "
                        "pages that show them.");
    }
    if (c->user.role < row->role || (c->user.at_desk && row->role > ROLE_WORKER)) {
        return err_rule(&c->err, ERR_DENIED, "role", "This chart needs the role %s.",
                        role_name(row->role));
    }
    return reply_chart(c, row, (enum format)f);
}
