/* sampling_top.c - TopImages: the images with the highest frequencies. */
#include "domain/sampling_private.h"

static double frequency(const struct sample_image *i)
{
    return i->shown ? (double)i->selected / i->shown : 0;
}

/* The published order, each from high to low: frequency, answers, was in the parent, name. */
static bool before(const struct sample_image *a, const struct sample_image *b)
{
    double x = frequency(a), y = frequency(b);
    if (x > y || y > x) {
        return x > y;
    }
    if (a->shown != b->shown) {
        return a->shown > b->shown;
    }
    return a->in_parent != b->in_parent ? a->in_parent : sample_by_rank(b, a);
}

const struct sample_ways sample_top = {.cells = sample_single_cells,
                                       .cell_of = sample_single_cell_of,
                                       .before = before};
