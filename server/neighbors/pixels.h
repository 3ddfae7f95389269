/* pixels.h - the nearest of byte vectors by squared distance: whole numbers throughout, so that the result is the one
 * that brute force finds, whatever is left out on the way. The pixels of two pictures are far apart when the sums of
 * their 8 x 8 blocks are: sum (x - y)^2 over a block is at least (sum x - sum y)^2 / 64. Where pictures have blocks,
 * their means, which are bytes as well, are compared first, with room for what rounding took from the sums; and pixels
 * only where their distance could be among the nearest. Knows nothing of files. */
#ifndef NEIGHBORS_PIXELS_H
#define NEIGHBORS_PIXELS_H

#include "neighbors/nearest.h"

enum {
    PIXELS_BLOCK = 8,         /* side of a block */
    PIXELS_MOST = 3 * 1024 * 1024 /* bytes of a vector: distances stay below 2^53 */
};

/* `size` bytes a vector. With a side that is a multiple of PIXELS_BLOCK, vectors are square pictures of 3 channels whose
 * blocks are compared first; else side is 0. */
struct pixels_shape {
    uint32_t size, side;
};
/* For square pictures of RGB. */
struct pixels_shape pixels_shape_of(uint32_t side);

/* Vectors made ready on one side of the search. The bytes stay the caller's and must outlive it. */
struct pixels_side;
/* rows: n x size bytes. References take as much memory again. */
struct pixels_side *pixels_side_new(const struct pixels_shape *s, const uint8_t *rows, uint32_t n, bool references);
void pixels_side_free(struct pixels_side *side);

/* Of every query from `from` to before `to` the nearest references are added to its list, under their numbers, which
 * ascend. Several threads may search with the same sides, each its own queries. */
void pixels_search(const struct pixels_side *queries, uint32_t from, uint32_t to, const struct pixels_side *references,
                   const uint32_t *numbers, struct nearest *lists);

/* Squared distance of two vectors. */
uint64_t pixels_distance(const uint8_t *a, const uint8_t *b, size_t size);

#endif
