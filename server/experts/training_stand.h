/* training_stand.h - what people have passed in training, and what that unlocks. */
#ifndef EXPERTS_TRAINING_STAND_H
#define EXPERTS_TRAINING_STAND_H

#include "stats/binomial.h"
#include "store/labels/training_answers.h"

struct training_progress {
    int64_t done, parts, part, part_done, part_images; /* images answered; the part that one is in, from 1, 0: through */
    struct training_standing stand;
    struct proportion share; /* of the latest answers that count, with its interval (Clopper-Pearson, 95 %) */
};
/* Of an account in a list. */
enum err_code training_progress_read(struct db *db, const struct training_list_row *l, int64_t account, struct arena *a,
                                     struct training_progress *out, struct err *err);

struct training_group {
    struct sv unlocks;
    bool unlocked;              /* the account has passed one of its lists */
    struct sv list;             /* an open list with which it can be; empty: there is none */
};
/* Every group that a list names, by name, for an account. */
enum err_code training_groups(struct db *db, int64_t account, struct arena *a, struct training_group **out, size_t *n, struct err *err);
/* Those that the work needs and the account has not unlocked. */
enum err_code training_missing(struct db *db, enum training_for kind, int64_t list, int64_t account, struct arena *a,
                               struct training_group **out, size_t *n, struct err *err);
/* ERR_DENIED (rule "training-needed") says what is missing, and where to train. */
enum err_code training_need_check(struct db *db, enum training_for kind, int64_t list, int64_t account, struct arena *a,
                                  struct err *err);

#endif
