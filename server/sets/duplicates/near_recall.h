/* near_recall.h - which share of the near-duplicates of each kind a metric finds: of images and changed copies of them
 * (image/distort.h), how many are within a threshold. A lower bound for what a search finds: it also finds pairs by other
 * metrics, and a sum of changes is harder than each. Knows nothing of how distances are measured. */
#ifndef SETS_DUPLICATES_NEAR_RECALL_H
#define SETS_DUPLICATES_NEAR_RECALL_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/review/review_gate.h"
#include "record/record.h"
#include "stats/binomial.h"

struct near_recall {
    const char *metric, *distortion;
    double threshold;
    int64_t images, found; /* of so many images the copy is within the threshold */
    struct proportion share; /* found / images; NAN: no image */
};
extern const struct record near_recall_record;
/* Of `n` distances, ascending. */
struct near_recall near_recall_of(const char *metric, const char *distortion, double threshold, const double *distances,
                                  size_t n);
/* The newest calibration of every enabled metric at its threshold, as the metric compares now; by metric, then by
 * distortion, in the arena. */
enum err_code near_recall_list(struct db *db, const struct review_gate *gate, struct arena *a, struct near_recall **out,
                               size_t *n, struct err *err);
/* Whether the list has a metric. */
bool near_recall_has(const struct near_recall *list, size_t n, const char *metric);

#endif
