/* cell_counts.c - upright counters. */
#include "domain/votes/cell_counts.h"

#include "base/err.h"

void cell_counts_add(struct cell_counts *c, uint64_t mask)
{
    for (unsigned i = 0; mask; i++) {
        BUG_IF(i == CELL_COUNTS_PLANES);
        uint64_t carry = c->plane[i] & mask;
        c->plane[i] ^= mask;
        c->planes = i < c->planes ? c->planes : i + 1;
        mask = carry;
    }
}

uint32_t cell_counts_at(const struct cell_counts *c, unsigned cell)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < c->planes; i++) {
        n |= (uint32_t)(c->plane[i] >> cell & 1) << i;
    }
    return n;
}

uint64_t cell_counts_over(const struct cell_counts *c, uint64_t mask)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < c->planes; i++) {
        sum += (uint64_t)cells_in(c->plane[i] & mask) << i;
    }
    return sum;
}
