/* duplicates.c - how far the duplicate review is, by metric, and the candidates that wait. Rows in routes.c. */
#include <math.h>

#include "json/object.h"
#include "measures/scores/near_accuracy.h"
#include "sets/duplicates/near_agreement.h"
#include "sets/duplicates/near_beyond.h"
#include "sets/duplicates/near_originals.h"
#include "sets/duplicates/near_recall.h"
#include "sets/duplicates/near_work.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/job_data.h"

enum { A_PAGE = 50, MOST = 1000 };

static json_t *metric_json(struct ctx *c, const struct near_work_metric *m)
{
    int64_t lacks = m->candidates - m->searched;
    double share = m->reviewed / m->threshold; /* nothing is searched: NAN */
    return object(field_text("metric", m->name), field_text("threshold", arena_printf(c->arena, "%.4g", m->threshold)),
                  field_text("reviewed", arena_printf(c->arena, "%.4g", m->reviewed)),
                  field_int("share", isnan(share) ? 0 : (int64_t)(100 * share)), field_bool("done", m->left == 0),
                  field_text("pairs", data_count(c->arena, m->pairs)), field_text("left", data_count(c->arena, m->left)),
                  field_text("searched", data_count(c->arena, m->searched)),
                  field_text("candidates", data_count(c->arena, m->candidates)), field_bool("any_searched", !isnan(share)),
                  field_bool("lacks", lacks > 0), field_text("lacking", data_count(c->arena, lacks)));
}

static json_t *metrics_json(struct ctx *c, const struct near_work *w)
{
    json_t *list = json_array();
    for (size_t m = 0; m < w->gate.n; m++) {
        if (w->metric[m].on) {
            json_array_append_new(list, metric_json(c, &w->metric[m]));
        }
    }
    return list;
}

/* ---- the page ---- */

/* NULL with c->err set. */
static json_t *item_json(struct ctx *c, const struct near_work_item *item)
{
    struct image_row row;
    struct class_info k;
    if (images_get(c->db, item->image, c->arena, &row, &c->err) != OK ||
        classes_get(c->db, row.class_id, c->arena, &k, &c->err) != OK) {
        return NULL;
    }
    return object(field_sv("name", row.name), field_json("class", data_class(c->arena, &k)),
                  field_text("url", arena_printf(c->arena, "/duplicates/%lld", (long long)item->image)),
                  field_text("picture", arena_printf(c->arena, "/images/%lld/grid", (long long)item->image)),
                  field_int("neighbors", item->neighbors),
                  field_text("nearest", arena_printf(c->arena, "%.0f", 100 * item->nearest)));
}

/* GET /duplicates?page= */
enum err_code page_duplicates(struct ctx *c)
{
    struct near_work w;
    int64_t no;
    if (list_page_asked(c, &no) != OK || near_work_list(c->db, c->arena, &w, &c->err) != OK) {
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)w.n, A_PAGE, no);
    json_t *items = json_array();
    for (size_t i = part.skip; i < w.n && i < part.skip + part.most; i++) {
        json_t *item = item_json(c, &w.items[i]);
        if (!item) {
            json_decref(items);
            return c->err.code;
        }
        json_array_append_new(items, item);
    }
    json_t *page = object(field_bool("any_metric", w.any_metric), field_bool("any_search", w.searches > 0),
                          field_json("metrics", metrics_json(c, &w)), field_text("count", data_count(c->arena, (int64_t)w.n)),
                          field_bool("one", w.n == 1), field_bool("any", w.n > 0), field_json("items", items),
                          field_json("pages", list_page_links(c, &part, "/duplicates?", "")),
                          field_text("pages_label", "Pages of candidates"));
    return reply_page(c, 200, "duplicates/index", "Duplicates", page);
}

/* POST /duplicates/search: what */
enum err_code page_duplicates_search(struct ctx *c)
{
    struct sv what = form_get(&c->form, "what");
    const struct job_given given = {what, SV("true")};
    bool usual = sv_is(what, "usual");
    int64_t id;
    if (!usual && !sv_is(what, "all") && !sv_is(what, "originals")) {
        return err_rule(&c->err, ERR_INPUT, "near-what",
                        "Choose what to search: the candidates that a set could take, all candidates, or the originals. Nothing "
                        "was started.");
    }
    enum err_code rc = job_start(c, SV("neighbors"), &given, usual ? 0 : 1, SV("Search for near-duplicates"), &id);
    return rc == OK ? reply_did(c, job_url(c->arena, id), NULL, "Job %lld searches for near-duplicates.", (long long)id) : rc;
}

/* ---- the same for programs ---- */

struct near_work_row {
    int64_t image;
    struct sv name, wnid;
    const char *url;
    int64_t neighbors;
    double nearest;
};
#define OF(member) RECORD_OF(struct near_work_row, member)
static RECORD(item_record, struct near_work_row, "duplicates_item", "A candidate whose neighbours nobody has judged.",
              {"image", OF(name), .about = "The candidate's name."}, {"id", OF(image), .about = "Its number."},
              {"wnid", OF(wnid), .about = "The class that it was collected for."},
              {"neighbors", OF(neighbors), .about = "Its neighbours within a threshold that nobody has judged."},
              {"nearest", OF(nearest), .about = "Distance of the nearest of them, as a share of the metric's threshold."},
              {"url", OF(url), .about = "Where it is reviewed."});
#undef OF

struct near_work_face {
    const struct near_work_metric *metrics;
    const struct near_work_row *items;
    const struct near_recall *recall;
    const struct near_agreement *agreement;
    const struct near_beyond *beyond;
    const struct near_accuracy *accuracy;
    struct near_originals originals;
    size_t n_metrics, n, n_recall, n_agreement, n_beyond, n_accuracy;
    int64_t total, next;
    const char *next_url;
};
#define OF(member) RECORD_OF(struct near_work_face, member)
RECORD(duplicates_record, struct near_work_face, "duplicates", "How far the duplicate review is, and the candidates that wait.",
       {"metrics", RECORD_ROWS(struct near_work_face, metrics, n_metrics), .of = &near_metric_record,
        .about = "All metrics that the project knows."},
       {"recall", RECORD_ROWS(struct near_work_face, recall, n_recall), .of = &near_recall_record,
        .about = "What the enabled metrics find of changed copies, where they are calibrated."},
       {"beyond", RECORD_ROWS(struct near_work_face, beyond, n_beyond), .of = &near_beyond_record,
        .about = "Duplicates beyond the thresholds of the metrics that are on: a lower bound of what they miss."},
       {"originals", RECORD_PART(struct near_work_face, originals), .of = &near_originals_record,
        .about = "How many originals look like a training image."},
       {"accuracy", RECORD_ROWS(struct near_work_face, accuracy, n_accuracy), .of = &near_accuracy_record,
        .about = "What these add to the accuracy of every model that has predicted the newest originals, the best first."},
       {"agreement", RECORD_ROWS(struct near_work_face, agreement, n_agreement), .of = &near_agreement_record,
        .about = "How far verdicts agree when pairs are shown again."},
       {"items", RECORD_ROWS(struct near_work_face, items, n), .of = &item_record,
        .about = "Candidates that wait, the one with the nearest neighbour first."},
       {"total", OF(total), .about = "Candidates that wait."},
       {"next", OF(next), .maybe = true, .about = "What `after` must be for the candidates that follow; null: these are the last."},
       {"next_url", OF(next_url), .maybe = true, .about = "Where the candidates that follow are; null: these are the last."});
#undef OF

static enum err_code row_of(struct ctx *c, const struct near_work_item *item, struct near_work_row *out)
{
    struct image_row row;
    struct class_info k;
    enum err_code rc = images_get(c->db, item->image, c->arena, &row, &c->err);
    rc = rc == OK ? classes_get(c->db, row.class_id, c->arena, &k, &c->err) : rc;
    if (rc == OK) {
        *out = (struct near_work_row){item->image, row.name, k.wnid,
                                      arena_printf(c->arena, "/duplicates/%lld", (long long)item->image), item->neighbors,
                                      item->nearest};
    }
    return rc;
}

/* GET /api/v1/duplicates?after=&limit= */
enum err_code api_duplicates(struct ctx *c)
{
    struct near_work w;
    struct near_recall *recall;
    size_t n_recall;
    struct near_agreement agreement[NEAR_AGREEMENTS];
    struct near_beyond *beyond;
    size_t n_beyond;
    struct near_originals originals;
    struct near_accuracy *accuracy;
    size_t n_accuracy;
    int64_t next;
    struct cursor at;
    if (cursor_read(c, "after", A_PAGE, MOST, &at) != OK || near_work_list(c->db, c->arena, &w, &c->err) != OK ||
        near_recall_list(c->db, &w.gate, c->arena, &recall, &n_recall, &c->err) != OK ||
        near_agreement_get(c->db, agreement, &c->err) != OK ||
        near_beyond_list(c->db, &w, c->arena, &beyond, &n_beyond, &next, &c->err) != OK ||
        near_originals_get(c->db, c->arena, &originals, &c->err) != OK ||
        near_accuracy_list(app_model_scores(c->app), c->db, c->arena, &accuracy, &n_accuracy, &c->err) != OK) {
        return c->err.code;
    }
    size_t skip = (size_t)at.from < w.n ? (size_t)at.from : w.n, n = w.n - skip < at.limit ? w.n - skip : at.limit;
    struct near_work_row *rows = arena_alloc(c->arena, (n + 1) * sizeof *rows);
    struct near_work_face face = {.metrics = w.metric, .n_metrics = w.gate.n, .items = rows, .n = n,
                                  .recall = recall, .n_recall = n_recall, .agreement = agreement, .beyond = beyond,
                                  .n_beyond = n_beyond, .originals = originals, .accuracy = accuracy, .n_accuracy = n_accuracy,
                                  .n_agreement = NEAR_AGREEMENTS, .total = (int64_t)w.n};
    for (size_t i = 0; i < n; i++) {
        if (row_of(c, &w.items[skip + i], &rows[i]) != OK) {
            return c->err.code;
        }
    }
    if (skip + n < w.n) {
        face.next = (int64_t)(skip + n);
        face.next_url = arena_printf(c->arena, "/api/v1/duplicates?after=%zu&limit=%zu", skip + n, at.limit);
    }
    return reply_json(c, 200, record_json(&duplicates_record, &face));
}
