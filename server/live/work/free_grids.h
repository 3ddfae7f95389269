/* free_grids.h - whether a campaign has a grid for one person now, as the database says it. The desk
 * (desk.h) decides that when a grid is lent, on the writer thread; pages that must not promise one in
 * vain ask here, on any thread. Knows nothing of HTTP. */
#ifndef LIVE_WORK_FREE_GRIDS_H
#define LIVE_WORK_FREE_GRIDS_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"
#include "live/core/tally.h"
#include "store/campaigns/campaigns.h"

/* *found: a grid of the campaign has a free slot at `now_ms` and none of its images, nor another of the
 * same bytes, was shown to the person before. For campaigns that do not allow the same image again.
 * Takes the tally's read lock. */
enum err_code free_grid_for(struct tally *t, struct db *db, const struct campaign *k, int64_t person,
                            int64_t now_ms, bool *found, struct err *err);

#endif
