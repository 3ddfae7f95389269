/* class_reviews.h - SQL for the final review of a revision: which classes are reviewed, which are
 * problematic, who decided that and when, what was carried over from the parent. */
#ifndef STORE_REVIEW_CLASS_REVIEWS_H
#define STORE_REVIEW_CLASS_REVIEWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct class_review_row {
    int64_t class_id, event, at, account; /* account 0: an import, or carried over */
    bool reviewed, problematic, carried;
};
/* The newest of every class of a revision that has one, by class id; as of an event (0: now). */
enum err_code class_reviews_list(struct db *db, int64_t revision, int64_t as_of, struct arena *a,
                                 struct class_review_row **out, size_t *n, struct err *err);
/* What holds for one class; event 0 when nobody said anything: neither reviewed nor problematic. */
enum err_code class_reviews_of(struct db *db, int64_t revision, int64_t class_id, struct class_review_row *out,
                               struct err *err);
/* Inside the caller's transaction, which has made the event; what holds already is not written. */
enum err_code class_reviews_put(struct db *db, int64_t revision, int64_t class_id, int64_t event, bool reviewed,
                                bool problematic, bool carried, bool *added, struct err *err);
/* How many classes are reviewed and problematic in each revision, by revision; for lists. */
struct review_count {
    int64_t revision, reviewed, problematic, carried;
};
enum err_code class_reviews_count(struct db *db, struct arena *a, struct review_count **out, size_t *n,
                                  struct err *err);

#endif
