/* relations.h - how two classes of a test set relate (Shankar et al. 2020, section 3.2 and appendix: equal classes, subsets, classes
 * that are confused, classes whose images show something else than their gloss says). Pure rules. */
#ifndef DOMAIN_RELATIONS_H
#define DOMAIN_RELATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"

enum relation {
    RELATION_EQUAL,      /* every image of one shows the other as well, and the other way round */
    RELATION_CONTAINS,   /* every image of b shows a as well */
    RELATION_CONFUSABLE, /* people or models take one for the other */
    RELATION_REDEFINED,  /* images of a show what b means, whatever the gloss of a says */
    RELATION_NONE,       /* they were related, or are not although one might think so */
    RELATIONS
};
extern const char *const relation_words[RELATIONS]; /* "equal", ... */
enum relation relation_of(struct sv word);          /* RELATIONS for anything else */
/* Whether it matters which of the two comes first. */
bool relation_directed(enum relation kind);

struct relation_pair {
    int64_t a, b;
    enum relation kind;
};
/* Classes whose images show the class, or may: itself, equal ones, those that it contains or that contain it, those whose images
 * were found to mean it, and so on from each in the same direction. Ascending, in the arena. Their images are no negative
 * examples of the class. */
int64_t *relations_overlapping(const struct relation_pair *list, size_t n, int64_t class_id, struct arena *a, size_t *n_out);
/* Whether an ascending list has it. */
bool relations_has(const int64_t *list, size_t n, int64_t class_id);

#endif
