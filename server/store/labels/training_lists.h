/* training_lists.h - SQL for lists of images on which experts learn classes, for what label reviews and evaluations need of
 * them, and for which images may not be shown. What people say: training_answers.h. */
#ifndef STORE_LABELS_TRAINING_LISTS_H
#define STORE_LABELS_TRAINING_LISTS_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/labels/training.h"

struct training_list_row {
    int64_t id, as_of, seed, images, mark, span, at;
    int64_t answers, people; /* all answers, and how many gave them */
    struct sv name, unlocks, made_of, detail, state, login; /* state: open, closed; login: who made it, empty: the command line */
};
/* ERR_NOT_FOUND (rule "training-list") says which there are. */
enum err_code training_lists_find(struct db *db, struct sv name, struct arena *a, struct training_list_row *out, struct err *err);
/* By group and name. */
enum err_code training_lists_list(struct db *db, struct arena *a, struct training_list_row **out, size_t *n, struct err *err);
/* Those of one group, by name, without counting answers and people (0): it is asked whenever a review or an evaluation is saved. */
enum err_code training_lists_unlocking(struct db *db, struct sv unlocks, struct arena *a, struct training_list_row **out, size_t *n,
                                       struct err *err);

struct training_item {
    uint32_t image, class_id; /* class_id: the right label */
};
struct training_new {
    struct sv name, unlocks;
    enum training_made made;
    const char *detail; /* JSON */
    int64_t as_of, seed, account, mark, span;
    const struct training_item *items;
    size_t n;
};
/* ERR_INPUT (rules "label-name", "training-size") or ERR_CONFLICT (rule "training-name"). */
enum err_code training_list_check(struct db *db, const struct training_new *v, struct err *err);
/* Inside the caller's transaction; the same errors. The list is open. */
enum err_code training_list_add(struct db *db, const struct training_new *v, int64_t now, int64_t *id, struct err *err);
/* Inside the caller's transaction; nothing is written when it is so already. */
enum err_code training_list_state(struct db *db, int64_t list, bool open, int64_t by, int64_t now, struct err *err);

/* ERR_NOT_FOUND (rule "training-item"). */
enum err_code training_list_image(struct db *db, int64_t list, int64_t position, struct training_item *out, struct err *err);

/* Whether the image may not be shown with its label: it, or another one that shows its photo (store/core/photos.h), is in a
 * label review that is open, in an evaluation or in a sealed revision. */
enum err_code training_barred(struct db *db, int64_t image, bool *out, struct err *err);

/* ---- what other work needs ---- */

/* Whether a list unlocks the group. */
enum err_code training_group_known(struct db *db, struct sv unlocks, bool *out, struct err *err);
enum training_for { FOR_LABEL_REVIEW, FOR_EVALUATION };
/* That whoever works on the list must have unlocked the group, or need not any more; inside the caller's transaction.
 * Nothing is written when it is so already. */
enum err_code training_need_set(struct db *db, enum training_for kind, int64_t list, struct sv unlocks, bool needed, int64_t by,
                                int64_t now, struct err *err);
/* The groups that it needs, by name. */
enum err_code training_needs(struct db *db, enum training_for kind, int64_t list, struct arena *a, struct sv **out, size_t *n,
                             struct err *err);
struct training_need_row {
    struct sv kind, name, unlocks; /* kind: label-review, evaluation */
};
/* What they all need, by kind and name. */
enum err_code training_needs_list(struct db *db, struct arena *a, struct training_need_row **out, size_t *n, struct err *err);

#endif
