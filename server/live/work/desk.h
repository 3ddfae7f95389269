/* desk.h - who gets which grid next: leases and the rule "exactly N answers per grid". N is the
 * campaign's, and for each grid what decisions asked for beyond it (store/decisions/decisions.h).
 *
 * Lives in memory on the writer thread, for campaigns that hand out work or did; built from the
 * database at start and after any failed batch (desk_reload). A grid never has more accepted
 * answers plus live leases than N. Handlers write the database first and change the desk last, so
 * that a failed savepoint leaves it true. Knows nothing of HTTP. */
#ifndef LIVE_WORK_DESK_H
#define LIVE_WORK_DESK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"
#include "live/core/tally.h"
#include "store/campaigns/campaigns.h"
#include "store/decisions/decisions.h"

struct desk;

struct desk_progress { /* of one campaign, for pages and metrics */
    uint32_t grids, complete, leased, answers, wanted;
};

struct desk *desk_new(unsigned open_window);
void desk_free(struct desk *d);
/* Rebuilds from the database: grids, answers and live leases of campaigns that are neither
 * imported nor drafts; after a change of the plan also which images have the same content. */
enum err_code desk_reload(struct desk *d, const struct tally *t, struct db *db, int64_t now_ms,
                          struct err *err);

/* The campaign's terms; NULL for an imported one or a draft. Borrowed until the next reload. */
const struct campaign *desk_campaign(const struct desk *d, int64_t campaign);

/* Places that count to the campaign's number, never fewer than there are; desk_joined adds one.
 * Those that ended or lapsed meanwhile are counted out when the database was asked again:
 * desk_places_stale says when that is worth it, desk_places_changed that it is now. */
int64_t desk_places(const struct desk *d, int64_t campaign);
void desk_joined(struct desk *d, int64_t campaign);
bool desk_places_stale(const struct desk *d, int64_t campaign, int64_t now_ms);
void desk_places_changed(struct desk *d, int64_t campaign);
void desk_set_places(struct desk *d, int64_t campaign, int64_t places, int64_t now_ms);

struct desk_asker {
    int64_t campaign, person;
    bool (*hidden)(void *arg, int64_t image); /* which images nobody is shown now; NULL: there is none */
    void *hidden_arg;
};
/* Draws a grid for the person: of those with a free slot, in the plan's order and by windows of
 * open_window, one at random that shows no content this person has seen (unless the campaign
 * allows it; two images of the same bytes are the same content) and some image that is not hidden, from the first window that
 * has one. 0: none is left for this person. Does not lend it yet. ERR_CONFLICT (rule "campaign-not-open"). */
enum err_code desk_pick(struct desk *d, const struct tally *t, struct db *db,
                        const struct desk_asker *who, int64_t *grid, struct err *err);
/* Whether the grid can be lent once more. */
bool desk_has_slot(const struct desk *d, int64_t campaign, int64_t grid);
/* The grid that desk_pick drew, or one with a free slot whose lease had ended, was lent (the
 * assignment row is written). */
void desk_lend(struct desk *d, const struct tally *t, const struct desk_asker *who, int64_t grid,
               int64_t assignment, int64_t until_ms);
/* Whether an answer to this assignment counts now: its lease lives, or the grid still has a free
 * slot. False: surplus, as always when N answers counted. */
bool desk_counts(const struct desk *d, int64_t campaign, int64_t grid, int64_t assignment);
/* The answer is written; `counted` as desk_counts said. */
void desk_answered(struct desk *d, int64_t campaign, int64_t grid, int64_t assignment,
                   bool counted);
/* The row of grid_reopened is written: a decision asks for one answer more or less of a grid. */
void desk_reopened(struct desk *d, const struct reopened_row *r);
/* The same for rows that other processes wrote; those of this one are known already. */
enum err_code desk_follow(struct desk *d, struct db *db, struct err *err);
/* Moves the end of a live lease; false when it is over. */
bool desk_extend(struct desk *d, int64_t assignment, int64_t until_ms);
/* Ends a live lease, whose slot is free again: the worker leaves. False when it is over. */
bool desk_release(struct desk *d, int64_t assignment);
/* Ends leases that are over; their slots are free again. Returns how many ended. */
unsigned desk_expire(struct desk *d, int64_t now_ms);
/* How one campaign stands; false for one that the desk does not know. */
bool desk_progress(const struct desk *d, int64_t campaign, struct desk_progress *out);
/* How the campaigns stand: at most `most`; returns how many. */
size_t desk_board(const struct desk *d, int64_t *campaigns, struct desk_progress *progress,
                  size_t most);

#endif
