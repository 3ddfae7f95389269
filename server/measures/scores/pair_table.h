/* pair_table.h - every model's line in the table of two sets, and why others have none. */
#ifndef MEASURES_PAIR_TABLE_H
#define MEASURES_PAIR_TABLE_H

#include "domain/scores/score_level.h"
#include "domain/scores/score_table.h"
#include "measures/scores/model_pair.h"

struct pair_left {
    const struct model_row *model;
    const char *why;
};
struct pair_table { /* in the arena */
    struct score_line *lines; /* by rank on the originals, as score_sheet_lines makes them */
    int64_t *models;          /* of each line */
    size_t n;
    struct pair_left *left;   /* in the order of `models` given: those without predictions of all of both sets, so far down */
    size_t n_left;
};
/* Of n models with different names, at top-`top` of either set. */
void pair_table_make(const struct scored_set *original, const struct scored_set *fresh, const struct model_row *models, size_t n,
                     const int top[2], const struct score_level *level, struct arena *a, struct pair_table *out);

#endif
