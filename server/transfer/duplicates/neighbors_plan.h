/* neighbors_plan.h - which pairs a search by one metric still has to compare: queries that were compared with the same
 * images before are one part, against the images that they were not compared with. So a later search computes only new
 * rows and columns. Pure rules on lists of images and of searches. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_PLAN_H
#define TRANSFER_DUPLICATES_NEIGHBORS_PLAN_H

#include "base/arena.h"
#include "store/duplicates/near_searches.h"

/* A search that counts, with the images that it could not read: these were not compared. */
struct plan_search {
    const struct near_search *search;
    const int64_t *unread; /* ascending */
    size_t n_unread;
};
struct plan_input {
    const uint32_t *images; /* that can be compared, ascending */
    const bool *query;      /* of each: its neighbours are wanted */
    uint32_t n;
    const struct plan_search *searches;
    size_t n_searches;
};
struct plan_part {
    struct ranges queries, refs;
};
/* The parts, ascending by their first query, in the arena; none: there is nothing to do. */
void neighbors_plan(const struct plan_input *in, struct arena *a, struct plan_part **out, size_t *n);
/* Whether the searches leave a pair of this one to compare. */
bool neighbors_plan_lacks(const struct plan_input *in, const struct near_search *s, struct arena *a);

#endif
