/* quality.c - how good the search for near-duplicates is: what its metrics find, what their thresholds miss, and whether
 * people agree. Row in routes.c. */
#include <math.h>
#include <string.h>

#include "image/distort.h"
#include "json/object.h"
#include "measures/scores/near_accuracy.h"
#include "sets/duplicates/near_agreement.h"
#include "sets/duplicates/near_beyond.h"
#include "sets/duplicates/near_originals.h"
#include "sets/duplicates/near_recall.h"
#include "web/core/charts.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

/* ---- what the metrics find ---- */

static json_t *percent_json(struct ctx *c, const struct near_recall *r)
{
    return object(field_text("recall", arena_printf(c->arena, "%.0f %%", 100 * r->share.value)),
                  field_text("interval", arena_printf(c->arena, "%.0f–%.0f", 100 * r->share.lo, 100 * r->share.hi)));
}

/* What a metric says of a distortion; an empty cell where it says nothing. */
static json_t *cell_json(struct ctx *c, const struct near_recall *list, size_t n, const char *metric, const char *distortion)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].metric, metric) == 0 && strcmp(list[i].distortion, distortion) == 0 && list[i].images > 0) {
            return percent_json(c, &list[i]);
        }
    }
    return object(field_text("recall", ""), field_text("interval", ""));
}

/* A row of each distortion with a cell of each metric that is calibrated. */
static json_t *recall_json(struct ctx *c, const struct near_work *w, const struct near_recall *list, size_t n)
{
    json_t *metrics = json_array(), *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(list[i].metric, list[i - 1].metric) != 0) {
            object_add(metrics, field_text("metric", list[i].metric),
                       field_text("threshold", arena_printf(c->arena, "%.4g", list[i].threshold)),
                       field_text("images", data_count(c->arena, list[i].images)));
        }
    }
    for (size_t d = 0; d < DISTORTIONS && n > 0; d++) {
        json_t *cells = json_array();
        for (size_t m = 0; m < w->gate.n; m++) {
            if (near_recall_has(list, n, w->metric[m].name)) {
                json_array_append_new(cells, cell_json(c, list, n, w->metric[m].name, distortions[d].name));
            }
        }
        object_add(rows, field_text("name", distortions[d].name), field_text("about", distortions[d].about),
                   field_json("cells", cells));
    }
    return object(field_json("metrics", metrics), field_json("rows", rows));
}

/* ---- what thresholds show and miss ---- */

/* A chart of each metric that is on and has searched; NULL with c->err set. */
static json_t *charts_json(struct ctx *c, const struct near_work *w)
{
    json_t *list = json_array();
    for (size_t m = 0; m < w->gate.n; m++) {
        const struct chart_ask ask = {.metric = sv_of(w->metric[m].name)};
        json_t *chart = w->metric[m].on && w->covered[m].any ? charts_data(c, "near-pairs", &ask) : NULL;
        if (chart) {
            json_array_append_new(list, chart);
        } else if (c->err.code != OK) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *beyond_json(struct ctx *c, const struct near_beyond *list, size_t n)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct near_beyond *b = &list[i];
        const char *share = isnan(b->share.value) ? "" : arena_printf(c->arena, "%.0f %%", 100 * b->share.value);
        const char *interval = isnan(b->share.value) ? "" : arena_printf(c->arena, "%.0f–%.0f", 100 * b->share.lo, 100 * b->share.hi);
        if (b->drawn > 0) {
            object_add(rows, field_text("metric", b->metric), field_text("pairs", data_count(c->arena, b->pairs)),
                       field_text("drawn", data_count(c->arena, b->drawn)), field_text("judged", data_count(c->arena, b->judged)),
                       field_text("duplicates", data_count(c->arena, b->duplicates)), field_text("share", share),
                       field_text("interval", interval));
        }
    }
    return rows;
}

static json_t *originals_json(struct ctx *c, const struct near_originals *o)
{
    struct arena *a = c->arena;
    return object(field_bool("any", o->searched > 0), field_text("searched", data_count(a, o->searched)),
                  field_text("of", data_count(a, o->originals)), field_text("left", data_count(a, o->left)),
                  field_bool("any_left", o->next > 0), field_text("duplicates", data_count(a, o->duplicates)),
                  field_text("share", arena_printf(a, "%.1f %%", 100 * o->share.value)),
                  field_text("interval", arena_printf(a, "%.1f–%.1f", 100 * o->share.lo, 100 * o->share.hi)));
}

/* null: there are none. */
static json_t *accuracy_json(struct ctx *c, const struct near_accuracy *list, size_t n)
{
    struct arena *a = c->arena;
    json_t *rows = n ? json_array() : NULL;
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("model", list[i].model), field_text("all", arena_printf(a, "%.1f", 100 * list[i].all)),
                   field_text("on_duplicates", arena_printf(a, "%.1f", 100 * list[i].on_duplicates)),
                   field_text("without", arena_printf(a, "%.1f", 100 * list[i].without)),
                   field_text("change", data_minus(a, arena_printf(a, "%+.1f", 100 * list[i].change))));
    }
    return n ? object(field_text("images", data_count(a, list[0].images)),
                      field_text("duplicates", data_count(a, list[0].duplicates)), field_json("rows", rows))
             : json_null();
}

/* ---- people ---- */

static json_t *agreement_json(struct ctx *c, const struct near_agreement list[NEAR_AGREEMENTS])
{
    static const char *const labels[NEAR_AGREEMENTS] = {"The same person", "Somebody else"};
    json_t *rows = json_array();
    for (size_t w = 0; w < NEAR_AGREEMENTS; w++) {
        const struct near_agreement *is = &list[w];
        if (is->pairs > 0) {
            object_add(rows, field_text("who", labels[w]), field_text("pairs", data_count(c->arena, is->pairs)),
                       field_text("alike", data_count(c->arena, is->alike)),
                       field_text("kappa", isnan(is->kappa) ? "–" : arena_printf(c->arena, "%.2f", is->kappa)));
        }
    }
    return rows;
}

/* ---- the page ---- */

/* GET /duplicates/quality */
enum err_code page_duplicates_quality(struct ctx *c)
{
    struct near_work w;
    struct near_recall *recall;
    struct near_beyond *beyond;
    struct near_agreement agreement[NEAR_AGREEMENTS];
    struct near_originals originals;
    struct near_accuracy *accuracy;
    size_t n_recall, n_beyond, n_accuracy;
    int64_t next;
    if (near_work_open(c->db, c->arena, &w, &c->err) != OK ||
        near_recall_list(c->db, &w.gate, c->arena, &recall, &n_recall, &c->err) != OK ||
        near_beyond_list(c->db, &w, c->arena, &beyond, &n_beyond, &next, &c->err) != OK ||
        near_agreement_get(c->db, agreement, &c->err) != OK ||
        near_originals_get(c->db, c->arena, &originals, &c->err) != OK ||
        near_accuracy_list(app_model_scores(c->app), c->db, c->arena, &accuracy, &n_accuracy, &c->err) != OK) {
        return c->err.code;
    }
    json_t *drawn = charts_json(c, &w);
    if (!drawn) {
        return c->err.code;
    }
    json_t *agreed = agreement_json(c, agreement), *missed = beyond_json(c, beyond, n_beyond);
    json_t *page = object(field_bool("any_charts", json_array_size(drawn) > 0), field_json("charts", drawn),
                          field_bool("any_beyond", json_array_size(missed) > 0), field_json("beyond", missed),
                          field_bool("beyond_left", next > 0), field_json("originals", originals_json(c, &originals)),
                          field_json("accuracy", accuracy_json(c, accuracy, n_accuracy)),
                          field_bool("any_agreement", json_array_size(agreed) > 0),
                          field_json("agreement", agreed), field_bool("any_recall", n_recall > 0),
                          field_json("recall", recall_json(c, &w, recall, n_recall)));
    return reply_page(c, 200, "duplicates/quality", "How good is the search?", page);
}
