/* view_classes.h - the votes that a named view counts, summed class by class, with intervals that
 * know of workers. Knows nothing of HTTP or SQL. */
#ifndef LIVE_VOTES_VIEW_CLASSES_H
#define LIVE_VOTES_VIEW_CLASSES_H

#include "live/votes/stats.h"
#include "live/votes/view_count.h"

/* What a view's counts say of the classes: all by id, or class_id's alone (0: all). Room for as many
 * as there are is *out's, to be freed by the caller. About 30 ms for all at 10 million votes. */
void view_classes(struct tally *t, const struct view_ask *ask, const struct view_counts *counts,
                  int64_t class_id, struct stats_class **out, size_t *n);

/* Adds a pair with these votes to its class's numbers. */
void view_class_add(struct stats_class *k, const struct tally_pair *p, uint32_t shown,
                    uint32_t selected);

#endif
