/* cochran.h - does it matter at which position something is shown? A test by permutation within blocks, for votes
 * that are not independent: images differ, people differ, and whatever belongs to one block moves together.
 *
 * A block is a set of positions with a value at each, for which every order was equally likely: one answer whose
 * cells were shuffled for it (a value is 1 for what was selected), or one grid that everybody saw in the same order
 * (a value is the number of answers that selected the cell). Given the values of a block, the expectation at each of
 * its positions and their covariances are exact; over all blocks the squared distance from expectation is about
 * chi-square distributed. No generator is involved. Blocks of zeros and ones at all positions give Cochran's Q (W. G.
 * Cochran, The comparison of percentages in matched samples, Biometrika 37, 1950); blocks that have some of the
 * positions, and other values, the generalised Cochran-Mantel-Haenszel statistic of general association (Landis,
 * Heyman and Koch, International Statistical Review 46, 1978). Pure functions. */
#ifndef STATS_COCHRAN_H
#define STATS_COCHRAN_H

#include <stdint.h>

#include "stats/chi_square.h"

enum { COCHRAN_POSITIONS = 48 };

struct cochran { /* {0}: no blocks */
    double excess[COCHRAN_POSITIONS]; /* sum over blocks: value less the block's mean */
    double cov[COCHRAN_POSITIONS][COCHRAN_POSITIONS]; /* of it, if every order was equally likely */
};

/* A block: value[p] at each position p of the mask, which has none at COCHRAN_POSITIONS and above. One with fewer
 * than two positions says nothing. */
void cochran_block(struct cochran *c, uint64_t positions, const double value[COCHRAN_POSITIONS]);
/* Many blocks at once, each at the positions 0 to n - 1 with values whose sum is 0: the sums of their values by
 * position, and the sum of the squares of all of them. Positions whose value is 0 in a block that was shuffled whole
 * (controls among candidates) count among the n. */
void cochran_blocks(struct cochran *c, unsigned n, double squares);
void cochran_excess(struct cochran *c, const double excess[COCHRAN_POSITIONS]);

/* The test; degrees 0 when nothing differs within any block. */
struct chi_square cochran_test(const struct cochran *c);

#endif
