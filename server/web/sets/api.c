/* api.c - sets, revisions and their images for scripts. Rows in routes.c. */
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

struct set_item {
    struct set_row s;
    const char *url;
    json_t *revisions;
};
#define OF(member) RECORD_OF(struct set_item, member)
static RECORD(set_record, struct set_item, "set", "A test set.",
              {"name", OF(s.name), .about = "Its name."},
              {"role", OF(s.role), .about = "original or new."},
              {"url", OF(url), .about = "The address of its page."},
              {"revisions", OF(revisions), RECORD_LIST, .of = &revision_record, .about = "Its revisions, by number."});
#undef OF

struct set_list {
    json_t *items;
    size_t total;
};
RECORD(sets_record, struct set_list, "sets", "All sets.",
       {"items", RECORD_OF(struct set_list, items), RECORD_LIST, .of = &set_record, .about = "The sets, by name."},
       {"total", RECORD_OF(struct set_list, total), .about = "How many there are."});

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
        const struct set_item item = {sets[i], arena_printf(c->arena, "/sets/" SV_FMT, SV_ARG(sets[i].name)), list};
        json_array_append_new(items, record_json(&set_record, &item));
    }
    return reply_json(c, 200, record_json(&sets_record, &(const struct set_list){items, n}));
}

#define OF(member) RECORD_OF(struct set_image, member)
static RECORD(set_image_record, struct set_image, "set_image", "An image of a revision.",
              {"position", OF(position), .about = "Place in the revision's order, from 0."},
              {"id", OF(image), .about = "The image's number."},
              {"image", OF(name), .about = "The image's name."},
              {"wnid", OF(wnid), .about = "The class that it has in the set."},
              {"role", OF(role), .about = "The image's role."});
#undef OF

struct revision_page {
    json_t *revision;
    const struct set_image *images;
    size_t n;
    int64_t total, next;
    const char *next_url;
};
#define OF(member) RECORD_OF(struct revision_page, member)
RECORD(revision_images_record, struct revision_page, "revision_images", "A revision and part of its images.",
       {NULL, OF(revision), RECORD_BESIDE, .of = &revision_record},
       {"items", RECORD_ROWS(struct revision_page, images, n), .of = &set_image_record,
        .about = "Its images, in its order."},
       {"total", OF(total), .about = "Images in the revision."},
       {"next", OF(next), .maybe = true, .about = "What `after` must be for the images that follow; null: these are the last."},
       {"next_url", OF(next_url), .maybe = true, .about = "Where the images that follow are; null: these are the last."});
#undef OF

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
    struct revision_page page = {.revision = set_data_revision(c, &r), .images = images, .n = n, .total = r.images};
    if (!page.revision) {
        return c->err.code;
    }
    if (n > at.limit) {
        page.n = at.limit;
        page.next = images[at.limit - 1].position + 1;
        page.next_url = arena_printf(c->arena, "/api/v1%s?after=%lld&limit=%zu", set_url(c->arena, &r),
                                     (long long)page.next, at.limit);
    }
    return reply_json(c, 200, record_json(&revision_images_record, &page));
}

/* The leading figure; NULL for originals, and where there is none to show without much work. */
static json_t *bias_json(struct ctx *c, const struct revision_row *r)
{
    struct bias_leading l;
    return sv_is(r->role, "original") || !bias_at_hand(c, r, true, &l) || !l.estimate.known ? NULL
                                                                                             : set_bias_leading_json(&l);
}

struct average_face {
    json_t *averages, *bias;
    const char *revision;
};
#define OF(member) RECORD_OF(struct average_face, member)
RECORD(average_record, struct average_face, "revision_average", "The average frequency of a revision.",
       {NULL, OF(averages), RECORD_BESIDE, .of = &averages_record},
       {"revision", OF(revision), .about = "The revision, SET/NUMBER."},
       {"bias", OF(bias), .maybe = true, .of = &bias_leading_record,
        .about = "How much harder it is than its originals; null: originals, or not known without much work."});
#undef OF

/* GET /api/v1/sets/:set/:revision/average */
enum err_code api_revision_average(struct ctx *c)
{
    struct revision_row r;
    struct revision_averages averages;
    if (set_asked(c, &r) != OK || set_averages_get(c, &r, 1, &averages) != OK) {
        return c->err.code;
    }
    const struct average_face face = {set_averages_json(&averages), bias_json(c, &r), set_title(c->arena, &r)};
    return reply_json(c, 200, record_json(&average_record, &face));
}
