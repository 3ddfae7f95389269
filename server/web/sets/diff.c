/* diff.c - what differs between two revisions, class by class, as a page and as JSON.
 * Rows in routes.c; templates/sets/diff. */
#include "json/object.h"
#include "sets/revisions/history.h"
#include "store/images/images.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
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

struct image_face {
    struct sv name;
    const char *url, *thumb_url, *reason;
    bool hidden;
};
#define OF(member) RECORD_OF(struct image_face, member)
static RECORD(image_record, struct image_face, "diff_image", "An image that was removed or added.",
              {"name", OF(name), .about = "Its name."},
              {"url", OF(url), .about = "The address of its page."},
              {"thumb_url", OF(thumb_url), .maybe = true, .about = "The address of a small copy; null: its file is not here."},
              {"reason", OF(reason), .about = "Why it was removed, for people; empty: not on record, or added."},
              {"hidden", OF(hidden), .about = "Whether it is in quarantine or was taken down."});
#undef OF

static json_t *image_json(struct ctx *c, uint32_t id, const char *reason)
{
    struct image_row image;
    if (images_get(c->db, id, c->arena, &image, &c->err) != OK) {
        return NULL;
    }
    const char *url = arena_printf(c->arena, "/images/%u", (unsigned)id);
    const struct image_face face = {image.name, url, image.source ? arena_printf(c->arena, "%s/grid", url) : NULL, reason,
                                    app_image_hidden(c->app, id)};
    return record_json(&image_record, &face);
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

struct class_face {
    struct sv wnid;
    const char *synset, *url;
    json_t *removed, *added;
    bool any_removed, any_added;
};
#define OF(member) RECORD_OF(struct class_face, member)
static RECORD(class_diff_record, struct class_face, "class_diff", "A class that differs between two revisions.",
              {"wnid", OF(wnid), .about = "The class."},
              {"synset", OF(synset), .about = "Its words."},
              {"url", OF(url), .about = "The address of its page."},
              {"removed", OF(removed), RECORD_LIST, .of = &image_record, .about = "Images that only the first revision has."},
              {"added", OF(added), RECORD_LIST, .of = &image_record, .about = "Images that only the second one has."},
              {"any_removed", OF(any_removed), .about = "Whether there are removed ones."},
              {"any_added", OF(any_added), .about = "Whether there are added ones."});
#undef OF

static json_t *class_json(struct ctx *c, const struct two *t, uint32_t class_index)
{
    const struct class_info *k = &t->diff.classes[class_index];
    json_t *removed = side_json(c, t, class_index, true);
    json_t *added = removed ? side_json(c, t, class_index, false) : NULL;
    if (!added) {
        json_decref(removed);
        return NULL;
    }
    const struct class_face face = {k->wnid,
                                    data_synset(c->arena, k->synset, ", "),
                                    arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(k->wnid)),
                                    removed,
                                    added,
                                    json_array_size(removed) > 0,
                                    json_array_size(added) > 0};
    return record_json(&class_diff_record, &face);
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

struct brief {
    const char *name, *url, *images_text;
};
#define OF(member) RECORD_OF(struct brief, member)
static RECORD(brief_record, struct brief, "revision_brief", "A revision in few words.",
              {"name", OF(name), .about = "SET/NUMBER."},
              {"url", OF(url), .about = "The address of its page."},
              {"images_text", OF(images_text), .about = "Images in it, for people."});
#undef OF

static json_t *brief(struct ctx *c, const struct revision_row *r)
{
    const struct brief face = {set_title(c->arena, r), set_url(c->arena, r), data_count(c->arena, r->images)};
    return record_json(&brief_record, &face);
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

struct diff_reply {
    json_t *a, *b, *items;
    size_t removed, added, changed;
    int64_t next;
};
#define OF(member) RECORD_OF(struct diff_reply, member)
RECORD(diff_record, struct diff_reply, "revision_diff", "What differs between two revisions.",
       {"a", OF(a), .of = &brief_record, .about = "The first revision."},
       {"b", OF(b), .of = &brief_record, .about = "The second one."},
       {"removed", OF(removed), .about = "Images that only the first has."},
       {"added", OF(added), .about = "Images that only the second has."},
       {"changed", OF(changed), .about = "Classes that differ."},
       {"next", OF(next), .maybe = true, .about = "What `from` must be for the classes that follow; null: these are the last."},
       {"items", OF(items), RECORD_LIST, .of = &class_diff_record, .about = "Classes that differ, at most 200."});
#undef OF

/* NULL with c->err set. */
static json_t *diff_json(struct ctx *c, const struct two *t)
{
    const struct revision_diff *d = &t->diff.diff;
    json_t *classes = classes_json(c, t, CLASSES_MOST);
    int64_t end = t->from + CLASSES_MOST;
    if (!classes) {
        return NULL;
    }
    const struct diff_reply reply = {brief(c, &t->a), brief(c, &t->b), classes,
                                     d->n_removed,    d->n_added,      d->n_changed,
                                     end < (int64_t)d->n_changed ? end : 0};
    return record_json(&diff_record, &reply);
}

/* GET /api/v1/sets/:set/diff?a=&b=&from= */
enum err_code api_revision_diff(struct ctx *c)
{
    struct two t;
    json_t *body = read_two(c, &t) == OK ? diff_json(c, &t) : NULL;
    set_diff_free(&t.diff);
    return body ? reply_json(c, 200, body) : c->err.code;
}
