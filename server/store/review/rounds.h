/* rounds.h - SQL for blind rounds of the final review: who is through with which class, what
 * they said of each image that they were shown, and what that says about the reviewers. Which classes
 * come in which order and which originals are mixed in follows from the round's seed (domain/review/review_round.h). */
#ifndef STORE_REVIEW_ROUNDS_H
#define STORE_REVIEW_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

enum { REVIEW_ROUND_MOST = 50 };

struct review_round {
    int64_t id, revision, at, account, seed; /* id 0: there is none */
    unsigned originals, repeats;             /* percent of the images shown, of the classes */
};
/* Inside the caller's transaction; it is the revision's round from then on. ERR_INPUT (rule
 * "review-round") unless both are 0 to 50. */
enum err_code review_rounds_add(struct db *db, const struct review_round *round, int64_t now,
                                int64_t *id, struct err *err);
/* The revision's newest; id 0 when it has none. */
enum err_code review_rounds_newest(struct db *db, int64_t revision, struct review_round *out,
                                   struct err *err);

/* Ids of the originals of a class that may be shown beside a revision's images of it, or mixed among
 * them, by id: those with pixels that do not stand in the list under the class themselves. */
enum err_code review_originals(struct db *db, int64_t class_id, int64_t list_id, struct arena *a,
                               int64_t **out, size_t *n, struct err *err);

struct review_turn {
    int64_t id, at, class_id;
    bool again;
};
/* What a reviewer is through with, in that order. */
enum err_code review_turns_list(struct db *db, int64_t round, int64_t account, struct arena *a,
                                struct review_turn **out, size_t *n, struct err *err);

struct review_mark {
    int64_t image;
    bool probe, rejected; /* probe: an original that was mixed in */
};
struct review_turn_new {
    int64_t round, account, class_id;
    bool again;
    const struct review_mark *marks;
    size_t n;
};
/* Inside the caller's transaction. ERR_CONFLICT (rule "review-turn"): the reviewer is through with it
 * already, and their answers stand. */
enum err_code review_turns_add(struct db *db, const struct review_turn_new *turn, int64_t now,
                               int64_t *id, struct err *err);

/* What a round says about a reviewer: originals rejected of those shown, images of the set rejected
 * of those shown, and of the images of repeated classes those that were judged alike both times. */
struct review_result {
    int64_t account, turns;
    struct sv login; /* empty when it is not known any more */
    int64_t probes, probes_rejected, images, images_rejected; /* first times */
    int64_t repeated, alike;
};
/* By login. */
enum err_code review_rounds_results(struct db *db, int64_t round, struct arena *a,
                                    struct review_result **out, size_t *n, struct err *err);

#endif
