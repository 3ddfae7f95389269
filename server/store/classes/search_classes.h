/* search_classes.h - SQL for what searching for candidates must know of classes: the words of their
 * direct hypernyms, and by which keyword how many candidates were found. */
#ifndef STORE_CLASSES_SEARCH_CLASSES_H
#define STORE_CLASSES_SEARCH_CLASSES_H

#include <stdint.h>

#include "db/db.h"

/* Every (class, words of a direct hypernym of its synset), by class. Texts are borrowed for the calls. */
enum err_code search_parents_each(struct db *db,
                                  enum err_code (*each)(void *arg, int64_t class_id, struct sv words,
                                                        struct err *err),
                                  void *arg, struct err *err);

struct search_found {
    int64_t class_id, candidates;
    struct sv keyword;  /* empty: without one */
    struct sv last_day; /* when the latest of them was taken; empty: not known */
};
/* Every (class, keyword) that candidates have, by both. */
enum err_code search_found_each(struct db *db,
                                enum err_code (*each)(void *arg, const struct search_found *f, struct err *err),
                                void *arg, struct err *err);

#endif
