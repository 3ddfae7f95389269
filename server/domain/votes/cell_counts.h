/* cell_counts.h - how many of many masks have each bit, counted in all 48 cells at once: the counters
 * stand upright, plane i holds bit i of every cell's count. Adding a mask takes a few operations
 * however many bits it has. Pure functions. */
#ifndef DOMAIN_CELL_COUNTS_H
#define DOMAIN_CELL_COUNTS_H

#include <stdint.h>

/* How many cells a mask has. Without a flag that the machine counts bits by itself, the compiler
 * calls a function for this: three times as slow as these sums. */
static inline unsigned cells_in(uint64_t mask)
{
    mask -= mask >> 1 & 0x5555555555555555;
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (unsigned)(mask * 0x0101010101010101 >> 56);
}

enum { CELL_COUNTS_PLANES = 32 };

struct cell_counts { /* {0}: nothing counted */
    unsigned planes; /* in use */
    uint64_t plane[CELL_COUNTS_PLANES];
};

void cell_counts_add(struct cell_counts *c, uint64_t mask);
/* Of one cell. */
uint32_t cell_counts_at(const struct cell_counts *c, unsigned cell);
/* The sum over the mask's cells. */
uint64_t cell_counts_over(const struct cell_counts *c, uint64_t mask);

#endif
