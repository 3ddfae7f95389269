/* image_list.h - lists of images with sorts, filters and pages: what the address asks for, the page of
 * it that is due, the addresses of its neighbours. One class's or all images; pages and API alike.
 *
 * Votes that arrive do not move the list: its links carry the last event that it counted (as_of)
 * and its newest image (images). Slow steps only. */
#ifndef WEB_GALLERY_IMAGE_LIST_H
#define WEB_GALLERY_IMAGE_LIST_H

#include "live/images/listing.h"
#include "sets/pool/class_facts.h"
#include "web/core/app.h"

enum { IMAGE_LIST_PAGE = 100 };
enum image_state { STATE_ANY, STATE_FLAGGED, STATE_HIDDEN };
enum image_mark { MARK_ANY, MARK_WITHOUT, MARK_ONLY };

struct image_query {
    const struct image_query *usual;
    struct listing_ask ask;      /* the filters and the order */
    unsigned bins;               /* bits of words_bin */
    bool targets;                /* the bins are those of which a sample takes images */
    enum image_state state;
    enum image_mark blacklist, near;
    int64_t answers;             /* at least */
    struct sv view, from, to;    /* the vote view; dates as they were written */
    int cards;                   /* 1: pictures instead of a table */
    int64_t as_of, images;       /* 0: the newest */
    int64_t page, skip;          /* page from 1; with skip >= 0 rows are left out instead */
};
/* What a list shows when its address does not say. */
extern const struct image_query image_usual_all;     /* all images, by id */
extern const struct image_query image_usual_class;   /* a class's, by frequency */
extern const struct image_query image_usual_browser; /* candidates that sampling may take, as pictures */

/* From the address. ERR_INPUT (rule "list") names the parameter and what it may be. */
enum err_code image_query_read(struct ctx *c, const struct image_query *usual, struct image_query *out);

struct image_list {
    const struct catalogue *catalogue; /* of the rows' `at` */
    struct listing listing;
    int64_t as_of, images;       /* what the list counts */
    int64_t page, pages;
    bool newer;                  /* votes or images came since */
    bool fixed;                  /* the view ends at an event of its own: votes change nothing */
    struct catalogue own;        /* of a class */
    bool shared;
    struct class_facts facts;    /* of a class: blacklist and near-duplicates as they are now, whatever as_of */
    struct class_bins bins;
};
/* `class_id` 0: of all images. A page beyond the last is the last. `most` rows a page; give the list
 * back with image_list_put whatever came out. */
enum err_code image_list_make(struct ctx *c, const struct image_query *q, int64_t class_id,
                              size_t most, struct image_list *out);
void image_list_put(struct image_list *l);

/* The address of a list as asked, without its moment: what a person would keep. */
const char *image_query_url(struct ctx *c, const char *path, const struct image_query *q);
/* The address of one of its pages: as of the same moment. */
const char *image_list_url(struct ctx *c, const char *path, const struct image_query *q,
                           const struct image_list *l, int64_t page);

/* [{name, value}]: the address but for its view and its moment, which a form that asks for another view
 * carries along. New reference. */
json_t *image_query_keep(struct ctx *c);
/* What templates/images/list shows. New reference; NULL with c->err set. */
json_t *image_list_json(struct ctx *c, const char *path, const struct image_query *q,
                        int64_t class_id, const struct image_list *l);
/* An images_record for scripts; `limit` rows a page. New reference; NULL
 * with c->err set. */
json_t *image_list_items(struct ctx *c, const char *path, const struct image_query *q,
                         size_t limit, const struct image_list *l);

#endif
