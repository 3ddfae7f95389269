/* training.h - training of experts on images with a label that is known (Shankar et al. 2020, section 3.2): words, parts of
 * ten images, which images a list takes, and when somebody has passed it. Pure. */
#ifndef DOMAIN_TRAINING_H
#define DOMAIN_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/sv.h"

enum {
    TRAINING_PART = 10,    /* images of a part */
    TRAINING_IMAGES = 5000, /* most of a list */
    TRAINING_MARK = 80,    /* percent, unless a list says otherwise */
    TRAINING_SPAN = 20,    /* answers that the mark is about, likewise */
    TRAINING_COMMENT = 2000
};

/* What a list is made of: images of classes that are related; of classes that models take for each other; of all classes
 * below one; images of a file. */
enum training_made { MADE_RELATION, MADE_CONFUSIONS, MADE_GROUP, MADE_FILE, TRAINING_MADE };
const char *training_made_word(enum training_made m); /* "relation", "confusions", "group", "file" */
bool training_made_of(struct sv word, enum training_made *out);

/* What somebody suggests about the label that they chose, or about the image (problematic). */
enum training_verdict { SUGGEST_CORRECT, SUGGEST_WRONG, SUGGEST_UNCLEAR, SUGGEST_DONTKNOW, SUGGEST_PROBLEMATIC, SUGGEST_NONE, SUGGESTS };
const char *training_verdict_word(enum training_verdict v); /* "correct", ... "none": taken back */
bool training_verdict_of(struct sv word, enum training_verdict *out);

int64_t training_parts(int64_t images);

/* One person's progress: the share of right ones among their latest `span` answers that count, and since when it has
 * reached the mark. Having passed stays. */
struct training_standing {
    int64_t answers;  /* that count */
    int64_t n, right; /* of the latest `span` of them */
    bool passed;
    int64_t after;    /* how many answers that count it took to pass; 0: not yet */
};
/* `fits`: answers that count, in the order in which they were given. mark: percent, 1 to 100; span: 1 or more. */
struct training_standing training_stand(const bool *fits, size_t n, int64_t mark, int64_t span);

/* Takes `want` of n images (or all, if there are no more), as equally many of each class as there are, at random, in a
 * random order: their indices go to `out`, which has room for n. Gives how many. */
size_t training_draw(const uint32_t *class_of, size_t n, size_t want, struct rng *r, uint32_t *out);

#endif
