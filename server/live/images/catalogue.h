/* catalogue.h - what lists sort and filter images by, in memory: every image of the project (28
 * bytes each), or those of one class. Made from the database once and never changed after; whoever
 * keeps one makes a new one when images came. Knows SQL only through store/. */
#ifndef LIVE_IMAGES_CATALOGUE_H
#define LIVE_IMAGES_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"
#include "domain/images/image_role.h"

#define CATALOGUE_UNKNOWN UINT32_MAX

struct catalogue_image {
    uint32_t image, class_id;  /* database ids */
    uint32_t minute;           /* when it was taken (catalogue_minute), or CATALOGUE_UNKNOWN */
    uint32_t rank;             /* place among the catalogue's names */
    float sharpness;           /* below 0: nothing was measured */
    uint16_t brightness, saturation; /* of 65535 */
    uint8_t role;              /* enum image_role */
    uint8_t gray;
};
struct catalogue {
    struct catalogue_image *images; /* by id */
    size_t n, cap;
    uint32_t first;
    bool gapless;                   /* ids are first, first + 1, ... */
};

/* All images; about 0.7 s for a million. Release it also after a failure. */
enum err_code catalogue_load(struct db *db, struct catalogue *out, struct err *err);
/* The images of a class and the further ones, in any order; `more` ids may be among them. */
enum err_code catalogue_load_class(struct db *db, int64_t class_id, const uint32_t *more,
                                   size_t n_more, struct catalogue *out, struct err *err);
/* Those with ids from `first` to `last`, without ranks of names. */
enum err_code catalogue_load_between(struct db *db, int64_t first, int64_t last,
                                     struct catalogue *out, struct err *err);
void catalogue_release(struct catalogue *c);
/* Index of an image, CATALOGUE_UNKNOWN when it is not in it. Looked up for a million at once: without
 * gaps no memory is read. */
uint32_t catalogue_search(const struct catalogue *c, uint32_t image);
static inline uint32_t catalogue_find(const struct catalogue *c, uint32_t image)
{
    return !c->gapless                                   ? catalogue_search(c, image)
           : image >= c->first && image - c->first < c->n ? image - c->first
                                                          : CATALOGUE_UNKNOWN;
}

/* Minutes since the year 0 of "2013-05-11 10:12:13", "2013-05-11T10:12", "2013:05:11", "2013-05" or
 * "2013", months of 31 days: for comparing only. CATALOGUE_UNKNOWN for anything else. */
uint32_t catalogue_minute(struct sv taken_at);

#endif
