/* people_data.h - how people, their time and their pay are shown, on the pages of leads.
 * Called by page_workers.c and page_participants.c. */
#ifndef WEB_PEOPLE_DATA_H
#define WEB_PEOPLE_DATA_H

#include <jansson.h>

#include "base/arena.h"
#include "store/participants.h"
#include "store/workers.h"

/* All in the arena. */
const char *people_url(struct arena *a, struct sv pseudonym); /* "/workers/p..." */
const char *people_day(struct arena *a, int64_t wall_ms);     /* "2026-11-20" */
const char *people_minute(struct arena *a, int64_t wall_ms);  /* "2026-11-20 10:00", UTC */
const char *people_minutes(struct arena *a, int64_t ms);      /* "12.5 min"; a dash for none */
const char *people_amount(struct arena *a, int64_t cents, struct sv currency); /* "12.50 USD" */
const char *people_rate(struct arena *a, int64_t cents, struct sv currency); /* "12.50 USD/h", dash */

/* Appends a tile with an effective pay per hour, marked when it is under the floor; `otherwise` is its
 * note when no floor is set. */
void people_rate_tile(struct arena *a, json_t *tiles, const char *label, int64_t cents,
                      int64_t floor_cents, struct sv currency, const char *otherwise);

/* {place, pseudonym, url, id, forgotten, blocked, verified, outcome, complete, code, grids, active,
 * elapsed, rate, low, pay, approved, rejected, pending, bonus, has_bonus, bonus_value, reason,
 * joined, consent}. New reference. */
json_t *people_participant(struct arena *a, const struct participant *p);

/* {pseudonym, url, id, source, places, grids, active, rate, low, last, blocked, forgotten, imported,
 * simulated}. New reference. */
json_t *people_worker(struct arena *a, const struct worker *w);
/* A difference from the others: "+0.02", and never "-0.00". */
const char *people_relative(struct arena *a, double x);

#endif
