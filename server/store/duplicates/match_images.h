/* match_images.h - SQL for images that are compared with each other: those whose bytes are there, with what tells cheaply
 * that two of them cannot have equal pixels, and those of which only features are known. */
#ifndef STORE_DUPLICATES_MATCH_IMAGES_H
#define STORE_DUPLICATES_MATCH_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct match_image {            /* texts are borrowed for the call */
    int64_t image, class_id, source, width, height; /* source 0: no pixels */
    bool original;              /* else a candidate */
    bool training, example;     /* an original that models were trained on, that people are shown as an example */
    bool measured;              /* the two statistics are known */
    double brightness, saturation;
    struct sv name, wnid, keyword;
    struct sv sha256;           /* IMAGE_SHA bytes; without pixels empty */
    struct sv reference;        /* absolute path of bytes that are only referenced; empty: the project has them */
};
/* Originals and candidates; `all`: reference and training images too, as originals. By size, then by brightness (those not
 * measured first), then by source. */
enum err_code match_images_each(struct db *db, bool all,
                                enum err_code (*each)(void *arg, const struct match_image *m, struct err *err),
                                void *arg, struct err *err);
/* Reference and training images without pixels that came with features of a model, as originals, by id: source, size and
 * what is known of the bytes are 0 or empty. */
enum err_code match_images_feature_only(struct db *db,
                                        enum err_code (*each)(void *arg, const struct match_image *m, struct err *err),
                                        void *arg, struct err *err);

#endif
