/* near_space.h - what the distances of a metric are of: kind, size, window, and for features which ones. Distances of one
 * space can be compared and complete each other; a metric that was changed, or whose features were computed again, has
 * another one. */
#ifndef STORE_DUPLICATES_NEAR_SPACE_H
#define STORE_DUPLICATES_NEAR_SPACE_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/review/review_gate.h"

/* As JSON, in the arena, as of an event (0: now). Empty: nothing can be searched by the metric, for it has no model, or
 * the model no features. */
enum err_code near_space(struct db *db, const struct review_metric *m, int64_t as_of, struct arena *a, struct sv *out,
                         struct err *err);
/* The same of searches that compare the originals with each other and with training images: another space, so that nothing
 * that candidates wait for depends on them. */
enum err_code near_space_originals(struct db *db, const struct review_metric *m, struct arena *a, struct sv *out,
                                   struct err *err);

#endif
