/* feature_only.h - SQL for reference and training images that came without pixels, as a model's features: which models have
 * some of them, since which event. The features themselves are in store/models/features.h's files. */
#ifndef STORE_DUPLICATES_FEATURE_ONLY_H
#define STORE_DUPLICATES_FEATURE_ONLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* Inside the caller's transaction, which has made the event; one that is there already stays as it is. */
enum err_code feature_only_put(struct db *db, int64_t model, int64_t image, int64_t event, struct err *err);
/* The images that came with features of the model of this name, as of an event (0: now), ascending, in the arena: also those
 * that were given pixels later. */
enum err_code feature_only_list(struct db *db, const char *model, int64_t as_of, struct arena *a, uint32_t **out, size_t *n,
                                struct err *err);
/* Whether the image came with features of any model. */
enum err_code feature_only_has(struct db *db, int64_t image, bool *out, struct err *err);

#endif
