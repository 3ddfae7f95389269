/* originals.h - SQL for images and their originals: which bytes, and where they are. */
#ifndef STORE_IMAGES_ORIGINALS_H
#define STORE_IMAGES_ORIGINALS_H

#include "store/images/images.h"

struct original_row {        /* texts are borrowed for the call */
    int64_t image, class_id, source, bytes; /* source 0: known by name only, and nothing follows */
    struct sv name, role, type; /* type: "jpeg" or "png", as the file began when it came in */
    struct sv sha256;        /* IMAGE_SHA bytes */
    struct sv reference;     /* absolute path of bytes that are only referenced; empty: the project has them */
};
/* Every image, by id. */
enum err_code originals_each(struct db *db,
                             enum err_code (*each)(void *arg, const struct original_row *r, struct err *err),
                             void *arg, struct err *err);

#endif
