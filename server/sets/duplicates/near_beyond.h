/* near_beyond.h - what thresholds miss: of the pairs between a metric's threshold and one and a half of it some are drawn, and
 * people say whether they are duplicates. A lower bound of what is missed: pairs that are farther apart, or that no
 * metric found, are not among them. */
#ifndef SETS_DUPLICATES_NEAR_BEYOND_H
#define SETS_DUPLICATES_NEAR_BEYOND_H

#include "record/record.h"
#include "sets/duplicates/near_work.h"
#include "stats/binomial.h"

enum { NEAR_BEYOND_DRAWN = 100 }; /* pairs of each metric */

struct near_beyond {
    const char *metric;
    int64_t pairs, drawn, judged, duplicates; /* beyond the threshold; of these; of those: "duplicate" or "not" */
    struct proportion share; /* duplicates / judged; NAN: none is judged */
};
extern const struct record near_beyond_record;
/* Of every metric that is on and has searched, in the arena. *next: a candidate with a drawn pair that nobody has judged; 0:
 * none. */
enum err_code near_beyond_list(struct db *db, const struct near_work *w, struct arena *a, struct near_beyond **out, size_t *n,
                               int64_t *next, struct err *err);
/* The drawn pairs of a candidate by all metrics, judged or not, by image, in the arena. */
enum err_code near_beyond_pairs(struct db *db, const struct near_work *w, int64_t image, struct arena *a,
                                struct near_work_pair **out, size_t *n, struct err *err);

#endif
