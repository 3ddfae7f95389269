/* review_round.h - the order in which a reviewer goes through the classes of a revision, which classes come a second
 * time, and which originals are mixed among a class's images: all of it from the round's seed. Pure rules on arrays. */
#ifndef DOMAIN_REVIEW_ROUND_H
#define DOMAIN_REVIEW_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct round_turn {
    uint32_t class_index;
    bool again;            /* the class's second time, never right after the first */
};
/* Every class of the revision once in an order of the reviewer's own, and `percent` of them again later. */
void round_order(uint64_t seed, int64_t account, uint32_t n_classes, unsigned percent, struct arena *a,
                 struct round_turn **out, size_t *n);

/* Which of a class's originals are mixed among its n images so that they are `percent` of what is shown, and in
 * which order all are shown: places[i] < n is an image, places[i] - n an index into the originals. At least one
 * original when percent > 0 and there is one. The same for every reviewer; another order when it comes again. */
void round_mix(uint64_t seed, uint32_t class_index, bool again, uint32_t n, uint32_t n_originals, unsigned percent,
               struct arena *a, uint32_t **places, size_t *n_places);

#endif
