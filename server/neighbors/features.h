/* features.h - the nearest of feature vectors by squared distance. Products in floats say which could be among the
 * nearest, with a bound for what rounding may do; distances of these are summed in doubles, in one order: the result
 * is the one that brute force in doubles finds, on every processor. Knows nothing of files and models. */
#ifndef NEIGHBORS_FEATURES_H
#define NEIGHBORS_FEATURES_H

#include "neighbors/nearest.h"

enum { FEATURES_MOST = 1 << 20 }; /* numbers of a vector */

/* Vectors made ready on one side of the search. The numbers stay the caller's, finite, and must outlive it. */
struct features_side;
/* rows: n x size floats. */
struct features_side *features_side_new(uint32_t size, const float *rows, uint32_t n);
void features_side_free(struct features_side *side);

/* As pixels_search of pixels.h. */
void features_search(const struct features_side *queries, uint32_t from, uint32_t to,
                     const struct features_side *references, const uint32_t *numbers, struct nearest *lists);

#endif
