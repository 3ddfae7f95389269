/* page_classes.c - the classes and each class's images by selection frequency, with n and
 * interval, under the default vote view. Both cost the same with a million images. */
#include <string.h>
#include <strings.h>

#include "domain/grid.h"
#include "stats/binomial.h"
#include "store/images.h"
#include "view/escape.h"
#include "web/class_stats.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"

enum { CLASSES_A_PAGE = 100, IMAGES_A_PAGE = 100 };

/* Case-insensitive, in wnid, words or gloss. */
static bool fits(struct arena *a, const struct class_info *k, struct sv query)
{
    return query.n == 0 || sv_eq_nocase(query, arena_cstr(a, k->wnid)) ||
           memmem(k->synset.p, k->synset.n, query.p, query.n) ||
           strcasestr(k->synset.p, arena_cstr(a, query)) ||
           strcasestr(k->gloss.p, arena_cstr(a, query));
}

static json_t *frequency_or_null(struct arena *a, const struct class_sum *s, enum cell_role role)
{
    if (!s || s->shown[role] == 0) {
        return json_null();
    }
    json_t *f = data_pooled(a, (int64_t)s->selected[role], (int64_t)s->shown[role]);
    json_t *text = json_incref(json_object_get(f, "text"));
    json_decref(f);
    return text;
}

static json_t *class_row(struct ctx *c, const struct class_info *k, const struct class_sum *s,
                         const struct class_count *n)
{
    json_t *row = data_class(c->arena, k);
    uint64_t votes = 0;
    int64_t images = 0;
    for (int i = 0; i < 4; i++) {
        votes += s ? s->shown[i] : 0;
        images += n ? n->of_role[i] : 0;
    }
    json_object_set_new(row, "images", json_string(data_count(c->arena, images)));
    json_object_set_new(row, "answers", json_string(data_count(c->arena, (int64_t)votes)));
    json_object_set_new(row, "originals", frequency_or_null(c->arena, s, CELL_POSITIVE));
    json_object_set_new(row, "candidates", frequency_or_null(c->arena, s, CELL_CANDIDATE));
    return row;
}

static const struct class_count *count_of(const struct class_count *counts, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++) { /* a page of 100 classes out of 1,000: cheap enough */
        if (counts[i].class_id == id) {
            return &counts[i];
        }
    }
    return NULL;
}

static const char *query_url(struct ctx *c, const char *path, struct sv query, int64_t after)
{
    struct str s;
    str_init(&s, 4096);
    str_addz(&s, path);
    str_printf(&s, "?after=%lld&q=", (long long)after);
    escape_url(&s, query);
    const char *url = arena_cstr(c->arena, str_sv(&s));
    str_release(&s);
    return url;
}

/* GET /classes?q=&after= */
enum err_code page_classes(struct ctx *c)
{
    struct class_info *list;
    struct class_count *counts;
    size_t n, n_counts, n_sums, found = 0;
    int64_t after = -1, next = -1;
    struct sv query = sv_trim(request_query(c->req, "q"));
    sv_i64(request_query(c->req, "after"), &after);
    if (classes_list(c->db, c->arena, &list, &n, &c->err) != OK ||
        images_by_class(c->db, c->arena, &counts, &n_counts, &c->err) != OK) {
        return c->err.code;
    }
    const struct class_sum *sums = class_sums(app_tally(c->app), c->arena, &n_sums);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        if (!fits(c->arena, &list[i], query)) {
            continue;
        }
        found++;
        if (list[i].cid <= after) {
            continue;
        }
        if (json_array_size(rows) == CLASSES_A_PAGE) {
            next = next < 0 ? list[i - 1].cid : next;
            continue;
        }
        json_array_append_new(rows, class_row(c, &list[i],
                                              class_sum_find(sums, n_sums, list[i].id),
                                              count_of(counts, n_counts, list[i].id)));
    }
    json_t *page = json_pack(
        "{s:o, s:s, s:o, s:o}", "query", data_text(query), "count_text",
        arena_printf(c->arena, "%s class%s", data_count(c->arena, (int64_t)found),
                     found == 1 ? "" : "es"),
        "classes", rows, "next_url",
        next >= 0 ? json_string(query_url(c, "/classes", query, next)) : json_null());
    return reply_page(c, 200, "classes/index", "Classes", page);
}

static json_t *image_row_json(struct ctx *c, const struct image_row *image,
                              const struct tally_pair *p)
{
    json_t *row = json_object();
    json_object_set_new(row, "name", data_text(image->name));
    json_object_set_new(row, "url",
                        image->source ? json_string(arena_printf(c->arena, "/images/%lld/view",
                                                                 (long long)image->id))
                                      : json_null());
    json_object_set_new(row, "thumb_url",
                        image->source ? json_string(arena_printf(c->arena, "/images/%lld/grid",
                                                                 (long long)image->id))
                                      : json_null());
    json_object_set_new(row, "role", data_text(image->role));
    json_object_set_new(row, "selected", json_integer(p->selected));
    json_object_set_new(row, "shown", json_integer(p->shown));
    if (p->shown == 0) {
        json_object_set_new(row, "frequency", json_null());
        json_object_set_new(row, "interval", json_null());
        return row;
    }
    struct interval ci = binomial_clopper_pearson(p->selected, p->shown, 0.05);
    json_object_set_new(row, "frequency",
                        json_string(arena_printf(c->arena, "%.2f",
                                                 (double)p->selected / (double)p->shown)));
    json_object_set_new(row, "interval",
                        json_string(arena_printf(c->arena, "n %u, %.2f\xe2\x80\x93%.2f", p->shown,
                                                 ci.lo, ci.hi)));
    return row;
}

/* Which cells a filter lets through; -1: all. */
static int filter_role(struct sv word)
{
    return sv_is(word, "candidates") ? CELL_CANDIDATE
           : sv_is(word, "originals") ? CELL_POSITIVE
           : sv_is(word, "negatives") ? CELL_NEGATIVE
                                      : -1;
}

static json_t *filters_json(struct ctx *c, struct sv wnid, int role)
{
    static const struct {
        const char *label, *word;
        int role;
    } filters[] = {{"All", "all", -1},
                   {"Candidates", "candidates", CELL_CANDIDATE},
                   {"Originals", "originals", CELL_POSITIVE},
                   {"Of other classes", "negatives", CELL_NEGATIVE}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:b}", "label", filters[i].label, "url",
                            arena_printf(c->arena, "/classes/" SV_FMT "?role=%s", SV_ARG(wnid),
                                         filters[i].word),
                            "current", filters[i].role == role));
    }
    return list;
}

/* Sums of the pairs of one role as a tile. */
static void role_tile(struct ctx *c, json_t *tiles, const char *label,
                      const struct tally_pair *pairs, size_t n, enum cell_role role)
{
    int64_t shown = 0, selected = 0, images = 0;
    for (size_t i = 0; i < n; i++) {
        if (pairs[i].role == (uint32_t)role && pairs[i].shown) {
            shown += pairs[i].shown;
            selected += pairs[i].selected;
            images++;
        }
    }
    const char *value = "\xe2\x80\x93";
    const char *note = "no votes yet";
    if (shown) {
        value = arena_printf(c->arena, "%.2f", (double)selected / (double)shown);
        note = arena_printf(c->arena, "%s votes on %s images", data_count(c->arena, shown),
                            data_count(c->arena, images));
    }
    data_tile(tiles, label, value, note);
}

/* GET /classes/:wnid?role=&after= */
enum err_code page_class(struct ctx *c)
{
    struct class_info k;
    if (classes_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    size_t n, fitting = 0;
    int64_t after = 0;
    int role = filter_role(request_query(c->req, "role"));
    sv_i64(request_query(c->req, "after"), &after);
    struct tally_pair *pairs = class_pairs(app_tally(c->app), k.id, c->arena, &n);
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        if (role >= 0 && pairs[i].role != (uint32_t)role) {
            continue;
        }
        if ((int64_t)fitting++ < after || json_array_size(rows) >= IMAGES_A_PAGE) {
            continue;
        }
        struct image_row image;
        if (images_names(c->db, (int64_t[]){pairs[i].image}, 1, c->arena, &image, &c->err) != OK) {
            json_decref(rows);
            return c->err.code;
        }
        json_array_append_new(rows, image_row_json(c, &image, &pairs[i]));
    }
    int64_t end = after + (int64_t)json_array_size(rows);
    json_t *tiles = json_array();
    role_tile(c, tiles, "Originals selected", pairs, n, CELL_POSITIVE);
    role_tile(c, tiles, "Candidates selected", pairs, n, CELL_CANDIDATE);
    role_tile(c, tiles, "Negative controls selected", pairs, n, CELL_NEGATIVE);
    const char *self = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k.wnid));
    const char *word = role == CELL_CANDIDATE  ? "candidates"
                       : role == CELL_POSITIVE ? "originals"
                       : role == CELL_NEGATIVE ? "negatives"
                                               : "all";
    const char *more = arena_printf(c->arena, "%s?role=%s&after=%lld", self, word, (long long)end);
    const char *here = arena_printf(c->arena, "%s?role=%s&after=%lld", self, word,
                                    (long long)after);
    json_t *page = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "live", data_live("votes", here), "class",
        data_class(c->arena, &k), "tiles", tiles, "filters", filters_json(c, k.wnid, role),
        "images", rows, "count_text",
        arena_printf(c->arena, "%s image%s, default view", data_count(c->arena, (int64_t)fitting),
                     fitting == 1 ? "" : "s"),
        "next_url", (size_t)end < fitting ? json_string(more) : json_null());
    return reply_page(c, 200, "classes/show", data_synset(c->arena, k.synset, ", "), page);
}
