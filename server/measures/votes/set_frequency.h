/* set_frequency.h - the average selection frequency of sets: the mean over their images, every image as much as the
 * next, with the interval that knows that votes cluster by worker. Two passes over a copy of the
 * ledger, as live/votes/view_count.h makes one, for any number of sets at once. Knows nothing of SQL. */
#ifndef MEASURES_SET_FREQUENCY_H
#define MEASURES_SET_FREQUENCY_H

#include "live/votes/view_count.h"
#include "store/sets/sets.h"

enum { SET_GROUPS = 50 }; /* of people, dealt out in order of their ids */

struct set_members {
    const struct revision_image *images; /* in any order */
    size_t n;
};
struct set_frequency {
    size_t measured;         /* images with an answer under their class in the set */
    double mean, least;      /* of their frequencies; 0 without any */
    uint32_t least_answers;  /* of these images */
    uint64_t shown, selected; /* votes about them */
    unsigned groups;         /* of people who gave them: each is left out once */
    /* Of the mean, 95 %: the delete-a-group jackknife over people (stats/jackknife.h), within 0 to 1. An image that
     * only the group left out voted on is not in the mean without it. Where that says nothing (one group, or all
     * groups alike) it is that of the votes clustered by worker (stats/cluster.h), wide enough to hold the mean;
     * 0 to 1 without votes. */
    struct interval ci;
    bool jackknife; /* which of both it is */
};
/* One for each set. `counts` were made of `ask`. */
void set_frequencies(struct tally *t, const struct view_ask *ask, const struct view_counts *counts,
                     const struct set_members *sets, size_t n, struct set_frequency *out);

#endif
