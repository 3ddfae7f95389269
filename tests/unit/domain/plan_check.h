/* plan_check.h - the rules of planned grids as a question to one grid, whoever composed
 * it: planned grids and the study's own HITs are asked the same. */
#ifndef TESTS_PLAN_CHECK_H
#define TESTS_PLAN_CHECK_H

#include <stdint.h>

#include "domain/grids/grid.h"

struct checked_cell {
    int64_t image, content; /* content 0: unknown */
    int64_t class_id;       /* the image's own */
    enum cell_role role;
};
struct checked_grid {
    int64_t class_id, nearest; /* nearest 0: not known */
    unsigned n;
    struct checked_cell cell[GRID_CELLS];
};
unsigned checked_count(const struct checked_grid *g, enum cell_role role);

/* NULL, or the first rule that a grid with enough images to draw from breaks: 48 cells, no image
 * and no content twice, every cell from its class, controls as many as the label cells ask for. */
const char *plan_fault(const struct checked_grid *g);
/* The same for a special grid: at most 16 originals, at most half of the rest to label, negatives
 * for what is left. */
const char *plan_special_fault(const struct checked_grid *g);
/* The part of the rules that holds however few images there are. */
const char *plan_cells_fault(const struct checked_grid *g);

#endif
