/* as_of.h - the default view's counters as they were after an event, so that the pages of a list
 * keep their order while votes arrive. What happened since is taken back from the end of the
 * ledger. Called by web/. */
#ifndef LIVE_AS_OF_H
#define LIVE_AS_OF_H

#include "live/tally.h"

/* Answers and decisions that are taken back at most: with more, count the view as of that event
 * (live/view_count.h), which needs no lock for it. About a millisecond. */
enum { AS_OF_MOST = 4096 };

/* One pair with its counters at that time; pairs that came later have none. */
typedef void (*as_of_fn)(void *arg, const struct tally_pair *p);

/* Calls `each` for every pair of the class (0: of all classes) under the tally's read lock, which
 * it takes. *as_of 0 or beyond the last event: as of now; it becomes the event that holds. False when
 * that is too far back: nothing was called. */
bool as_of_pairs(struct tally *t, int64_t *as_of, int64_t class_id, as_of_fn each, void *arg);

#endif
