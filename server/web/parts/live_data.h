/* live_data.h - the figures of the lead's live pages as JSON: numbers with n, lo and hi for scripts, each
 * with a `text` for people. A page and the API beside it say the same because both ask here. What
 * only leads may see is null for others. */
#ifndef WEB_PARTS_LIVE_DATA_H
#define WEB_PARTS_LIVE_DATA_H

#include "domain/grids/plan_summary.h"
#include "live/votes/stats.h"
#include "store/campaigns/campaigns.h"
#include "web/core/app.h"
#include "web/parts/pace.h"

enum { LIVE_LOOKS = 5, LIVE_CLASSES = 20 }; /* rows of a list of people; classes of a page */
/* Whose answers agree so much less than those of others on the same cells is worth a look: 0.1. */
#define LIVE_AGREES_LESS (-0.1)

/* New references; NULL with c->err set. */

/* How everything stands. */
json_t *live_overview(struct ctx *c, const struct stats *s);
/* How one campaign stands; of its classes, worst covered first, those from number `from` on. */
json_t *live_campaign(struct ctx *c, const struct stats *s, const struct campaign *k, size_t from);

/* A pace_record (web/core/records.h). `state`: see live_stopped. */
json_t *live_pace(struct arena *a, const struct pace *p, int64_t left, const char *state);

/* Appends the tile that says when the pace of live_pace brings the last answer. */
void live_finish_tile(struct arena *a, json_t *tiles, const json_t *pace);
/* Why nobody answers: "done elsewhere", "paused" ...; NULL when people may, or all is answered. */
const char *live_stopped(struct arena *a, const struct campaign *k, const struct desk_progress *p);

/* The classes of a campaign, or (0) all that have originals or candidates, with the originals that have
 * their answers under the default view; in the arena. */
enum err_code live_coverage(struct ctx *c, const struct stats *s, int64_t campaign,
                            struct class_coverage **out, size_t *n);

/* A coverage_record. */
json_t *live_coverage_totals(struct arena *a, const struct coverage_totals *t, int64_t target);
/* Appends a coverage_class_record; `why` (what is missing) may be NULL. */
enum err_code live_coverage_class(struct ctx *c, const struct class_coverage *v, const char *why, json_t *rows);

/* Whether the page would say something else if it were made again: after how many seconds it should be.
 * 0: not before an event says so. */
unsigned live_again(struct ctx *c, const struct stats *s);

#endif
