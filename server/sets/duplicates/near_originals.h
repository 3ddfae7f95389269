/* near_originals.h - how many originals look like an image that models were trained on: on these a model shows what it has
 * learnt by heart (papers, section on near-duplicates of the original test set). */
#ifndef SETS_DUPLICATES_NEAR_ORIGINALS_H
#define SETS_DUPLICATES_NEAR_ORIGINALS_H

#include "record/record.h"
#include "sets/duplicates/near_work.h"
#include "stats/binomial.h"

struct near_originals {
    int64_t originals;  /* with pixels */
    int64_t searched;   /* by every metric that is on */
    int64_t left;       /* with a neighbour that nobody has judged */
    int64_t duplicates; /* of those searched: recorded as near-duplicates of a training image */
    struct proportion share; /* duplicates / searched; NAN: none is searched */
    int64_t next;       /* an original with such a neighbour, the nearest first; 0: none */
};
extern const struct record near_originals_record;
enum err_code near_originals_get(struct db *db, struct arena *a, struct near_originals *out, struct err *err);

#endif
