/* statistic.h - SQL for one statistic of many images: of those of a list, and which images lie in a range. */
#ifndef STORE_IMAGES_STATISTIC_H
#define STORE_IMAGES_STATISTIC_H

#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum image_statistic {
    STATISTIC_PIXELS,     /* width times height of the stored file */
    STATISTIC_BYTES,      /* its size */
    STATISTIC_SHARPNESS,  /* variance of the Laplacian (image/statistics.h): low is blurred */
    STATISTIC_BRIGHTNESS, /* mean luma, 0 to 1 */
    STATISTIC_SATURATION, /* mean saturation, 0 to 1 */
    IMAGE_STATISTICS
};
/* "pixels", "sharpness", ... */
extern const char *const image_statistic_words[IMAGE_STATISTICS];
/* IMAGE_STATISTICS for anything else. */
enum image_statistic image_statistic_of(struct sv word);

/* Ids, ascending, of the images whose statistic is known and from `lo` to `hi`, both included. */
enum err_code image_statistic_between(struct db *db, enum image_statistic which, double lo, double hi, struct arena *a,
                                      int64_t **out, size_t *n, struct err *err);
struct image_statistic_row {
    int64_t image;
    double value;
};
/* Of the images of a list (of a revision) of which it is known, by id. */
enum err_code image_statistic_of_list(struct db *db, enum image_statistic which, int64_t list, struct arena *a,
                                      struct image_statistic_row **out, size_t *n, struct err *err);

#endif
