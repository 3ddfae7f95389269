/* grid.c - rules of the CONTAINS grid. */
#include "domain/grids/grid.h"

#include "base/err.h"
#include "base/rng.h"

void grid_controls(unsigned label, unsigned *positive, unsigned *negative)
{
    BUG_IF(label == 0 || label > 42);
    unsigned short_of = 42 - label;
    *positive = 3 + (short_of + 1) / 2;
    *negative = 3 + short_of / 2;
}

void grid_order(uint64_t seed, bool shuffled, unsigned n, uint8_t order[GRID_CELLS])
{
    BUG_IF(n > GRID_CELLS);
    for (unsigned i = 0; i < n; i++) {
        order[i] = (uint8_t)i;
    }
    if (!shuffled) {
        return;
    }
    struct rng r;
    rng_seed(&r, seed);
    for (unsigned i = n; i > 1; i--) {
        unsigned j = (unsigned)rng_below(&r, i);
        uint8_t t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
}

uint64_t grid_mask_stored(uint64_t shown, const uint8_t order[GRID_CELLS], unsigned n)
{
    uint64_t stored = 0;
    for (unsigned i = 0; i < n; i++) {
        stored |= (shown >> i & 1) << order[i];
    }
    return stored;
}

bool grid_mask_fits(uint64_t mask, unsigned n)
{
    return n >= 64 || mask >> n == 0;
}

int64_t grid_wanted(int64_t answers_per_grid, int64_t reopened)
{
    return answers_per_grid + reopened;
}

bool grid_has_slot(int64_t wanted, int64_t answers, int64_t leased)
{
    return answers + leased < wanted;
}
