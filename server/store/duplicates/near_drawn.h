/* near_drawn.h - SQL for some of the pairs at certain distances, drawn by chance, with what is known of each. The same pairs are
 * drawn again as long as no search adds others. */
#ifndef STORE_DUPLICATES_NEAR_DRAWN_H
#define STORE_DUPLICATES_NEAR_DRAWN_H

#include "db/db.h"
#include "store/duplicates/near_verdicts.h"

struct near_draw_ask {
    struct sv space; /* near_space.h */
    double from, to; /* distances: more than the one, at most the other */
    int64_t most;    /* pairs */
};
struct near_drawn {
    int64_t query, reference;
    double distance;
    int64_t of;        /* it was drawn from so many */
    enum near_say say; /* the newest verdict; a pair that was recorded otherwise is a duplicate */
};
/* Each pair once, in the order in which they are drawn; not of equal bytes or one photo, and none of a blacklisted image. */
enum err_code near_drawn_each(struct db *db, const struct near_draw_ask *ask,
                              enum err_code (*each)(void *arg, const struct near_drawn *p, struct err *err), void *arg,
                              struct err *err);

#endif
