/* spread_count.c - a table from answers and review to the cell that has them. */
#include "stats/spread_count.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct spread_counter {
    uint32_t place[SPREAD_KINDS * SPREAD_REVIEWS]; /* 1 + cell; 0: none */
};

struct spread_counter *spread_counter_new(void)
{
    struct spread_counter *k = xcalloc(1, sizeof *k);
    return k;
}

void spread_counter_free(struct spread_counter *k)
{
    free(k);
}

static uint32_t *place_of(struct spread_counter *k, const struct spread_cell *c)
{
    return &k->place[spread_kind(c->shown, c->selected) * SPREAD_REVIEWS + c->review];
}

void spread_few(uint32_t *shown, uint32_t *selected)
{
    if (*shown > SPREAD_SHOWN_MOST) {
        *selected = (uint32_t)lround((double)*selected / *shown * SPREAD_SHOWN_MOST);
        *shown = SPREAD_SHOWN_MOST;
    }
}

size_t spread_count(struct spread_counter *k, struct spread_cell image, struct spread_cell *cells,
                    size_t *n)
{
    spread_few(&image.shown, &image.selected);
    if (image.shown == 0) {
        return SIZE_MAX;
    }
    uint32_t *place = place_of(k, &image);
    if (*place == 0) {
        cells[(*n)++] = image;
        *place = (uint32_t)*n;
    } else {
        cells[*place - 1].count += image.count;
    }
    return *place - 1;
}

void spread_counter_forget(struct spread_counter *k, const struct spread_cell *cells, size_t from,
                           size_t to)
{
    for (size_t i = from; i < to; i++) {
        *place_of(k, &cells[i]) = 0;
    }
}
