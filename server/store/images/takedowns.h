/* takedowns.h - SQL for images that were taken down but are still in a revision: what is
 * left of them is a tombstone, which says when and why. */
#ifndef STORE_IMAGES_TAKEDOWNS_H
#define STORE_IMAGES_TAKEDOWNS_H

#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct takedown {
    int64_t image, class_id, at;
    struct sv name, wnid, reason;
};
/* Of a revision's list, the latest first, at most `most`; *all counts the others too. Costs what was decided about
 * images, however many the list has. */
enum err_code takedowns_of_list(struct db *db, int64_t list, size_t most, struct arena *a, struct takedown **out,
                                size_t *n, int64_t *all, struct err *err);

#endif
