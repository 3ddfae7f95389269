/* plan.h - composing the grids of one class: chunks of candidates, controls, gold, special grids,
 * order of cells. Pure: images are ids with what matters about them, the generator is the caller's; the same input and
 * generator give the same grids. */
#ifndef DOMAIN_PLAN_H
#define DOMAIN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "domain/grids/grid.h"

/* Originals that one special grid shows at most, as the study's own special grids did. */
enum { PLAN_LABEL = 42, PLAN_SPECIAL_MOST = 16 };

struct plan_image {
    int64_t id;
    int64_t content;  /* equal ones never share a grid; 0: unknown */
    uint32_t answers; /* counted so far under its own class */
};

struct plan_pool {
    const struct plan_image *images;
    size_t n;
};

struct plan_class {
    struct plan_pool candidates; /* all that may be shown; those with too few answers are planned */
    struct plan_pool originals;  /* of the class: positive controls */
    struct plan_pool negatives;  /* originals of the nearest class */
    struct plan_pool gold;       /* gold images of the class: expected to be selected */
    struct plan_pool other_gold; /* of the nearest class: expected not to be */
};

struct plan_rules {
    uint32_t answers_per_grid;
    unsigned gold_per_grid; /* at most; they take candidates' cells */
    size_t coverage;        /* originals that should have PLAN_COVERED answers; 0: none need to */
    bool once;              /* no candidate is in two grids: whoever saw it cannot be asked about it again */
};

struct plan_grid {
    unsigned n;
    bool special;
    int64_t image[GRID_CELLS];
    enum cell_role role[GRID_CELLS];
};

/* The grids of a class. The caller frees *out.
 *
 * Candidates with fewer answers than a grid gets stand once each, in drawn order, in chunks of 42;
 * gold images take cells from them. A short last chunk is topped up with candidates of earlier
 * chunks; a short only chunk gets more controls instead (grid_controls). With `once` nothing is topped up: chunks are of
 * about the same size, with three controls of either kind, and grids have fewer cells. Positive controls are the
 * originals with the fewest answers, those that the plan brings included, ties at random; negative
 * controls are drawn from the negatives. Then, if the class has `coverage` originals, special grids
 * follow until that many are covered: k of them, (48 - k) / 2 of the least answered candidates, the
 * rest negatives. No image and no content appears twice in a grid; where there are fewer images than
 * needed it has fewer cells. Cells are shuffled. */
void plan_grids(const struct plan_class *c, const struct plan_rules *rules, struct rng *r,
                struct plan_grid **out, size_t *n);

#endif
