/* api.c - classes, frequencies and images for scripts, with the sorts and filters of the
 * pages. Lists go by cursor ("after") and "limit"; as_of and images of a reply, sent along, keep the
 * order while votes arrive: next_url has them all. Every page costs the same wherever it lies. */
#include "domain/grid.h"
#include "json/object.h"
#include "web/classes/list.h"
#include "web/core/lists.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/image_list.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

/* ---- classes ---- */

static json_t *bins_json(const uint32_t h[HISTOGRAM_BINS])
{
    json_t *list = json_array();
    for (int i = 0; i < HISTOGRAM_BINS; i++) {
        json_array_append_new(list, json_integer(h[i]));
    }
    return list;
}

static json_t *frequency_json(struct arena *a, const struct class_numbers *n, enum cell_role role)
{
    int64_t k = (int64_t)n->s.selected[role], shown = (int64_t)n->s.shown[role];
    return n->has_ci && shown ? data_clustered(a, k, shown, n->s.ci[role]) : data_pooled(a, k, shown);
}

/* Of originals' frequency minus candidates': {value, lo, hi}, bounds null where the list has no intervals. */
static json_t *difference_json(const struct class_numbers *n)
{
    double d;
    if (!class_difference(&n->s, &d)) {
        return json_null();
    }
    return object(field_real("value", d),
                  field_json("lo", n->has_ci ? json_real(n->s.difference.lo) : json_null()),
                  field_json("hi", n->has_ci ? json_real(n->s.difference.hi) : json_null()));
}

static json_t *class_json(struct ctx *c, const struct class_line *l, int64_t coverage)
{
    const struct stats_class *s = &l->now.s;
    json_t *item = data_class(c->arena, l->info);
    json_object_set_new(item, "images", json_integer(l->images));
    json_object_set_new(item, "answers",
                        json_integer((json_int_t)(s->shown[0] + s->shown[1] + s->shown[2] +
                                                  s->shown[3])));
    json_object_set_new(item, "candidates", frequency_json(c->arena, &l->now, CELL_CANDIDATE));
    json_object_set_new(item, "originals", frequency_json(c->arena, &l->now, CELL_POSITIVE));
    json_object_set_new(item, "gold_right", frequency_json(c->arena, &l->now, CELL_GOLD));
    json_object_set_new(item, "difference", difference_json(&l->now));
    json_object_set_new(item, "coverage",
                        object(field_int("covered", s->covered), field_int("target", coverage)));
    json_object_set_new(item, "histogram",
                        object(field_json("originals", bins_json(s->originals)),
                               field_json("candidates", bins_json(s->candidates)),
                               field_json("target", bins_json(l->target))));
    return item;
}

/* GET /api/v1/classes: q, sort, order, only, view, as_of, after, limit */
enum err_code api_classes(struct ctx *c)
{
    struct class_query q;
    struct class_list l;
    struct cursor at;
    if (class_query_read(c, &q) != OK ||
        cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK) {
        return c->err.code;
    }
    q.skip = at.from;
    if (class_list_make(c, &q, at.limit, &l) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_array_append_new(items, class_json(c, &l.lines[i], l.coverage));
    }
    int64_t end = q.skip + (int64_t)l.n;
    bool more = l.n && (size_t)end < l.total;
    const char *next = arena_printf(c->arena, "%s&after=%lld&limit=%zu",
                                    class_list_url(c, "/api/v1/classes", &q, &l, 1),
                                    (long long)end, at.limit);
    return reply_json(c, 200,
                      object(field_json("items", items), field_count("total", l.total),
                             field_json("next", more ? json_integer(end) : json_null()),
                             field_int("as_of", l.as_of),
                             field_text("next_url", more ? next : NULL)));
}

/* ---- images ---- */

static enum err_code reply_images(struct ctx *c, const char *path, int64_t class_id,
                                  const struct image_query *usual)
{
    struct image_query q;
    struct image_list l = {0};
    struct cursor at;
    json_t *items = NULL;
    if (image_query_read(c, usual, &q) != OK ||
        cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK) {
        return c->err.code;
    }
    q.skip = at.from;
    if (image_list_make(c, &q, class_id, at.limit, &l) == OK) {
        items = image_list_items(c, path, &q, at.limit, &l);
    }
    image_list_put(&l);
    return items ? reply_json(c, 200, items) : c->err.code;
}

/* GET /api/v1/classes/:wnid/frequencies: what image_list.h knows, after, limit */
enum err_code api_class_frequencies(struct ctx *c)
{
    struct class_info k;
    if (classes_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    return reply_images(c,
                        arena_printf(c->arena, "/api/v1/classes/" SV_FMT "/frequencies",
                                     SV_ARG(k.wnid)),
                        k.id, &image_usual_class);
}

/* GET /api/v1/images: what image_list.h knows, after, limit */
enum err_code api_images(struct ctx *c)
{
    return reply_images(c, "/api/v1/images", 0, &image_usual_all);
}
