/* evaluation.h - people classify images as models do: which images they are asked about, in which order, and which of them
 * are fast (Recht et al. 2019, appendix B.2.5; Shankar et al. 2020, section 3). Pure. */
#ifndef DOMAIN_EVALUATION_H
#define DOMAIN_EVALUATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/sv.h"

enum {
    EVALUATION_SIDES = 2,      /* originals, new */
    EVALUATION_IMAGES = 20000, /* of a list */
    EVALUATION_AMONG = 30,     /* classes to choose among, when not all of the project's are offered */
    EVALUATION_PEOPLE = 50
};

/* By what images are chosen. */
enum evaluation_by { EVALUATION_CLASS, EVALUATION_HARDEST, EVALUATION_WAYS };
const char *evaluation_word(enum evaluation_by by); /* "class", "hardest" */
bool evaluation_word_of(struct sv word, enum evaluation_by *out);

/* As many images of each class: quota[k] of class k, which differ by one at most; where they do, chance says which classes
 * have one more. */
void evaluation_spread(uint32_t images, uint32_t classes, struct rng *r, uint32_t *quota);

struct evaluation_cut {
    uint32_t most_right; /* images that at most so many models have right */
    uint32_t images;     /* how many these are: at least as many as wanted, all ties included */
};
/* The hardest of images by how many models have each right; 1 <= wanted <= n. */
struct evaluation_cut evaluation_hardest(const uint32_t *models_right, uint32_t n, uint32_t wanted);

/* In which order somebody sees the images of a list: order[place] = number. The same whenever they come back; nothing
 * follows for anybody else's. */
void evaluation_order(uint64_t seed, int64_t account, uint32_t n, uint32_t *order);

/* Whether an image is fast: at least three people were timed, and the median of their times (ms) is below a minute.
 * `ms` is sorted by this. */
enum { EVALUATION_FAST_PEOPLE = 3, EVALUATION_FAST_MS = 60000 };
bool evaluation_fast(int64_t *ms, size_t n);

#endif
