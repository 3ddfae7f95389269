/* world.h - what there is in the demo's world: 24 classes that are nouns of WordNet 3.0 (the table
 * was copied from Debian's wordnet-base), which emoji show them, and things that are no class. */
#ifndef DEMO_WORLD_H
#define DEMO_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sv.h"

/* Where a thing is seen. */
enum habitat { HABITAT_MEADOW, HABITAT_WILD, HABITAT_WATER, HABITAT_STREET, HABITAT_TABLE, HABITATS };

enum { WORLD_CLASSES = 24, WORLD_SMALL = 6, WORLD_EMOJI = 2, WORLD_CLUTTER = 20 };

/* Classes of one group are easily taken for each other; the next in it is the most similar. */
struct world_class {
    const char *wnid, *words, *gloss; /* words joined by "|" */
    const char *page;                 /* of the English Wikipedia */
    unsigned group;
    enum habitat habitat;
    bool small;                       /* one of the WORLD_SMALL of the small world */
    uint32_t emoji[WORLD_EMOJI];      /* 0: none */
};
extern const struct world_class world_classes[WORLD_CLASSES]; /* by wnid */

struct world_thing {
    uint32_t emoji;
    enum habitat habitat;
};
extern const struct world_thing world_clutter[WORLD_CLUTTER];

/* How much is drawn. */
struct world_size {
    const char *name;
    unsigned original, candidate, reference, gold, train; /* images of each class */
    bool small;                                           /* only the WORLD_SMALL classes */
};
/* "full", "small" or "tiny"; NULL for anything else. */
const struct world_size *world_size(const char *name);

/* The class of that wnid, -1: none. */
int world_find(struct sv wnid);
/* The next class of the group, round about; the class itself when it is alone in this world. */
unsigned world_next(unsigned class_index, bool small);

/* DIR/classes.jsonl, as `holdout import classes` reads it. */
enum err_code world_write_classes(const char *path, bool small, struct err *err);

#endif
