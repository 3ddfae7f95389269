/* plan_check.c - rules of a grid. */
#include "domain/plan_check.h"

#include <stdbool.h>
#include <stddef.h>

unsigned checked_count(const struct checked_grid *g, enum cell_role role)
{
    unsigned n = 0;
    for (unsigned i = 0; i < g->n; i++) {
        n += g->cell[i].role == role;
    }
    return n;
}

static bool from_its_class(const struct checked_grid *g, const struct checked_cell *c)
{
    switch (c->role) {
    case CELL_CANDIDATE:
    case CELL_POSITIVE:
        return c->class_id == g->class_id;
    case CELL_NEGATIVE:
        return c->class_id != g->class_id && (!g->nearest || c->class_id == g->nearest);
    case CELL_GOLD:
        return c->class_id == g->class_id || !g->nearest || c->class_id == g->nearest;
    }
    return false;
}

const char *plan_cells_fault(const struct checked_grid *g)
{
    if (g->n > GRID_CELLS) {
        return "more than 48 cells";
    }
    for (unsigned i = 0; i < g->n; i++) {
        const struct checked_cell *c = &g->cell[i];
        if (!from_its_class(g, c)) {
            return "a cell from another class";
        }
        for (unsigned k = 0; k < i; k++) {
            if (g->cell[k].image == c->image) {
                return "an image twice";
            }
            if (c->content && g->cell[k].content == c->content) {
                return "a content twice";
            }
        }
    }
    return NULL;
}

const char *plan_fault(const struct checked_grid *g)
{
    const char *fault = plan_cells_fault(g);
    unsigned label = checked_count(g, CELL_CANDIDATE) + checked_count(g, CELL_GOLD);
    unsigned positive, negative;
    if (fault) {
        return fault;
    }
    if (label == 0 || label > 42) {
        return "not 1 to 42 cells to label";
    }
    grid_controls(label, &positive, &negative);
    return checked_count(g, CELL_POSITIVE) != positive   ? "another number of positive controls"
           : checked_count(g, CELL_NEGATIVE) != negative ? "another number of negative controls"
           : g->n != GRID_CELLS                          ? "not 48 cells"
                                                         : NULL;
}

const char *plan_special_fault(const struct checked_grid *g)
{
    const char *fault = plan_cells_fault(g);
    unsigned k = checked_count(g, CELL_POSITIVE);
    unsigned label = checked_count(g, CELL_CANDIDATE) + checked_count(g, CELL_GOLD);
    return fault                       ? fault
           : k == 0 || k > 16          ? "not 1 to 16 originals"
           : label > (GRID_CELLS - k) / 2 ? "more than half of the rest to label"
           : g->n != GRID_CELLS        ? "not 48 cells"
                                       : NULL;
}
