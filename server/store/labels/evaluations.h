/* evaluations.h - SQL for lists of images that people classify as models do: what is in them, and whose work they are. What
 * people say: evaluation_people.h. A list is seen once all its rows are there. */
#ifndef STORE_LABELS_EVALUATIONS_H
#define STORE_LABELS_EVALUATIONS_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/evaluation/evaluation.h"

struct evaluation_row {
    int64_t id, as_of, seed, images, at, account; /* account 0: the command line */
    int64_t people, answers;     /* whose work it is; answers of everybody */
    struct sv name, drawn_by, models, state, login; /* drawn_by: class, hardest; models: JSON; state: open, closed; login: who made it */
};
/* ERR_NOT_FOUND (rule "evaluation") says which there are. */
enum err_code evaluations_find(struct db *db, struct sv name, struct arena *a, struct evaluation_row *out, struct err *err);
/* By name. `account`: only open ones that are the account's work; 0: all. */
enum err_code evaluations_list(struct db *db, int64_t account, struct arena *a, struct evaluation_row **out, size_t *n,
                               struct err *err);
/* Whether the account has work on an open list: then it sees tasks and nothing else about images. */
enum err_code evaluations_at_desk(struct db *db, int64_t account, bool *out, struct err *err);

/* ---- what is in one ---- */

struct evaluation_set_row {
    int64_t side, revision, images, seen, most_right; /* seen: not taken because somebody had seen them; most_right -1: not by models */
    struct sv set; /* SET/NUMBER */
};
/* By side: originals first. One or two. */
enum err_code evaluation_sets(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_set_row **out, size_t *n,
                              struct err *err);
struct evaluation_class {
    int64_t class_id, cid;
    struct sv wnid, synset, gloss;
};
/* What there is to choose among, by class number; none: all classes of the project. */
enum err_code evaluation_classes(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_class **out, size_t *n,
                                 struct err *err);
struct evaluation_image {
    uint32_t image;
    int64_t side, models_right; /* models_right -1: not by models */
};
/* By number. */
enum err_code evaluation_images(struct db *db, int64_t evaluation, struct arena *a, struct evaluation_image **out, size_t *n,
                                struct err *err);
/* ERR_NOT_FOUND (rule "evaluation-item"). */
enum err_code evaluation_image_at(struct db *db, int64_t evaluation, int64_t number, int64_t *image, struct err *err);

/* ---- making one ---- */

struct evaluation_candidate { /* an image of a revision, by position */
    uint32_t image, class_id;
    int64_t source; /* 0: there are no pixels to show */
};
enum err_code evaluation_candidates(struct db *db, int64_t revision, struct arena *a, struct evaluation_candidate **out, size_t *n,
                                    struct err *err);
/* Images that the account was shown anywhere, or is to be shown by another evaluation, in no order. */
enum err_code evaluation_saw_list(struct db *db, int64_t account, struct arena *a, int64_t **out, size_t *n, struct err *err);

struct evaluation_new {
    struct sv name, models;
    int64_t as_of, account, seed;
    enum evaluation_by by;
    const struct evaluation_set_row *sets; /* `set` is not read */
    size_t n_sets;
    const int64_t *classes; /* to choose among, or none */
    size_t n_classes;
    const struct evaluation_image *images; /* by number */
    size_t n;
    const int64_t *people; /* accounts */
    size_t n_people;
};
/* ERR_INPUT (rule "evaluation-name") or ERR_CONFLICT (rule "evaluation-taken"). */
enum err_code evaluation_name_free(struct db *db, struct sv name, struct err *err);
/* Writes transactions of its own: rows in slices, people and state last. What a killed run left under the name is replaced. */
enum err_code evaluation_add(struct db *db, bool alone, const struct evaluation_new *v, int64_t now, int64_t *id, struct err *err);

/* Inside the caller's transaction; nothing is written when it is so already. */
enum err_code evaluation_close(struct db *db, int64_t evaluation, int64_t by, int64_t now, struct err *err);
enum err_code evaluation_assign(struct db *db, int64_t evaluation, int64_t account, bool active, int64_t by, int64_t now,
                                struct err *err);

#endif
