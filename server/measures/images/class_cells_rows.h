/* class_cells_rows.h - classes, or groups of them, that are taken for each other or come together, as rows with their names:
 * the API's records and CSV; and as the cells of a heat map. */
#ifndef MEASURES_CLASS_CELLS_ROWS_H
#define MEASURES_CLASS_CELLS_ROWS_H

#include "measures/images/class_cells.h"
#include "record/record.h"

struct class_cell_row {
    struct sv wnid, synset, other, other_synset; /* other: empty for a class that is not in the project, or in no group */
    uint32_t answers, images, of;
    double share; /* answers of all about the row, 0 to 1 */
};
extern const struct record confusion_record, together_cell_record, class_group_record;
/* At most `most` cells from the one at `skip` on, as many as there are; `groups`: those that were counted by. In the arena. */
struct class_cell_row *class_cell_rows(const struct class_cells *c, const struct class_groups *groups, size_t skip, size_t most,
                                       struct arena *a, size_t *n);
/* Of cells by class only those whose label is in the group `row` and whose other class is in `column` of `groups`. */
void class_cells_within(struct class_cells *c, const struct class_groups *groups, uint32_t row, uint32_t column);

/* A heat map: shares of the answers about each row. */
struct class_heat {
    uint32_t *rows, *columns; /* groups */
    size_t n_rows, n_columns;
    double *share;            /* [row * n_columns + column]; of CELLS_CONFUSED a column that is the row: what is not said to be
                                 of another group, so right answers too */
};
/* Of at most `most` groups each way, those of `shown`'s first cells; of all where there are no more and `every`. `all`: the
 * cells with none left out. In the arena. */
struct class_heat class_heat_make(enum class_cells_what what, const struct class_cells *all, const struct class_cells *shown,
                                  bool every, size_t most, struct arena *a);

#endif
