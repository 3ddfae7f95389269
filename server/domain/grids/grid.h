/* grid.h - the CONTAINS grid: at most 48 cells, an answer is one 64-bit mask.
 * Bit j of a stored mask is cell j as planned; pages show the cells in an order of their own per
 * assignment, drawn from its seed. A CLASSIFY task is a grid of one cell with up to 24 options (labels):
 * bit j of its mask is option j, the order is that of the options. Pure rules, no input or output. */
#ifndef DOMAIN_GRID_H
#define DOMAIN_GRID_H

#include <stdbool.h>
#include <stdint.h>

enum { GRID_CELLS = 48, GRID_OPTIONS = 24 };
enum { OPTION_NONE = -1 }; /* no option is the main object's */

enum cell_role { CELL_CANDIDATE = 0, CELL_POSITIVE = 1, CELL_NEGATIVE = 2, CELL_GOLD = 3 };

/* How many controls a grid of `label` candidates gets so that it has 48 cells: positive
 * 3 + ceil((42 - label) / 2), negative 3 + floor((42 - label) / 2); 1 <= label <= 42. */
void grid_controls(unsigned label, unsigned *positive, unsigned *negative);

/* order[shown position] = planned position. `shuffled` false: the planned order. */
void grid_order(uint64_t seed, bool shuffled, unsigned n, uint8_t order[GRID_CELLS]);

/* The stored mask for a mask in shown order. Bits at n and above must be 0 (grid_mask_fits). */
uint64_t grid_mask_stored(uint64_t shown, const uint8_t order[GRID_CELLS], unsigned n);
bool grid_mask_fits(uint64_t mask, unsigned n);

/* How many answers a grid is to get: the campaign's N and what decisions asked for beyond it. */
int64_t grid_wanted(int64_t answers_per_grid, int64_t reopened);
/* Whether it can be lent once more: accepted answers and live leases are never more than wanted. */
bool grid_has_slot(int64_t wanted, int64_t answers, int64_t leased);

#endif
