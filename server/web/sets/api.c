/* api.c - sets, revisions and their images for scripts. Rows in routes.c. */
#include "json/object.h"
#include "store/sets/images.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/parts/bias_data.h"
#include "web/parts/set_averages.h"
#include "web/parts/set_data.h"

enum { LIMIT_DEFAULT = 100, LIMIT_MOST = 1000 };

static json_t *revisions_of(struct ctx *c, const struct revision_row *all, size_t n, int64_t set)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        if (all[i].image_set == set) {
            json_t *one = set_data_revision(c, &all[i]);
            if (!one) {
                json_decref(list);
                return NULL;
            }
            json_array_append_new(list, one);
        }
    }
    return list;
}

/* GET /api/v1/sets */
enum err_code api_sets(struct ctx *c)
{
    struct set_row *sets;
    struct revision_row *revisions;
    size_t n, n_revisions;
    if (sets_list(c->db, c->arena, &sets, &n, &c->err) != OK ||
        revisions_list(c->db, 0, c->arena, &revisions, &n_revisions, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *list = revisions_of(c, revisions, n_revisions, sets[i].id);
        if (!list) {
            json_decref(items);
            return c->err.code;
        }
        object_add(items, field_sv("name", sets[i].name), field_sv("role", sets[i].role),
                   field_text("url", arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(sets[i].name))),
                   field_json("revisions", list));
    }
    return reply_json(c, 200, object(field_json("items", items), field_count("total", n)));
}

#define OF(member) RECORD_OF(struct set_image, member)
static const struct record_field image_fields[] = {
    {"position", OF(position), .about = "Place in the revision's order, from 0."},
    {"id", OF(image), .about = "The image's number."},
    {"image", OF(name), .about = "The image's name."},
    {"wnid", OF(wnid), .about = "The class that it has in the set."},
    {"role", OF(role), .about = "The image's role."},
    {0},
};
#undef OF
const struct record set_image_record = {"set_image", "An image of a revision.", image_fields, sizeof(struct set_image), false};

static json_t *items_json(const struct set_image *images, size_t n)
{
    json_t *items = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(items, record_json(&set_image_record, &images[i]));
    }
    return items;
}

/* GET /api/v1/sets/:set/:revision?after=&limit= */
enum err_code api_revision(struct ctx *c)
{
    struct revision_row r;
    struct set_image *images;
    size_t n;
    struct cursor at;
    if (cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK || set_asked(c, &r) != OK ||
        set_images_list(c->db, r.list, 0, at.from, at.limit + 1, c->arena, &images, &n, &c->err) != OK) {
        return c->err.code;
    }
    bool more = n > at.limit;
    n -= more;
    json_t *body = set_data_revision(c, &r);
    if (!body) {
        return c->err.code;
    }
    int64_t next = n ? images[n - 1].position + 1 : 0;
    const char *url = arena_printf(c->arena, "/api/v1%s?after=%lld&limit=%zu", set_url(c->arena, &r),
                                   (long long)next, at.limit);
    json_object_set_new(body, "items", items_json(images, n));
    json_object_set_new(body, "total", json_integer(r.images));
    json_object_set_new(body, "next", more ? json_integer(next) : json_null());
    json_object_set_new(body, "next_url", more ? json_string(url) : json_null());
    return reply_json(c, 200, body);
}

/* The leading figure; null for originals, and where there is none to show without much work. */
static json_t *bias_json(struct ctx *c, const struct revision_row *r)
{
    struct bias_leading l;
    if (sv_is(r->role, "original") || !bias_at_hand(c, r, true, &l) || !l.estimate.known) {
        return json_null();
    }
    return set_bias_leading_json(&l);
}

/* GET /api/v1/sets/:set/:revision/average */
enum err_code api_revision_average(struct ctx *c)
{
    struct revision_row r;
    struct revision_averages averages;
    if (set_asked(c, &r) != OK || set_averages_get(c, &r, 1, &averages) != OK) {
        return c->err.code;
    }
    json_t *body = set_averages_json(&averages);
    json_object_set_new(body, "revision", json_string(set_title(c->arena, &r)));
    json_object_set_new(body, "bias", bias_json(c, &r));
    return reply_json(c, 200, body);
}
