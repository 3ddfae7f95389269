/* progress.h - SQL for how far the final review of a revision is: class by class, person by person. */
#ifndef STORE_REVIEW_PROGRESS_H
#define STORE_REVIEW_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct review_class {    /* a class of the revision */
    int64_t class_id, images;
    struct sv wnid, synset; /* joined by "|" */
    bool reviewed, problematic, carried;
    int64_t at, account;    /* of the newest word about it; 0: nobody said anything, or an import */
    int64_t banned, paired; /* images that are blacklisted now; that stand in a pair of near-duplicates
                             * whose other image is in the revision too, or an original */
};
/* By wnid, for which a class's place is its index in a round's order. */
enum err_code review_progress_classes(struct db *db, int64_t revision, struct arena *a,
                                      struct review_class **out, size_t *n, struct err *err);
/* The same without banned and paired, which cost a lookup for each image. */
enum err_code review_progress_short(struct db *db, int64_t revision, struct arena *a,
                                    struct review_class **out, size_t *n, struct err *err);

struct review_person {   /* who decided in the review of the revision */
    int64_t account, decisions, classes, at; /* at: of the newest one */
    struct sv login, wnid;                   /* login: empty when it is not known any more */
};
/* Whoever decided last first. */
enum err_code review_progress_people(struct db *db, int64_t revision, struct arena *a,
                                     struct review_person **out, size_t *n, struct err *err);

#endif
