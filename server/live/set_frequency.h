/* set_frequency.h - the average selection frequency of the images of a set under a view, with the interval that knows
 * that votes cluster by worker. One pass over a copy of the ledger, as live/view_count.h, which counted the view.
 * Called by web/ (slow steps). Knows nothing of SQL. */
#ifndef LIVE_SET_FREQUENCY_H
#define LIVE_SET_FREQUENCY_H

#include "live/view_count.h"
#include "store/sets.h"

struct set_frequency {
    size_t measured;         /* images with an answer under their class in the set */
    double mean, least;      /* of their frequencies, every image as much as the next; 0 without any */
    uint32_t least_answers;  /* of these images */
    uint64_t shown, selected;
    struct interval ci;      /* of selected / shown, clustered by worker (stats/cluster.h) */
};
/* `counts` were made of `ask`. Images in any order. */
void set_frequency(struct tally *t, const struct view_ask *ask, const struct view_counts *counts,
                   const struct revision_image *images, size_t n, struct set_frequency *out);

#endif
