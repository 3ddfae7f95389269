/* facts.h - SQL for what lists sort and filter images by, for many images at once, and for what one
 * image's page says of it. */
#ifndef STORE_IMAGES_FACTS_H
#define STORE_IMAGES_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "store/images/images.h"

struct image_facts_row { /* texts are borrowed for the call */
    int64_t id, class_id;
    struct sv name, role, taken_at;  /* name: empty where every image is asked for */
    bool measured, gray; /* what follows and `gray` are known */
    double sharpness, brightness, saturation;
};
typedef enum err_code (*image_facts_fn)(void *arg, const struct image_facts_row *r,
                                        struct err *err);
/* Every image, by id. */
enum err_code image_facts_each(struct db *db, image_facts_fn each, void *arg, struct err *err);
/* Those collected for a class, by id. */
enum err_code image_facts_of_class(struct db *db, int64_t class_id, image_facts_fn each, void *arg,
                                   struct err *err);
/* Those with ids from `first` to `last`, by id. */
enum err_code image_facts_between(struct db *db, int64_t first, int64_t last, image_facts_fn each,
                                  void *arg, struct err *err);
/* One; nothing is called when it is not there. */
enum err_code image_facts_of(struct db *db, int64_t image, image_facts_fn each, void *arg,
                             struct err *err);
/* Every image, by name. */
enum err_code image_facts_by_name(struct db *db,
                                  enum err_code (*each)(void *arg, int64_t id, struct err *err),
                                  void *arg, struct err *err);
/* The newest image, 0 when there is none: ids only grow. */
enum err_code image_facts_newest(struct db *db, int64_t *out, struct err *err);
/* How many images were collected for a class. */
enum err_code image_facts_count(struct db *db, int64_t class_id, int64_t *out, struct err *err);

struct image_grid {          /* a cell in which an image stands */
    int64_t grid;
    unsigned position;
    int role;                /* enum cell_role */
    bool excluded;
    struct sv name, campaign, wnid, synset;
};
/* By grid; the first `most`. */
enum err_code image_facts_grids(struct db *db, int64_t image, size_t most, struct arena *a,
                                struct image_grid **out, size_t *n, struct err *err);

/* The classes that the image was asked for, by id. */
enum err_code image_facts_classes(struct db *db, int64_t image, struct arena *a, int64_t **out,
                                  size_t *n, struct err *err);

struct image_decided {       /* what a lead decided about an image */
    int64_t id, at;
    struct sv decision, reason, login; /* login: empty when it is not known (any more) */
};
/* Newest first. */
enum err_code image_facts_decisions(struct db *db, int64_t image, struct arena *a,
                                    struct image_decided **out, size_t *n, struct err *err);

/* The bytes behind an image; *found false when only the name is known. Texts in the arena. */
enum err_code image_facts_source(struct db *db, int64_t image, struct arena *a,
                                 struct source_row *out, bool *found, struct err *err);
/* Other images of the same bytes, by id; the first 20. */
enum err_code image_facts_twins(struct db *db, int64_t image, struct arena *a, int64_t **out,
                                size_t *n, struct err *err);

#endif
