/* spread_count.h - images of a class counted by their answers, as the cells that stats/spread.h is
 * given. Knows nothing of votes. */
#ifndef STATS_SPREAD_COUNT_H
#define STATS_SPREAD_COUNT_H

#include "stats/spread.h"

/* Which cell has which answers; about 1 MB. Never NULL; free it with spread_counter_free, which
 * takes NULL. */
struct spread_counter;
struct spread_counter *spread_counter_new(void);
void spread_counter_free(struct spread_counter *k);

/* Beyond SPREAD_SHOWN_MOST answers an image is as good as known; as many stand for them. */
void spread_few(uint32_t *shown, uint32_t *selected);
/* Counts an image, of however many answers: adds its count to the cell with its answers and review,
 * or appends one to cells[*n], for which there must be room. Gives the index of its cell; SIZE_MAX:
 * it has no answers. */
size_t spread_count(struct spread_counter *k, struct spread_cell image, struct spread_cell *cells,
                    size_t *n);
/* The cells [from, to) are finished: images of another class make cells of their own. */
void spread_counter_forget(struct spread_counter *k, const struct spread_cell *cells, size_t from,
                           size_t to);

/* Ways to answer: `selected` of `shown` answers, both at most SPREAD_SHOWN_MOST, as an index below
 * SPREAD_KINDS. */
enum { SPREAD_KINDS = (SPREAD_SHOWN_MOST + 1) * (SPREAD_SHOWN_MOST + 2) / 2 };
static inline uint32_t spread_kind(uint32_t shown, uint32_t selected)
{
    return shown * (shown + 1) / 2 + selected;
}

#endif
