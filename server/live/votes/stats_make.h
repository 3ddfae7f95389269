/* stats_make.h - the one pass over a copy of the ledger that live/votes/stats.c keeps the result of. */
#ifndef LIVE_VOTES_STATS_MAKE_H
#define LIVE_VOTES_STATS_MAKE_H

#include "live/votes/stats.h"

/* Makes the statistics of now; `now_ms` says which minute is "this one". */
void stats_make(struct tally *t, int64_t now_ms, struct stats *out);
void stats_release(struct stats *s);

#endif
