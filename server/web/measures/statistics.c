/* statistics.c - accuracy and gap by statistics of the picture: page, JSON, charts. Rows in routes.c;
 * templates/measures/statistics. */
#include "json/object.h"
#include "measures/images/by_statistic.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/measures/charts.h"
#include "web/measures/parts.h"

static const char path[] = "/measures/statistics";
static const char *const names[IMAGE_STATISTICS] = {"Pixels", "Bytes", "Sharpness", "Brightness", "Saturation"};

static enum err_code make_bins(struct ctx *c, const struct measures *m, enum image_statistic which, struct by_statistic *out)
{
    const struct by_statistic_ask ask = {.sets = {m->t.sets[SIDE_ORIGINAL].r, m->t.sets[SIDE_NEW].r}, .subset = &m->t.subset,
                                         .models = m->models, .n_models = m->n, .top = m->query.top, .which = which};
    *out = (struct by_statistic){.n = 0};
    return ask.sets[0] || ask.sets[1] ? by_statistic_make(app_model_scores(c->app), c->db, &ask, c->arena, out, &c->err) : OK;
}

/* ---- the charts ---- */

static const char *value_text(struct arena *a, double v)
{
    return v >= 1000 ? data_count(a, (int64_t)v) : arena_printf(a, "%.3g", v);
}

static void add_bars(struct ctx *c, struct chart *chart, struct sv name, const struct by_statistic *b, bool original)
{
    double v[STATISTIC_BINS], lo[STATISTIC_BINS], hi[STATISTIC_BINS];
    for (size_t k = 0; k < b->n; k++) {
        const struct proportion *p = original ? &b->bins[k].original.share : &b->bins[k].fresh.share;
        v[k] = p->value;
        lo[k] = p->lo;
        hi[k] = p->hi;
    }
    chart_bars(chart, arena_cstr(c->arena, name), b->n, v);
    chart_intervals(chart, b->n, lo, hi);
}

static enum err_code make_chart(struct ctx *c, const struct chart_ask *ask, enum image_statistic which, struct chart **out)
{
    struct measures_query q;
    struct measures m;
    struct by_statistic b;
    const char *bins[STATISTIC_BINS];
    if (measures_query_of(c, ask, &q) != OK || measures_make(c, &q, &m) != OK || make_bins(c, &m, which, &b) != OK) {
        return c->err.code;
    }
    for (size_t k = 0; k < b.n; k++) {
        bins[k] = arena_printf(c->arena, "%s\xe2\x80\x93%s", value_text(c->arena, b.bins[k].from), value_text(c->arena, b.bins[k].to));
    }
    int64_t unmeasured = (int64_t)b.unmeasured[0] + b.unmeasured[1];
    const struct chart_options o = {
        .title = arena_printf(c->arena, "Top-%d accuracy by %s", m.query.top, image_statistic_words[which]),
        .description = arena_printf(c->arena, "%s, in fifths of the originals, with 95 %% intervals over images.%s", measures_models_words(c, &m),
                                    unmeasured ? arena_printf(c->arena, " %s images have no such statistic.", data_count(c->arena, unmeasured)) : ""),
        .empty = m.n == 0 ? "No model has predicted all images yet." : b.n == 0 ? "No image of these sets has been measured: import the files." : NULL,
        .x = {.label = names[which], .form = CHART_COUNT, .names = bins, .n_names = b.n},
        .y = {.label = "Accuracy", .form = CHART_PERCENT, .lo = 0, .hi = 1},
        .height = 320};
    *out = chart_new(c->arena, &o);
    for (int side = 0; side < SIDES && m.n && b.n; side++) {
        if (m.t.sets[side].r) {
            add_bars(c, *out, measures_title(c, &m, (enum model_side)side), &b, side == SIDE_ORIGINAL);
        }
    }
    return OK;
}

enum err_code chart_measures_pixels(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return make_chart(c, ask, STATISTIC_PIXELS, out);
}

enum err_code chart_measures_sharpness(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return make_chart(c, ask, STATISTIC_SHARPNESS, out);
}

enum err_code chart_measures_brightness(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return make_chart(c, ask, STATISTIC_BRIGHTNESS, out);
}

enum err_code chart_measures_saturation(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    return make_chart(c, ask, STATISTIC_SATURATION, out);
}

/* ---- page and API ---- */

/* GET /measures/statistics?original=&new=&top=&subset=&models= */
enum err_code page_measures_statistics(struct ctx *c)
{
    static const char *const charts_shown[][2] = {{"pixels", "measures-pixels"}, {"sharpness", "measures-sharpness"},
                                                  {"brightness", "measures-brightness"}, {"saturation", "measures-saturation"}};
    struct measures_query q;
    struct measures m;
    if (measures_query_read(c, &q) != OK || measures_make(c, &q, &m) != OK) {
        return c->err.code;
    }
    const struct chart_ask ask = measures_chart_ask(&q);
    json_t *charts_found = charts_group(c, charts_shown, sizeof charts_shown / sizeof *charts_shown, &ask);
    json_t *none = charts_found ? measures_none(c, &m) : NULL;
    if (!none) {
        json_decref(charts_found);
        return c->err.code;
    }
    return reply_page(c, 200, "measures/statistics", "Measures by image statistic",
                      object(field_json("sections", measures_tabs(c, &q, path)),
                             field_json("form", measures_form(c, &m, path, measures_tops_tabs(c, &q, path), NULL)),
                             field_text("left_out", measures_left_out(c, &m)), field_json("charts", charts_found), field_json("none", none),
                             field_text("json_url", measures_query_url(c, "/api/v1/measures/statistics", &q))));
}

struct statistic_row {
    const char *statistic;
    uint32_t original_unmeasured, new_unmeasured, original_sealed, new_sealed;
    struct statistic_bin *bins;
    size_t n;
};
#define OF(member) RECORD_OF(struct statistic_row, member)
static RECORD(statistic_record, struct statistic_row, "measures_of_statistic", "How models do by one statistic of the picture.",
              {"statistic", OF(statistic), .about = "pixels, bytes, sharpness, brightness or saturation."},
              {"original_unmeasured", OF(original_unmeasured), .about = "Images of the originals without it, which are in no bin."},
              {"new_unmeasured", OF(new_unmeasured), .about = "The same of the new set."},
              {"original_sealed", OF(original_sealed), .about = "Images of the originals that a sealed revision has, which are in no bin."},
              {"new_sealed", OF(new_sealed), .about = "The same of the new set."},
              {"bins", RECORD_ROWS(struct statistic_row, bins, n), .of = &statistic_bin_record, .about = "The fifths of the originals."});
#undef OF

struct statistics_reply {
    struct sv original, fresh, subset;
    int top;
    json_t *models;
    struct statistic_row *rows;
    size_t n;
};
#define OF(member) RECORD_OF(struct statistics_reply, member)
RECORD(measures_statistics_record, struct statistics_reply, "measures_by_statistic", "How models do on a pair of sets by statistics of the picture.",
       {"original", OF(original), .maybe = true, .about = "The originals, SET/NUMBER; null: there are none."},
       {"new", OF(fresh), .maybe = true, .about = "The new set, SET/NUMBER; null: there is none."},
       {"subset", OF(subset), .about = "Of the images of both, as in addresses; empty: all."},
       {"top", OF(top), .about = "A prediction is right when the label is among its first so many."},
       {"models", OF(models), RECORD_TEXTS, .about = "The models that the numbers are the mean of."},
       {"statistics", RECORD_ROWS(struct statistics_reply, rows, n), .of = &statistic_record, .about = "Each statistic."});
#undef OF

/* GET /api/v1/measures/statistics */
enum err_code api_measures_statistics(struct ctx *c)
{
    struct measures_query q;
    struct measures m;
    if (measures_query_read(c, &q) != OK || measures_make(c, &q, &m) != OK) {
        return c->err.code;
    }
    struct statistics_reply r = {measures_title(c, &m, SIDE_ORIGINAL), measures_title(c, &m, SIDE_NEW), m.t.subset.name, q.top, NULL,
                                 arena_calloc(c->arena, IMAGE_STATISTICS, sizeof *r.rows), IMAGE_STATISTICS};
    for (int i = 0; i < IMAGE_STATISTICS; i++) {
        struct by_statistic b;
        if (make_bins(c, &m, (enum image_statistic)i, &b) != OK) {
            return c->err.code;
        }
        r.rows[i] = (struct statistic_row){image_statistic_words[i], b.unmeasured[0], b.unmeasured[1], b.sealed[0], b.sealed[1], b.bins, b.n};
    }
    r.models = measures_names(&m);
    return reply_json(c, 200, record_json(&measures_statistics_record, &r));
}
