/* agreement.h - how one answer to a grid compares: with the grid's controls, and with what others
 * answered on the same cells. Shown to leads, never applied by itself (positive
 * controls come from the originals, so who misses some is not wrong). Pure rules, no input or
 * output.
 *
 * Agreement. For an answer and a cell with m >= 1 others, of whom the share f selected the cell, the
 * cell's agreement is 1 - |x - f|, where x is 1 when the answer selected it and 0 when not: the share
 * of the others who said the same. The answer's agreement is the mean over the cells: the chance
 * that a random other person says the same as this one about a random cell of this grid. Others are
 * the counted answers but this one, so nobody agrees with themselves. `relative` is the agreement
 * minus the mean agreement of the counted answers of the grid: a hard grid lowers both, so 0 is
 * "as the others on the same cells", whatever the cells. */
#ifndef DOMAIN_AGREEMENT_H
#define DOMAIN_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "domain/grids/grid.h"

/* The expectations of a grid's cells as masks; a gold cell is expected selected when its image was
 * collected for the grid's class. */
struct agreement_key {
    unsigned n;
    uint64_t positive, negative, gold, gold_positive;
    bool whole; /* gold is one thing, right when exactly gold_positive is selected: a check of CLASSIFY */
};

struct agreement_answer {
    uint64_t mask;
    bool counted; /* neither surplus nor out of the analysis */
};

struct agreement {
    unsigned selected;
    unsigned pos_right, pos, neg_right, neg, gold_right, gold;
    double control;   /* (pos_right + neg_right) / (pos + neg); -1 without controls */
    bool compared;    /* somebody else's answer counts */
    double agreement; /* 0 to 1 */
    double relative;
};

/* Fills out[i] for answers[i]. */
void agreement_compute(const struct agreement_key *key, const struct agreement_answer *answers, size_t n,
                    struct agreement *out);

/* Of n values (sorted by the call): the middle one, or the mean of the two in the middle. */
struct agreement_spread {
    double least, most, mean, median;
};
struct agreement_spread agreement_spread(double *values, size_t n);

#endif
