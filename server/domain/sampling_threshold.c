/* sampling_threshold.c - Threshold0.7 and its like: any images whose frequency is high enough. That one
 * is not is a reason of exclusion (sample_reason_of), so nothing is special here but the single cell. */
#include "domain/sampling_private.h"

const struct sample_ways sample_threshold = {.cells = sample_single_cells,
                                             .cell_of = sample_single_cell_of,
                                             .before = sample_by_rank,
                                             .keeps_parent = true};
