/* view_votes.h - every single vote under a named view, for what needs to know who gave which
 * (measures/votes/matching_bias.h). Knows nothing of SQL. */
#ifndef LIVE_VOTES_VIEW_VOTES_H
#define LIVE_VOTES_VIEW_VOTES_H

#include "live/votes/view_count.h"

struct view_vote {
    uint32_t image, class_id, person; /* database ids */
    bool selected;
};
typedef void (*view_vote_fn)(void *arg, const struct view_vote *v);
/* Calls `each` for the votes that view_count counts, without a lock; about 0.1 s for 2 million.
 * ERR_BUSY (rule "counters-rebuilt"). */
enum err_code view_votes(struct tally *t, const struct view_ask *ask, view_vote_fn each, void *arg,
                         struct err *err);

#endif
