/* plan.h - composing the grids of one class: chunks of candidates, controls, order of cells
 * (reference/imagenetv2.md 1.2). Pure: images are ids, the generator is the caller's. */
#ifndef DOMAIN_PLAN_H
#define DOMAIN_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "domain/grid.h"

struct plan_class {
    const int64_t *candidates;
    size_t n_candidates;
    const int64_t *originals;  /* of the class: positive controls */
    size_t n_originals;
    const int64_t *negatives;  /* originals of the nearest class */
    size_t n_negatives;
};

struct plan_grid {
    unsigned n;
    int64_t image[GRID_CELLS];
    enum cell_role role[GRID_CELLS];
};

/* Chunks of 42 candidates. A short last chunk is topped up with candidates of earlier chunks of
 * the class; a short only chunk gets more controls instead. Positive controls are drawn without
 * replacement from the originals, negative ones from the negatives; where there are fewer than
 * needed the grid has fewer cells. Cells are shuffled. The caller frees *out. */
void plan_grids(const struct plan_class *c, struct rng *r, struct plan_grid **out, size_t *n);

#endif
