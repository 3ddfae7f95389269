/* board.h - the state of the campaigns on the desk, as of the last commit, for any thread. The desk (desk.h)
 * belongs to the writer thread, which publishes here what it says. Knows nothing of HTTP. */
#ifndef LIVE_WORK_BOARD_H
#define LIVE_WORK_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "live/core/tally.h"
#include "live/work/desk.h"
#include "store/campaigns/campaigns.h"

struct board;
struct board *board_new(void);
void board_free(struct board *b); /* NULL is allowed */
/* Writer thread: takes over what the desk says now. */
void board_publish(struct board *b, const struct desk *d);
/* False for a campaign that the desk does not know: an imported one, a draft. */
bool board_progress(struct board *b, int64_t campaign, struct desk_progress *out);
/* The same for every campaign: what the desk does not know is counted from the tally, whose read lock this
 * takes; nothing of it is leased. */
void board_progress_of(struct board *b, struct tally *t, const struct campaign *k,
                       struct desk_progress *out);

#endif
