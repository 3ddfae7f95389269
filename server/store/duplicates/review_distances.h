/* review_distances.h - SQL for how closely an image's neighbours were reviewed: the distance of the
 * nearest that nobody looked at, per metric (domain/review/review_gate.h), and who looked at which. */
#ifndef STORE_DUPLICATES_REVIEW_DISTANCES_H
#define STORE_DUPLICATES_REVIEW_DISTANCES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct review_distance_row {
    struct sv name, metric; /* of the project (near_metrics.h) */
    double distance;        /* REVIEW_NEVER where its neighbours were never searched */
    bool searched;
};
/* Inside the caller's transaction, which has made the event; event 0: only says what it would do. What holds already
 * is not written (*added false). The metric is enabled from now on (near_metrics.h). ERR_INPUT: rules
 * "review-metric", "review-distance" (below 0). */
enum err_code review_distances_put(struct db *db, int64_t event, const struct review_distance_row *r, bool *added,
                                   struct err *err);
/* The newest of every name and metric as of an event (0: now); texts are borrowed for the call. */
enum err_code review_distances_each(struct db *db, int64_t as_of,
                                    enum err_code (*each)(void *arg, const struct review_distance_row *r,
                                                          struct err *err),
                                    void *arg, struct err *err);
/* The newest of a metric of each candidate; `banned`: it is blacklisted. */
enum err_code review_distances_of_candidates(struct db *db, const char *metric,
                                             enum err_code (*each)(void *arg, int64_t image, bool banned,
                                                                   const struct review_distance_row *r, struct err *err),
                                             void *arg, struct err *err);
/* The newest of every metric of the images of a class alone. */
enum err_code review_distances_of_class(struct db *db, int64_t class_id,
                                        enum err_code (*each)(void *arg, const struct review_distance_row *r,
                                                              struct err *err),
                                        void *arg, struct err *err);

struct neighbour_review {
    struct sv name, metric, reviewer, date, neighbours; /* neighbours: JSON list of names */
};
/* As above. The same name, metric, reviewer and date again with other neighbours is ERR_CONFLICT (rule
 * "neighbour-review"). */
enum err_code neighbour_reviews_put(struct db *db, int64_t event, const struct neighbour_review *r, bool *added,
                                    struct err *err);

#endif
