/* near_review.h - SQL for what the project's own searches leave to review: pairs within a metric's threshold that nobody has
 * judged. A pair needs no look when a reviewer said "duplicate" or "not", when somebody has recorded it as a near-duplicate
 * or looked at it by this metric, when both images have equal bytes or are of one photo, or when the reference is
 * blacklisted. Knows nothing of pages; near_searches.h has the searches. */
#ifndef STORE_DUPLICATES_NEAR_REVIEW_H
#define STORE_DUPLICATES_NEAR_REVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ranges.h"
#include "db/db.h"
#include "domain/review/review_gate.h"

struct near_open_ask {
    const struct review_metric *metric;
    struct sv space;  /* near_space of it */
    int64_t as_of;    /* searches and what was said up to this event; 0: all */
    int64_t image;    /* this query alone, or */
    int64_t class_id; /* queries of this class alone; 0: all */
    bool in_play;     /* not of queries that are blacklisted */
    bool judged;      /* also pairs that need no look, but for those of equal bytes and one photo */
};
struct near_open_pair {
    int64_t query, reference;
    double distance;
};
/* By distance, then by query and reference. */
enum err_code near_open_each(struct db *db, const struct near_open_ask *ask,
                             enum err_code (*each)(void *arg, const struct near_open_pair *p, struct err *err), void *arg,
                             struct err *err);

/* The distance of every pair that the space's whole searches keep close at hand, in any order. */
enum err_code near_distances_each(struct db *db, struct sv space,
                                  enum err_code (*each)(void *arg, double distance, struct err *err), void *arg,
                                  struct err *err);

/* What an own search says of a metric's images. */
struct near_covered {
    bool any;              /* there is a whole search of the metric as it is, up to its threshold at least */
    struct sv space;
    struct ranges queries; /* images that were compared with all originals, reference and training images; by features also
                              with those without pixels that came with features of the model */
};
/* As of an event (0: now), for each of the gate's metrics, without `queries`: these take reading all images. */
enum err_code near_review_searched(struct db *db, const struct review_gate *gate, int64_t as_of, struct arena *a,
                                   struct near_covered out[REVIEW_METRICS_MOST], struct err *err);
/* As of an event (0: now), for each of the gate's metrics. `compared`: the originals, reference and training images with pixels
 * then, ascending; NULL: as they are now. */
enum err_code near_review_covered(struct db *db, const struct review_gate *gate, int64_t as_of, const uint32_t *compared,
                                  size_t n, struct arena *a, struct near_covered out[REVIEW_METRICS_MOST],
                                  struct err *err);

#endif
