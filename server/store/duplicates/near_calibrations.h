/* near_calibrations.h - SQL for how far images are from changed copies of themselves, by each metric: what says how many
 * near-duplicates a threshold finds. Knows nothing of how copies are changed. */
#ifndef STORE_DUPLICATES_NEAR_CALIBRATIONS_H
#define STORE_DUPLICATES_NEAR_CALIBRATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct near_calibration {
    struct sv metric, space, distortion; /* space: near_space.h */
    const double *distances;             /* one of each image, ascending */
    size_t n;
};
/* In one transaction of its own, with an event "near-metrics.calibrated". */
enum err_code near_calibrations_put(struct db *db, const struct near_calibration *list, size_t n, int64_t account,
                                    int64_t now, struct err *err);
/* The newest of a metric in that space, by distortion, in the arena; none when the newest is of another space. ERR_IO when
 * it is damaged. */
enum err_code near_calibrations_get(struct db *db, struct sv metric, struct sv space, struct arena *a,
                                    struct near_calibration **out, size_t *n, struct err *err);

#endif
