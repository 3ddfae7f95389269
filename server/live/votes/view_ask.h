/* view_ask.h - from a stored vote view to what view_count.h counts: its campaigns and who is
 * blocked, both as of the event up to which it is counted. Knows SQL only through store/. */
#ifndef LIVE_VOTES_VIEW_ASK_H
#define LIVE_VOTES_VIEW_ASK_H

#include "live/votes/view_count.h"
#include "store/votes/views.h"

/* `as_of` 0: now, unless the view itself ends at an event. Of two ends the earlier holds. The lists are in the arena. */
enum err_code view_ask_of(struct db *db, const struct vote_view *v, int64_t as_of, struct arena *a,
                          struct view_ask *out, struct err *err);
/* The counts of a view for a command, which counts once: by a tally of its own, in the caller's snapshot. The caller releases
 * them. */
enum err_code view_count_once(struct db *db, const struct vote_view *v, int64_t as_of, struct arena *a, struct view_counts *out,
                              struct err *err);

#endif
