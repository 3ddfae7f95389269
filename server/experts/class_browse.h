/* class_browse.h - the project's classes as a tree that is opened level by level (domain/classes/class_tree.h): for people who
 * look for a class without knowing its name. Groups at which nothing branches are passed over. */
#ifndef EXPERTS_CLASS_BROWSE_H
#define EXPERTS_CLASS_BROWSE_H

#include "measures/core/class_groups.h"

struct class_entry {
    struct sv wnid, words, gloss; /* words joined by "|" */
    bool is_class;
    int64_t classes; /* it, if it is one, and those below it in the tree */
    bool opens;      /* something is below it */
};
struct class_level {
    struct class_entry here;   /* wnid empty: the top */
    struct class_entry *above; /* the way to it from the top, without itself */
    struct class_entry *rows;  /* what is directly below it, by words */
    size_t n_above, n;
};
/* What is below a class or synset, empty: at the top, which begins where there is something to choose from. In the arena.
 * ERR_NOT_FOUND (rule "no-class") when it is no class and above none. */
enum err_code class_browse(const struct class_hierarchy *h, struct sv wnid, struct arena *a, struct class_level *out,
                           struct err *err);

#endif
