/* group_folds.h - images that belong together, and folds for cross-validation which no such group straddles. Pure
 * functions. */
#ifndef DOMAIN_GROUP_FOLDS_H
#define DOMAIN_GROUP_FOLDS_H

#include "base/arena.h"
#include "base/rng.h"
#include "base/sv.h"

enum { GROUP_FOLDS = 20, GROUP_WORDS = 3 };

/* What ties an image to others: its uploader, its photo, its bytes. Empty: nothing is known. */
struct group_ties {
    struct sv words[GROUP_WORDS];
};
/* Group of each of n images, 0 .. *n_groups - 1 in order of their first image: two that share a word in the same place
 * are in one group, and so are those that a chain of such pairs connects. An image without words is a group of its own. */
uint32_t *group_ties_join(const struct group_ties *ties, size_t n, struct arena *a, size_t *n_groups);

/* One image that is put into a fold; cell: its class and set. */
struct group_member {
    uint32_t group, cell;
};
/* Fold of each of n images, below `folds` (2 to GROUP_FOLDS). Groups are taken from the largest to the smallest, in
 * random order where they are equally large; each goes where the fewest images of its images' cells are, then where
 * the fewest images are at all, so that every fold has about its share of every class of either set. */
uint8_t *group_folds(const struct group_member *m, size_t n, size_t n_groups, size_t n_cells, unsigned folds,
                     struct rng *rng, struct arena *a);

#endif
