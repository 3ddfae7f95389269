/* class_search.h - finding a class by a word of it or of something above it in the hierarchy, for people who choose labels. */
#ifndef EXPERTS_CLASS_SEARCH_H
#define EXPERTS_CLASS_SEARCH_H

#include "store/classes/classes.h"

struct class_found {
    struct class_info k;
    int rank; /* how well it fits; 0: the query is its wnid or one of its words */
};
/* At most `most`, the best first: the words or wnid, their beginnings, anywhere in them, in the gloss. In the arena. */
enum err_code class_search(struct db *db, struct sv query, size_t most, struct arena *a, struct class_found **out, size_t *n,
                           struct err *err);

#endif
