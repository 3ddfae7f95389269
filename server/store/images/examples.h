/* examples.h - SQL for reference images that may be shown beside work on an evaluation: none that shows the photo of an image that
 * is or could be evaluated (an original, a candidate, gold): store/core/photos.h says which do. */
#ifndef STORE_IMAGES_EXAMPLES_H
#define STORE_IMAGES_EXAMPLES_H

#include "base/arena.h"
#include "db/db.h"

/* Ids of a class's, by id, at most `most`. In the arena. */
enum err_code examples_of(struct db *db, int64_t class_id, size_t most, struct arena *a, int64_t **out, size_t *n, struct err *err);
/* The one of that name, 0: there is none, or it must not be shown. */
enum err_code examples_named(struct db *db, struct sv name, int64_t *out, struct err *err);
/* Whether the image is one. */
enum err_code examples_has(struct db *db, int64_t image, bool *out, struct err *err);

#endif
