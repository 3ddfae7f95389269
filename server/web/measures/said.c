/* said.c - how often people find in images what models say is in them: the page, its JSON and CSV, its charts. Rows in
 * routes.c; templates/measures/said. */
#include <math.h>

#include "base/parallel.h"
#include "json/object.h"
#include "measures/votes/said_frequency.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/measures/answers.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"
#include "web/parts/set_data.h"
#include "web/scoring/answers_kept.h"

enum { RESAMPLES = 1000 /* a page does not wait for as many as the command draws */ };
static const char path[] = "/measures/said", template[] = "measures/said", title[] = "Predictions as people see them";

struct query {
    struct answers_query of;
    struct sv view; /* empty: default */
};
#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"set", LIST_TEXT, AT(of.set)},       {"subset", LIST_TEXT, AT(of.subset)}, {"models", LIST_TEXT, AT(of.models)},
    {"class", LIST_TEXT, AT(of.wnid)},    {"view", LIST_TEXT, AT(view)},        {0},
};
static const struct list_table table = {params, sizeof(struct query), NULL, NULL};
static const struct query usual = {.of.top = 1};

struct shown {
    struct query q;
    struct answers of;
    struct sv view;
    struct said_frequencies found;
};

static enum err_code read_asked(struct ctx *c, struct shown *s)
{
    const struct counted_view *v;
    enum err_code rc = answers_voted(c, &s->q.of, s->q.view, &s->of, &s->view, &v);
    if (rc != OK) {
        return rc;
    }
    const struct said_ask ask = {.revision = &s->of.r, .subset = &s->of.subset, .votes = &v->counts, .view = v->view.id,
                                 .models = s->of.models, .n_models = s->of.n, .resamples = RESAMPLES, .seed = SAID_SEED,
                                 .threads = parallel_cores()};
    rc = said_get(c, &ask, &s->found);
    view_choice_put(v);
    return rc;
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.q = usual};
    enum err_code rc = list_read(c, &table, &usual, &s->q);
    return rc == OK ? read_asked(c, s) : rc;
}

static const char *url_of(struct ctx *c, const char *to, const struct query *q)
{
    return list_url(c, &table, to, &usual, q, false);
}

/* Its top-1 accuracy; NAN for the labels. */
static double accuracy(const struct shown *s, struct sv model)
{
    size_t i = 0;
    while (i < s->of.n && !sv_eq(s->of.models[i].name, model)) {
        i++;
    }
    const struct model_score *on = i < s->of.n ? set_score_of(s->of.set.scores, s->of.set.n, s->of.models[i].id) : NULL;
    return on && on->predicted ? (double)on->top1 / on->predicted : (double)NAN;
}

/* ---- the page ---- */

static const char *share(struct ctx *c, double v)
{
    return isnan(v) ? NULL : arena_printf(c->arena, "%.3f", v);
}

static json_t *line_json(struct ctx *c, const struct shown *s, const struct said_line *l)
{
    const struct proportion *p = &l->frequency;
    const double right = accuracy(s, l->model);
    return object(field_sv("model", l->model), field_bool("labels", l->model.n == 0),
                  field_text("url", l->model.n ? arena_printf(c->arena, "/models/" SV_FMT, SV_ARG(l->model)) : NULL),
                  field_text("accuracy", isnan(right) ? NULL : arena_printf(c->arena, "%.1f", 100 * right)),
                  field_text("frequency", share(c, p->value)),
                  field_text("range", isnan(p->value) ? NULL : arena_printf(c->arena, "%.3f\xe2\x80\x93%.3f", p->lo, p->hi)),
                  field_text("asked", data_count(c->arena, l->asked)), field_text("images", data_count(c->arena, l->images)),
                  field_text("others", data_count(c->arena, l->others)), field_text("others_frequency", share(c, l->others_frequency)));
}

/* The labels first, then models by the mean frequency of what they say, the highest first; what is not known last. */
static const struct said_line **in_order(struct ctx *c, const struct said_frequencies *f)
{
    const struct said_line **list = arena_calloc(c->arena, f->n_lines + 1, sizeof *list);
    for (size_t i = 0; i < f->n_lines; i++) {
        const struct said_line *l = &f->lines[i];
        size_t at = i;
        while (at > 1 && !isnan(l->frequency.value) && !(list[at - 1]->frequency.value >= l->frequency.value)) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = l;
    }
    return list;
}

static bool any_asked(const struct said_frequencies *f)
{
    bool any = false;
    for (size_t i = 0; i < f->n_lines; i++) {
        any = any || f->lines[i].asked > 0;
    }
    return any;
}

/* null: there is something to show. NULL with c->err set. */
static json_t *none_json(struct ctx *c, const struct shown *s)
{
    if (s->of.n == 0) {
        return measures_none_models(c, &s->of.r);
    }
    if (any_asked(&s->found)) {
        return json_null();
    }
    return measures_none_votes("Selection frequencies come from the answers of a campaign, or are imported:");
}

/* GET /measures/said?set=&subset=&models=&class=&view= */
enum err_code page_measures_said(struct ctx *c)
{
    static const char *const charts_shown[][2] = {{"said", "measures-said"}, {"others", "measures-said-others"}};
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return answers_none(c, &s.q.of, path, template, title);
    }
    const struct chart_ask ask = {.set = sv_of(set_title(c->arena, &s.of.r)), .subset = s.q.of.subset, .models = s.q.of.models,
                                  .wnid = s.q.of.wnid, .view = s.q.view};
    json_t *views = measures_views(c, s.view), *page = views ? answers_form(c, &s.of, path, s.found.sealed, NULL) : NULL;
    json_t *none = page ? none_json(c, &s) : NULL, *drawn = none ? charts_group(c, charts_shown, 2, &ask) : NULL;
    if (!drawn) {
        json_decref(views);
        json_decref(page);
        json_decref(none);
        return c->err.code;
    }
    const struct said_line **lines = in_order(c, &s.found);
    json_t *rows = json_array();
    for (size_t i = 0; i < s.found.n_lines; i++) {
        json_array_append_new(rows, line_json(c, &s, lines[i]));
    }
    json_object_update_new(page, object(field_bool("any_views", true), field_json("views", views), field_bool("any_labels", false),
                                        field_bool("list", json_is_null(none)), field_json("no_lines", none), field_json("charts", drawn),
                                        field_json("rows", rows), field_sv("view", s.view), field_text("resamples", data_count(c->arena, RESAMPLES)),
                                        field_text("json_url", url_of(c, "/api/v1/measures/said", &s.q)),
                                        field_text("csv_url", url_of(c, "/api/v1/measures/said.csv", &s.q))));
    return reply_page(c, 200, template, title, page);
}

/* ---- for scripts ---- */

struct said_reply {
    const char *set;
    struct sv subset, view;
    uint32_t resamples, seed, sealed;
    json_t *left_out;
    struct said_line *lines;
    size_t n;
};
#define OF(member) RECORD_OF(struct said_reply, member)
RECORD(measures_said_record, struct said_reply, "said_frequencies", "How often people find in the images of a set what models say is in them.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"subset", OF(subset), .about = "Of its images, as in addresses; empty: all."},
       {"view", OF(view), .about = "The vote view whose answers count."},
       {"resamples", OF(resamples), .about = "Of images, for the intervals."},
       {"seed", OF(seed), .about = "Of their draws."},
       {"sealed", OF(sealed), .about = "Images that a sealed revision has, which are left out."},
       {"left_out", OF(left_out), RECORD_TEXTS, .about = "Models that were asked for by name and have not predicted all."},
       {"items", RECORD_ROWS(struct said_reply, lines, n), .of = &said_line_record, .about = "The labels, then each model."});
#undef OF

/* GET /api/v1/measures/said */
enum err_code api_measures_said(struct ctx *c)
{
    struct shown s;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    const struct said_reply r = {set_title(c->arena, &s.of.r), s.of.subset.name, s.view, RESAMPLES, SAID_SEED, s.found.sealed,
                                 answers_left_out(&s.of), s.found.lines, s.found.n_lines};
    return reply_json(c, 200, record_json(&measures_said_record, &r));
}

/* GET /api/v1/measures/said.csv */
enum err_code api_measures_said_csv(struct ctx *c)
{
    struct shown s;
    enum err_code rc = read_shown(c, &s);
    return rc == OK ? reply_csv(c, "said.csv", &said_line_record, s.found.lines, s.found.n_lines) : rc;
}

/* ---- the charts ---- */

static enum err_code read_charted(struct ctx *c, const struct chart_ask *ask, struct shown *s)
{
    *s = (struct shown){.q = usual};
    s->q.of.set = ask->set;
    s->q.of.subset = ask->subset;
    s->q.of.models = ask->models;
    s->q.of.wnid = ask->wnid;
    s->q.view = ask->view;
    return read_asked(c, s);
}

static struct chart *new_chart(struct ctx *c, const struct shown *s, const char *what, const char *about, const char *y)
{
    const char *view = view_choice_is_default(s->view) ? "" : arena_printf(c->arena, ", view " SV_FMT, SV_ARG(s->view));
    const struct chart_options o = {
        .title = arena_printf(c->arena, "%s, %s%s", what, set_title(c->arena, &s->of.r), s->of.part),
        .description = arena_printf(c->arena, "%s%s.", about, view),
        .empty = s->of.n == 0 ? "No model has predicted all images yet." : any_asked(&s->found) ? NULL : "Nobody was asked about what models say of these images.",
        .x = {.label = "Top-1 accuracy", .form = CHART_PERCENT},
        .y = {.label = y, .form = CHART_SHARE}};
    return chart_new(c->arena, &o);
}

/* Models with frequencies, as points. */
struct points {
    double *x, *y, *lo, *hi;
    const char **names;
    const struct said_line **lines;
    size_t n;
};

static struct points points_of(struct ctx *c, const struct shown *s)
{
    const size_t most = s->found.n_lines + 1;
    struct points p = {.x = arena_calloc(c->arena, 4 * most, sizeof *p.x), .names = arena_calloc(c->arena, most, sizeof *p.names),
                       .lines = arena_calloc(c->arena, most, sizeof *p.lines)};
    p.y = p.x + most;
    p.lo = p.y + most;
    p.hi = p.lo + most;
    for (size_t i = 0; i < s->found.n_lines; i++) {
        const struct said_line *l = &s->found.lines[i];
        if (l->model.n && l->asked) {
            p.x[p.n] = accuracy(s, l->model);
            p.y[p.n] = l->frequency.value;
            p.lo[p.n] = l->frequency.lo;
            p.hi[p.n] = l->frequency.hi;
            p.lines[p.n] = l;
            p.names[p.n++] = arena_cstr(c->arena, l->model);
        }
    }
    return p;
}

enum err_code chart_measures_said(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct shown s;
    if (read_charted(c, ask, &s) != OK) {
        return c->err.code;
    }
    const struct points p = points_of(c, &s);
    *out = new_chart(c, &s, "Selection frequency of predictions", "Mean selection frequency of what each model says first, with its 95 % "
                     "interval over images; the line is that of the set's labels", "Selection frequency");
    if (p.n) {
        chart_points(*out, "Models", p.n, p.x, p.y, p.names);
        chart_intervals(*out, p.n, p.lo, p.hi);
    }
    if (p.n && s.found.n_lines && s.found.lines[0].model.n == 0 && s.found.lines[0].asked) {
        chart_rule(*out, true, s.found.lines[0].frequency.value, "labels");
    }
    return OK;
}

enum err_code chart_measures_said_others(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    static const char *const bins[HISTOGRAM_BINS] = {"0 to 0.2", "0.2 to 0.4", "0.4 to 0.6", "0.6 to 0.8", "0.8 to 1"};
    struct shown s;
    if (read_charted(c, ask, &s) != OK) {
        return c->err.code;
    }
    struct points p = points_of(c, &s);
    *out = new_chart(c, &s, "Wrong predictions by selection frequency", "Of the images of which people were asked about what a model says, the share "
                     "of which that is not the label, by how often people find it", "Share of images");
    for (int k = 0; k < HISTOGRAM_BINS && p.n; k++) {
        for (size_t i = 0; i < p.n; i++) {
            p.y[i] = (double)p.lines[i]->bins[k] / p.lines[i]->asked;
        }
        chart_points(*out, bins[k], p.n, p.x, p.y, p.names);
    }
    return OK;
}
