/* pool_images.h - SQL for what sampling must know of every image: its class, its role, where it came from. */
#ifndef STORE_SETS_POOL_IMAGES_H
#define STORE_SETS_POOL_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct pool_image_row {  /* texts are borrowed for the call */
    int64_t id, class_id;
    int64_t content;     /* equal bytes have equal ones; 0: known by name only */
    struct sv name, role, source_id;
    struct sv author, taken_at, keyword; /* empty unless `all` is asked for */
};
/* Every image up to an id, by id. */
enum err_code pool_images_each(struct db *db, int64_t newest, bool all,
                               enum err_code (*each)(void *arg, const struct pool_image_row *r, struct err *err),
                               void *arg, struct err *err);

/* What was filled in of images after an event (0: nothing is asked for), by image: bits of enum image_field. */
enum err_code pool_images_filled(struct db *db, int64_t as_of,
                                 enum err_code (*each)(void *arg, int64_t image, unsigned fields, struct err *err),
                                 void *arg, struct err *err);

#endif
