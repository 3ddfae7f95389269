/* images.h - SQL for the images of a set revision as lists show them, and for the revisions that an image is in. */
#ifndef STORE_SETS_IMAGES_H
#define STORE_SETS_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct set_image {
    int64_t position, image, class_id;
    struct sv name, role, wnid, synset; /* class: its label in this set; synset joined by "|" */
    bool has_pixels;
};
/* Of a revision's list: from `from` on in order of position, at most `most`; class_id 0: of all classes. */
enum err_code set_images_list(struct db *db, int64_t list_id, int64_t class_id, int64_t from, size_t most,
                              struct arena *a, struct set_image **out, size_t *n, struct err *err);
/* How many classes have images in a list. */
enum err_code set_images_classes(struct db *db, int64_t list_id, int64_t *out, struct err *err);
/* Ids of the revisions that have the image, by id. */
enum err_code set_images_revisions(struct db *db, int64_t image, struct arena *a, int64_t **out, size_t *n,
                                   struct err *err);

#endif
