/* people_data.h - how people, their time and their pay are shown, on the pages of leads; the texts are
 * those of view/people_texts.h. */
#ifndef WEB_PARTS_PEOPLE_DATA_H
#define WEB_PARTS_PEOPLE_DATA_H

#include <jansson.h>

#include "base/arena.h"
#include "store/people/participants.h"
#include "store/people/workers.h"
#include "view/people_texts.h"

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

#endif
