/* diff.c - what differs between two revisions, class by class, as a page and as JSON.
 * Rows in routes.c; templates/sets/diff. */
#include "json/object.h"
#include "sets/revisions/history.h"
#include "store/images/images.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/set_data.h"
#include "web/sets/revision_data.h"

enum { CLASSES_A_PAGE = 25, CLASSES_MOST = 200 };

struct two {
    struct revision_row a, b;
    struct set_diff diff;
    int64_t from; /* of the changed classes, from 0 */
};

/* ---- asking ---- */

/* "NUMBER" is one of the address's set. */
static enum err_code find_side(struct ctx *c, struct sv name, struct revision_row *out)
{
    struct sv set = c->req->params[0];
    int64_t number;
    if (sv_i64(name, &number)) {
        name = sv_of(arena_printf(c->arena, SV_FMT "/" SV_FMT, SV_ARG(set), SV_ARG(name)));
    }
    return revisions_find(c->db, name, c->arena, out, &c->err);
}

/* Without b it is the newest of the set, without a the one that b was made from. */
static enum err_code find_sides(struct ctx *c, struct two *t)
{
    struct sv a = sv_trim(request_query(c->req, "a")), b = sv_trim(request_query(c->req, "b"));
    enum err_code rc = find_side(c, b.n ? b : c->req->params[0], &t->b);
    if (rc == OK && !a.n) {
        t->a = t->b;
        return t->b.parent ? revisions_get(c->db, t->b.parent, c->arena, &t->a, &c->err) : OK;
    }
    return rc == OK ? find_side(c, a, &t->a) : rc;
}

static enum err_code read_two(struct ctx *c, struct two *t)
{
    *t = (struct two){.from = 0};
    return list_from(c, &t->from) == OK && find_sides(c, t) == OK
               ? set_diff_make(c->db, &t->a, &t->b, &t->diff, &c->err)
                                  : c->err.code;
}

/* ---- classes ---- */

/* Why removed image `i` went; empty where no reasons are on record. */
static const char *reason_of(const struct two *t, size_t i)
{
    return t->diff.n_recorded ? revision_removed_label(t->diff.reasons[i]) : "";
}

static json_t *image_json(struct ctx *c, uint32_t id, const char *reason)
{
    struct image_row image;
    if (images_get(c->db, id, c->arena, &image, &c->err) != OK) {
        return NULL;
    }
    const char *url = arena_printf(c->arena, "/images/%u", (unsigned)id);
    const char *thumb = arena_printf(c->arena, "%s/grid", url);
    return object(field_sv("name", image.name), field_text("url", url),
                  field_text("thumb_url", image.source ? thumb : NULL),
                  field_text("reason", reason), field_bool("hidden", app_image_hidden(c->app, id)));
}

/* First of a class's members; they come by class and image. */
static size_t first_of(const struct revision_member *m, size_t n, uint32_t class_index)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (m[mid].class_index < class_index) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* NULL with c->err set. */
static json_t *side_json(struct ctx *c, const struct two *t, uint32_t class_index, bool removed)
{
    const struct revision_diff *d = &t->diff.diff;
    const struct revision_member *m = removed ? d->removed : d->added;
    size_t n = removed ? d->n_removed : d->n_added;
    json_t *rows = json_array();
    for (size_t i = first_of(m, n, class_index); i < n && m[i].class_index == class_index; i++) {
        json_t *row = image_json(c, m[i].image, removed ? reason_of(t, i) : "");
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *class_json(struct ctx *c, const struct two *t, uint32_t class_index)
{
    const struct class_info *k = &t->diff.classes[class_index];
    json_t *removed = side_json(c, t, class_index, true);
    json_t *added = removed ? side_json(c, t, class_index, false) : NULL;
    if (!added) {
        json_decref(removed);
        return NULL;
    }
    return object(field_sv("wnid", k->wnid),
                  field_text("synset", data_synset(c->arena, k->synset, ", ")),
                  field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid))),
                  field_json("removed", removed), field_json("added", added),
                  field_bool("any_removed", json_array_size(removed) > 0),
                  field_bool("any_added", json_array_size(added) > 0));
}

static json_t *classes_json(struct ctx *c, const struct two *t, size_t most)
{
    const struct revision_diff *d = &t->diff.diff;
    json_t *rows = json_array();
    for (size_t i = (size_t)t->from; i < d->n_changed && i < (size_t)t->from + most; i++) {
        json_t *row = class_json(c, t, d->changed[i]);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- the page ---- */

static const char *diff_url(struct ctx *c, const struct two *t)
{
    return arena_printf(c->arena, "/sets/" SV_FMT "/diff?a=%s&b=%s", SV_ARG(c->req->params[0]),
                        set_title(c->arena, &t->a), set_title(c->arena, &t->b));
}

/* NULL with c->err set. */
static json_t *options_json(struct ctx *c, int64_t current)
{
    struct revision_row *list;
    size_t n;
    if (revisions_list(c->db, 0, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_text("value", set_title(c->arena, &list[i])),
                   field_bool("current", list[i].id == current));
    }
    return rows;
}

static json_t *brief(struct ctx *c, const struct revision_row *r)
{
    return object(field_text("name", set_title(c->arena, r)),
                  field_text("url", set_url(c->arena, r)),
                  field_text("images_text", data_count(c->arena, r->images)));
}

/* NULL with c->err set. */
static json_t *page_json(struct ctx *c, const struct two *t)
{
    const struct revision_diff *d = &t->diff.diff;
    json_t *a = options_json(c, t->a.id), *b = a ? options_json(c, t->b.id) : NULL;
    json_t *classes = b ? classes_json(c, t, CLASSES_A_PAGE) : NULL;
    if (!classes) {
        json_decref(a);
        json_decref(b);
        return NULL;
    }
    json_t *tiles = json_array();
    data_tile(tiles, "Removed", data_count(c->arena, (int64_t)d->n_removed), "images");
    data_tile(tiles, "Added", data_count(c->arena, (int64_t)d->n_added), "images");
    data_tile(tiles, "Changed classes", data_count(c->arena, (int64_t)d->n_changed),
              arena_printf(c->arena, "of %s", data_count(c->arena, t->diff.n_classes)));
    return object(field_text("action", arena_printf(c->arena, "/sets/" SV_FMT "/diff",
                                                    SV_ARG(c->req->params[0]))),
                  field_text("set", arena_cstr(c->arena, c->req->params[0])),
                  field_json("a", brief(c, &t->a)), field_json("b", brief(c, &t->b)),
                  field_json("a_options", a), field_json("b_options", b),
                  field_json("tiles", tiles), field_json("classes", classes),
                  field_bool("any", d->n_changed > 0), 
                  field_json("pages", list_parts(c, "Changed classes", t->from, (int64_t)d->n_changed,
                                                 CLASSES_A_PAGE, diff_url(c, t), "")),
                  field_text("pages_label", "Pages of changed classes"));
}

/* GET /sets/:set/diff?a=&b=&from= */
enum err_code page_revision_diff(struct ctx *c)
{
    struct two t;
    json_t *page = read_two(c, &t) == OK ? page_json(c, &t) : NULL;
    set_diff_free(&t.diff);
    return page ? reply_page(c, 200, "sets/diff",
                             arena_printf(c->arena, "%s against %s", set_title(c->arena, &t.b),
                                          set_title(c->arena, &t.a)),
                             page)
                : c->err.code;
}

/* NULL with c->err set. */
static json_t *diff_json(struct ctx *c, const struct two *t)
{
    const struct revision_diff *d = &t->diff.diff;
    json_t *classes = classes_json(c, t, CLASSES_MOST);
    int64_t end = t->from + CLASSES_MOST;
    return classes ? object(field_json("a", brief(c, &t->a)), field_json("b", brief(c, &t->b)),
                            field_count("removed", d->n_removed), field_count("added", d->n_added),
                            field_count("changed", d->n_changed),
                            field_json("next", end < (int64_t)d->n_changed ? json_integer(end)
                                                                           : json_null()),
                            field_json("items", classes))
                   : NULL;
}

/* GET /api/v1/sets/:set/diff?a=&b=&from= */
enum err_code api_revision_diff(struct ctx *c)
{
    struct two t;
    json_t *body = read_two(c, &t) == OK ? diff_json(c, &t) : NULL;
    set_diff_free(&t.diff);
    return body ? reply_json(c, 200, body) : c->err.code;
}
