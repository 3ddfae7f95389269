/* duplicates.c - how far the duplicate review is, by metric, and the candidates that wait. Rows in routes.c. */
#include "json/object.h"
#include "sets/duplicates/near_work.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

enum { A_PAGE = 50, SPREAD = 8 };

static json_t *metric_json(struct ctx *c, const struct near_work *w, size_t m)
{
    const struct review_metric *metric = &w->gate.metric[m];
    const struct near_work_metric *is = &w->metric[m];
    int64_t left = w->candidates - is->searched;
    double share = is->nearest / metric->threshold;
    return object(field_text("metric", metric->name),
                  field_text("threshold", arena_printf(c->arena, "%.4g", metric->threshold)),
                  field_text("reviewed", arena_printf(c->arena, "%.4g", is->nearest)),
                  field_int("share", (int64_t)(100 * (share < 1 ? share : 1))), field_bool("done", is->pairs == 0),
                  field_text("pairs", data_count(c->arena, is->pairs)),
                  field_text("searched", data_count(c->arena, is->searched)),
                  field_text("candidates", data_count(c->arena, w->candidates)),
                  field_bool("any_searched", w->covered[m].any), field_bool("lacks", left > 0),
                  field_text("left", data_count(c->arena, left)));
}

static json_t *metrics_json(struct ctx *c, const struct near_work *w)
{
    json_t *list = json_array();
    for (size_t m = 0; m < w->gate.n; m++) {
        if (w->gate.metric[m].enabled) {
            json_array_append_new(list, metric_json(c, w, m));
        }
    }
    return list;
}

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

/* GET /duplicates/next: the nearest first; reviewers begin at different ones of the first few, so that two who work at
 * the same time rarely hold the same candidate. */
enum err_code page_duplicates_next(struct ctx *c)
{
    struct near_work w;
    if (near_work_list(c->db, c->arena, &w, &c->err) != OK) {
        return c->err.code;
    }
    if (w.n == 0) {
        return reply_redirect(c, "/duplicates");
    }
    size_t at = (size_t)c->user.account % (w.n < SPREAD ? w.n : SPREAD);
    return reply_redirect(c, arena_printf(c->arena, "/duplicates/%lld", (long long)w.items[at].image));
}
