/* class_stats.h - what lists and pages say of classes: sums over the tally, a class's images by
 * frequency. Takes the tally's read lock itself. */
#ifndef WEB_CLASS_STATS_H
#define WEB_CLASS_STATS_H

#include "web/app.h"

struct class_sum {           /* per enum cell_role */
    int64_t class_id;
    uint32_t images[4];      /* pairs that stood on a grid */
    uint64_t shown[4], selected[4];
};
/* One entry per class that has pairs, by class id; in the arena. */
struct class_sum *class_sums(struct tally *t, struct arena *a, size_t *n);
/* The class's entry; NULL when there is none. */
const struct class_sum *class_sum_find(const struct class_sum *sums, size_t n, int64_t class_id);

/* Copies of the class's pairs, by frequency, then number of answers, both falling, then image. */
struct tally_pair *class_pairs(struct tally *t, int64_t class_id, struct arena *a, size_t *n);

#endif
