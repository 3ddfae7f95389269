/* as_of.h - the default view's counters as they were after an event, so that the pages of a list
 * keep their order while votes arrive. What happened since is taken back from the end of the ledger. */
#ifndef LIVE_CORE_AS_OF_H
#define LIVE_CORE_AS_OF_H

#include "live/core/tally.h"

enum {
    /* Answers and decisions that are taken back at most: with more, or once a grid was excluded since, count the view as of that event
     * (live/votes/view_count.h), which needs no lock for it. About a millisecond. */
    AS_OF_MOST = 4096,
    /* Pairs that are passed on at once: the lock is given back in between. */
    AS_OF_BATCH = 1 << 15
};

/* Pairs with their counters at that time; those that came later have none. */
typedef void (*as_of_fn)(void *arg, const struct tally_pair *pairs, size_t n);

/* Calls `each` for the pairs of the class (0: of all classes), under the tally's read lock, which it
 * takes and gives back batch by batch: as they are all as of one event, votes in between make no
 * difference. *as_of 0 or beyond the last event: as of now; it becomes the event that holds. False
 * when that is too far back; `each` may have been called by then. */
bool as_of_pairs(struct tally *t, int64_t *as_of, int64_t class_id, as_of_fn each, void *arg);

/* The same for a few pairs: image and class of each are given, its counters filled in; 0 where there is
 * no such pair. False: too far back. */
bool as_of_find(struct tally *t, int64_t *as_of, struct tally_pair *pairs, size_t n);

/* Whether an answer came, or a decision about one, after that event. */
bool as_of_news(struct tally *t, int64_t as_of);

#endif
