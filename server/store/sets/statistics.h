/* statistics.h - SQL for what is known of images without looking at what they show: statistics of
 * the picture, size, bytes, date. Of a revision, or of all originals. */
#ifndef STORE_SETS_STATISTICS_H
#define STORE_SETS_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct set_statistics_row {
    int64_t image, class_id;
    struct sv taken_at;         /* borrowed for the call; empty where not known */
    bool has_source, measured;  /* size and bytes are known; and what the picture looks like */
    bool gray;
    double sharpness, brightness, saturation;
    int64_t width, height, bytes;
};
typedef enum err_code (*set_statistics_fn)(void *arg, const struct set_statistics_row *r, struct err *err);
/* Every image of a revision's list. */
enum err_code set_statistics_of_list(struct db *db, int64_t list, set_statistics_fn each, void *arg,
                                     struct err *err);
/* Every original of the project, under its own class. */
enum err_code set_statistics_of_originals(struct db *db, set_statistics_fn each, void *arg, struct err *err);

#endif
