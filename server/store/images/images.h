/* images.h - SQL for images and their files. An image is its name (manifest id); equal
 * bytes under two names share a source. */
#ifndef STORE_IMAGES_IMAGES_H
#define STORE_IMAGES_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/images/image_role.h"

enum { IMAGE_SHA = 32 };

/* Of an image, what sampling looks at and an import may fill in later: bits of image_filled.fields. */
enum image_field {
    IMAGE_SOURCE = 1,
    IMAGE_SOURCE_ID = 2,
    IMAGE_AUTHOR = 4,
    IMAGE_TAKEN_AT = 8,
    IMAGE_KEYWORD = 16
};

struct image_row {
    int64_t id, class_id, source; /* source 0: known by name only */
    int64_t idx;                  /* number in its image list, -1: none */
    struct sv name, role, source_id, source_url, taken_at, author, licence, keyword;
};
/* Whether the row may go in: a name that already exists with another class, role, number or content is
 * ERR_CONFLICT (rule "image-differs"), a number of another image too (rule "image-number").
 * *known: the image already exists. */
enum err_code images_check(struct db *db, const struct image_row *i, bool *known, struct err *err);
/* Inserts unless the name exists. *added says which. One that exists passes images_check and is
 * given what it lacked: content, number, and what is known about where it came from. */
enum err_code images_put(struct db *db, const struct image_row *i, bool *added, struct err *err);
/* At the end of each transaction with images_put: the event "images.import" about the n that were added, or
 * "images.complete" when only others were given something; none when nothing happened. What was filled in counts
 * from this event on. */
enum err_code images_event(struct db *db, uint64_t n, int64_t now, struct err *err);
/* Id by name, 0 when there is none. */
enum err_code images_find(struct db *db, struct sv name, int64_t *out, struct err *err);
/* The same with the number of the class that it was collected for; *cid -1 when there is none. */
enum err_code images_find_cid(struct db *db, struct sv name, int64_t *id, int64_t *cid, struct err *err);
/* Every image, by id; the text is borrowed for the call. */
enum err_code images_each(struct db *db,
                          enum err_code (*each)(void *arg, int64_t id, struct sv name,
                                                struct err *err),
                          void *arg, struct err *err);
/* Every (id, number in its image list). */
enum err_code images_each_idx(struct db *db,
                              enum err_code (*each)(void *arg, int64_t id, int64_t idx,
                                                    struct err *err),
                              void *arg, struct err *err);
enum err_code images_get(struct db *db, int64_t id, struct arena *a, struct image_row *out,
                         struct err *err);

struct source_row {
    int64_t id, bytes, width, height;
    unsigned char sha256[IMAGE_SHA];
    const char *type; /* "jpeg", "png" */
    const char *kept; /* "copy", "reflink", "link", "reference" */
    struct sv path;   /* absolute, of the bytes of a reference; empty otherwise */
    bool measured;    /* what follows is known */
    bool gray;
    double saturation, sharpness, brightness;
};
/* Whether its pictures are there to be shown: not of training images that nothing came near. */
static inline bool source_is_shown(const struct source_row *s)
{
    return s->measured || s->path.n == 0;
}
/* Inserts unless the content exists; s->id is set either way. Content that exists is given the
 * statistics it lacked, and a reference becomes what s says: its bytes were found just now. */
enum err_code sources_put(struct db *db, struct source_row *s, struct err *err);
/* For content that is known to be there: as sources_put, by s->sha256, kept and path alone. */
enum err_code sources_seen(struct db *db, struct source_row *s, struct err *err);
struct image_source {
    int64_t image, source; /* source 0: no pixels */
    unsigned char sha256[IMAGE_SHA];
};
/* The images of a grid's cells, by planned position. */
enum err_code sources_of_grid(struct db *db, int64_t grid, struct image_source *out, unsigned most,
                              unsigned *n, struct err *err);
/* The reference images of a class that have pixels: the first `most` by id. */
enum err_code sources_of_references(struct db *db, int64_t class_id, struct image_source *out,
                                    unsigned most, unsigned *n, struct err *err);
/* Every image whose bytes another with a smaller id has too, and the first of those. */
enum err_code sources_twins(struct db *db,
                            enum err_code (*each)(void *arg, int64_t image, int64_t first,
                                                  struct err *err),
                            void *arg, struct err *err);
/* The content of that image; 0 throughout when there is no such image. */
enum err_code sources_of_image(struct db *db, int64_t image, struct image_source *out,
                               struct err *err);
/* The content of the image of that name; *found false when it is not there or has none. */
enum err_code sources_of_name(struct db *db, struct sv name, unsigned char sha256[IMAGE_SHA],
                              bool *found, struct err *err);
/* Every source, in order of its hash; texts are borrowed for the call. */
enum err_code sources_each(struct db *db,
                           enum err_code (*each)(void *arg, const struct source_row *s,
                                                 struct err *err),
                           void *arg, struct err *err);
/* The size of any one source; both 0 when there is none. */
enum err_code sources_any_size(struct db *db, int64_t *width, int64_t *height, struct err *err);
enum err_code sources_orphans(struct db *db, int64_t *out, struct err *err); /* no image has it */

/* Ids of a class's images with a role, by id. */
enum err_code images_of_class(struct db *db, int64_t class_id, const char *role, struct arena *a,
                              int64_t **out, size_t *n, struct err *err);
enum err_code images_count(struct db *db, int64_t *out, struct err *err);
/* How many originals have pixels. */
enum err_code images_originals_count(struct db *db, int64_t *out, struct err *err);
/* How many images a class has per role. */
struct class_count {
    int64_t class_id, of_role[IMAGE_ROLES];
};
enum err_code images_by_class(struct db *db, struct arena *a, struct class_count **out, size_t *n,
                              struct err *err);
/* Kept counts that a recount contradicts, either way: 0 unless something is wrong. */
enum err_code images_miscounted(struct db *db, int64_t *out, struct err *err);
/* Names for ids, in the same order (empty for an unknown id). */
enum err_code images_names(struct db *db, const int64_t *ids, size_t n, struct arena *a,
                           struct image_row *out, struct err *err);

#endif
