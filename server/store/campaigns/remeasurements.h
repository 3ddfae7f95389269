/* remeasurements.h - SQL for campaigns that measure a set again with other people than those whose
 * answers chose it: which set that is, and whose campaigns are kept apart. */
#ifndef STORE_CAMPAIGNS_REMEASUREMENTS_H
#define STORE_CAMPAIGNS_REMEASUREMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* Inside the caller's transaction; `apart` are the campaigns whose people do not take part. The same again changes
 * nothing; ERR_CONFLICT (rule "remeasurement-differs") when the campaign measures another set. */
enum err_code remeasurements_add(struct db *db, int64_t campaign, int64_t revision,
                                 const int64_t *apart, size_t n, struct err *err);
/* Ids, sorted, of the campaigns that measure the revision again. */
enum err_code remeasurements_list(struct db *db, int64_t revision, struct arena *a, int64_t **out,
                                  size_t *n, struct err *err);
/* Whether the person was shown a grid of a campaign that this one keeps apart. */
enum err_code remeasurements_met(struct db *db, int64_t campaign, int64_t person, bool *met,
                                 struct err *err);
/* Sorted ids of all such people, of any campaign that measures the revision again. */
enum err_code remeasurements_people(struct db *db, int64_t revision, struct arena *a,
                                    int64_t **out, size_t *n, struct err *err);

#endif
