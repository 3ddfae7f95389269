/* shown.h - SQL for who asked to see frequencies in the final review of a class. Until then they
 * are hidden, and so is which images are new: a reviewer who sees them blacklists by them. */
#ifndef STORE_REVIEW_SHOWN_H
#define STORE_REVIEW_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* Inside the caller's transaction, with an event "review.shown"; *event 0: the account sees them already. */
enum err_code review_shown_add(struct db *db, int64_t revision, int64_t class_id, int64_t account, int64_t now,
                               int64_t *event, struct err *err);
/* Whether the account sees them. */
enum err_code review_shown_of(struct db *db, int64_t revision, int64_t class_id, int64_t account, bool *out,
                              struct err *err);

struct review_shown {
    int64_t class_id, account, event, at;
    struct sv wnid, login; /* login: empty when it is not known any more */
};
/* Who asked in the review of a revision, the earliest first. In the arena. */
enum err_code review_shown_list(struct db *db, int64_t revision, struct arena *a, struct review_shown **out, size_t *n,
                                struct err *err);

/* What a manifest says of the review. A class was reviewed with frequencies shown when somebody had asked for them
 * before the last decision in its review; of a class whose review was carried over, in that of an earlier revision.
 * `imported`: reviewed classes whose review was imported, where nobody knows what was shown. */
struct review_shown_sum {
    int64_t classes, reviewed, shown, imported;
};
enum err_code review_shown_sum(struct db *db, int64_t revision, struct review_shown_sum *out, struct err *err);

#endif
