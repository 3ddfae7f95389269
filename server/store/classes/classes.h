/* classes.h - SQL for the classes of the test set, their similar ones, and the synset hierarchy.
 * Texts are in the caller's arena. */
#ifndef STORE_CLASSES_CLASSES_H
#define STORE_CLASSES_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct class_info {
    int64_t id, cid;
    struct sv wnid, synset, gloss, wikipedia; /* synset and wikipedia joined by "|" */
};

/* Inserts, or updates synset, gloss and wikipedia of the wnid that is there; *changed says if
 * anything did. ERR_CONFLICT (rule "cid") when another class has the cid. */
enum err_code classes_put(struct db *db, const struct class_info *c, bool *changed,
                          struct err *err);
enum err_code classes_event(struct db *db, uint64_t n, int64_t now, struct err *err);
/* ERR_NOT_FOUND (rule "no-class"). */
enum err_code classes_find(struct db *db, struct sv wnid, struct arena *a, struct class_info *out,
                           struct err *err);
enum err_code classes_get(struct db *db, int64_t id, struct arena *a, struct class_info *out,
                          struct err *err);
/* All, by cid. */
enum err_code classes_list(struct db *db, struct arena *a, struct class_info **out, size_t *n,
                           struct err *err);

/* Rank 0 is the class itself. Does nothing when it is there. */
enum err_code classes_put_similar(struct db *db, int64_t class_id, int64_t rank, int64_t other,
                                  struct err *err);
/* Other classes, the nearest first; none when none are known. In the arena. */
enum err_code classes_near(struct db *db, int64_t class_id, struct arena *a, int64_t **out, size_t *n, struct err *err);
/* Every class with each of its similar ones, itself too when it was given. */
enum err_code classes_similar_each(struct db *db,
                                   enum err_code (*each)(void *arg, int64_t class_id, int64_t other, struct err *err),
                                   void *arg, struct err *err);
enum err_code classes_similar_count(struct db *db, int64_t *out, struct err *err);

/* Changes when classes came or they got a hierarchy; not when their words did. */
enum err_code classes_stamp(struct db *db, int64_t *out, struct err *err);

/* Ids of the class and of those below it in the hierarchy, ascending; the wnid may be a synset's that is no class.
 * ERR_NOT_FOUND (rule "no-class") when the project has no such wnid, or no class below it. */
enum err_code classes_below(struct db *db, struct sv wnid, struct arena *a, int64_t **out, size_t *n, struct err *err);

/* Hierarchy. Inserts a synset, or updates the words and gloss of the id that is there. */
enum err_code synsets_put(struct db *db, int64_t id, struct sv wnid, struct sv words,
                          struct sv gloss, struct err *err);
enum err_code synsets_put_parent(struct db *db, int64_t child, int64_t parent, struct err *err);
struct synset_info {
    int64_t id;
    struct sv wnid, words, gloss; /* words joined by "|" */
};
struct synset_edge {
    int64_t child, parent;
};
/* The synsets of classes and all above them, by wnid; and which of them are directly above which. */
enum err_code synsets_above(struct db *db, struct arena *a, struct synset_info **out, size_t *n, struct err *err);
enum err_code synset_edges_above(struct db *db, struct arena *a, struct synset_edge **out, size_t *n, struct err *err);

#endif
