/* api_read.c - lists for scripts: campaigns, classes, frequencies, images. Long lists go by cursor
 * ("after") and "limit"; every page costs the same wherever it lies. */
#include "domain/grid.h"
#include "store/images.h"
#include "web/class_stats.h"
#include "web/live_data.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

static enum err_code read_cursor(struct ctx *c, int64_t *after, int64_t *limit)
{
    struct sv a = request_query(c->req, "after"), l = request_query(c->req, "limit");
    *after = 0;
    *limit = LIMIT_DEFAULT;
    if ((a.n && (!sv_i64(a, after) || *after < 0)) ||
        (l.n && (!sv_i64(l, limit) || *limit < 1 || *limit > LIMIT_MOST))) {
        return err_rule(&c->err, ERR_INPUT, "cursor",
                        "after must be the \"next\" of an earlier page, limit 1 to %d.",
                        LIMIT_MOST);
    }
    return OK;
}

static enum err_code reply_list(struct ctx *c, json_t *items, int64_t next)
{
    return reply_json(c, 200,
                      next ? json_pack("{s:o, s:I}", "items", items, "next", (json_int_t)next)
                           : json_pack("{s:o, s:n}", "items", items, "next"));
}

/* GET /api/v1/campaigns */
enum err_code api_campaigns(struct ctx *c)
{
    struct campaign *list;
    size_t n;
    if (campaigns_list(c->db, false, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, data_campaign(c, &list[i]));
    }
    return reply_list(c, items, 0);
}

/* GET /api/v1/overview, on a helper thread as the page */
enum err_code api_overview(struct ctx *c)
{
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    json_t *all = live_overview(c, s);
    stats_put(keeper, s);
    return all ? reply_json(c, 200, all) : c->err.code;
}

/* GET /api/v1/campaigns/:campaign, on a helper thread; of its classes below the coverage those from
 * number `classes` on */
enum err_code api_campaign(struct ctx *c)
{
    struct campaign k;
    struct sv asked = request_query(c->req, "classes");
    int64_t from = 0;
    if (asked.n && (!sv_i64(asked, &from) || from < 0)) {
        return err_rule(&c->err, ERR_INPUT, "cursor",
                        "classes must be the \"next\" of an earlier reply's coverage.");
    }
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    struct stats_keeper *keeper = app_stats(c->app);
    const struct stats *s = stats_get(keeper);
    json_t *all = live_campaign(c, s, &k, (size_t)from);
    stats_put(keeper, s);
    return all ? reply_json(c, 200, all) : c->err.code;
}

/* GET /api/v1/classes */
enum err_code api_classes(struct ctx *c)
{
    struct class_info *list;
    size_t n, n_sums;
    if (classes_list(c->db, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    const struct class_sum *sums = class_sums(app_tally(c->app), c->arena, &n_sums);
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct class_sum *s = class_sum_find(sums, n_sums, list[i].id);
        json_t *item = data_class(c->arena, &list[i]);
        static const struct class_sum none = {0};
        s = s ? s : &none;
        json_object_set_new(item, "candidates",
                            data_pooled(c->arena, (int64_t)s->selected[CELL_CANDIDATE],
                                        (int64_t)s->shown[CELL_CANDIDATE]));
        json_object_set_new(item, "originals",
                            data_pooled(c->arena, (int64_t)s->selected[CELL_POSITIVE],
                                        (int64_t)s->shown[CELL_POSITIVE]));
        json_array_append_new(items, item);
    }
    return reply_list(c, items, 0);
}

/* GET /api/v1/classes/:wnid/frequencies */
enum err_code api_class_frequencies(struct ctx *c)
{
    struct class_info k;
    int64_t after, limit;
    if (read_cursor(c, &after, &limit) != OK ||
        classes_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    size_t n;
    struct tally_pair *pairs = class_pairs(app_tally(c->app), k.id, c->arena, &n);
    size_t from = (size_t)after < n ? (size_t)after : n;
    size_t to = n - from > (size_t)limit ? from + (size_t)limit : n;
    json_t *items = json_array();
    for (size_t i = from; i < to; i++) {
        struct image_row image;
        if (images_names(c->db, (int64_t[]){pairs[i].image}, 1, c->arena, &image, &c->err) != OK) {
            json_decref(items);
            return c->err.code;
        }
        json_t *item = data_frequency(c->arena, pairs[i].selected, pairs[i].shown);
        json_object_set_new(item, "image", data_text(image.name));
        json_object_set_new(item, "role", data_text(image.role));
        json_object_set_new(item, "view", json_string("default"));
        json_array_append_new(items, item);
    }
    return reply_list(c, items, to < n ? (int64_t)to : 0);
}

/* GET /api/v1/images */
enum err_code api_images(struct ctx *c)
{
    int64_t after, limit;
    struct image_row *list;
    size_t n;
    if (read_cursor(c, &after, &limit) != OK ||
        images_page(c->db, after, (size_t)limit, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(
            items, json_pack("{s:I, s:o, s:o, s:I, s:b, s:o, s:o}", "id", (json_int_t)list[i].id,
                             "image", data_text(list[i].name), "role", data_text(list[i].role),
                             "class", (json_int_t)list[i].class_id, "pixels", list[i].source != 0,
                             "source_id", data_text(list[i].source_id), "taken_at",
                             data_text(list[i].taken_at)));
    }
    return reply_list(c, items, n == (size_t)limit ? list[n - 1].id : 0);
}
