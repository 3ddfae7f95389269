/* near_pairing.h - the neighbours of one image, gathered from one metric after the other: a pair is one, whichever of them
 * found it. Part of near_work.h and near_beyond.h, which know which pairs. */
#ifndef SETS_DUPLICATES_NEAR_PAIRING_H
#define SETS_DUPLICATES_NEAR_PAIRING_H

#include "base/list.h"
#include "sets/duplicates/near_work.h"

struct near_pairing { /* begin with the first two */
    const struct review_gate *gate;
    struct arena *arena;
    struct list pairs;
};
/* The pair with that image, which metric `m` has found; new ones are not open. */
struct near_work_pair *near_pairing_add(struct near_pairing *p, size_t m, int64_t reference, double distance);
/* All of them by image, in the arena. */
void near_pairing_end(struct near_pairing *p, struct near_work_pair **out, size_t *n);

#endif
