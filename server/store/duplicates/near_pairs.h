/* near_pairs.h - SQL for what was said about near-duplicates: pairs of names, and which image of its component stays
 * nevertheless. Which images are out follows from them by domain/images/near_duplicates.h. */
#ifndef STORE_DUPLICATES_NEAR_PAIRS_H
#define STORE_DUPLICATES_NEAR_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct near_pair {
    struct sv a, b; /* a < b, bytewise */
    int64_t event;
};
/* Inside the caller's transaction, which has made the event; in any order. What holds already is not written
 * (*added false). Event 0: only says what it would do. ERR_INPUT (rule "near-duplicate-self") for an image and
 * itself. */
enum err_code near_pairs_put(struct db *db, int64_t event, struct sv a, struct sv b, bool same, bool *added,
                             struct err *err);
/* Every pair that holds as of an event (0: now), by a and b; texts are borrowed for the call. */
enum err_code near_pairs_each(struct db *db, int64_t as_of,
                              enum err_code (*each)(void *arg, const struct near_pair *p, struct err *err),
                              void *arg, struct err *err);
/* Pairs that hold with the name at either end. */
enum err_code near_pairs_of(struct db *db, struct sv name, struct arena *a, struct near_pair **out, size_t *n,
                            struct err *err);
/* Pairs that hold with an image of the class at either end, each once. */
enum err_code near_pairs_of_class(struct db *db, int64_t class_id, struct arena *a, struct near_pair **out,
                                  size_t *n, struct err *err);

/* "Of its component this one stays." Event 0 as above. */
enum err_code near_keeps_put(struct db *db, int64_t event, struct sv name, bool keep, bool *added,
                             struct err *err);
enum err_code near_keeps_each(struct db *db, int64_t as_of,
                              enum err_code (*each)(void *arg, struct sv name, struct err *err), void *arg,
                              struct err *err);
/* Images, but for training images themselves, that are recorded as near-duplicates of a training image: ascending. */
enum err_code near_pairs_trained(struct db *db, struct arena *a, int64_t **out, size_t *n, struct err *err);

#endif
