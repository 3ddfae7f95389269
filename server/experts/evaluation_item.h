/* evaluation_item.h - an evaluation as one person goes through it: places 0, 1, 2 ... in an order of their own, one image
 * at a time, each once. Images that they were shown elsewhere meanwhile, and those that are hidden, are passed over. */
#ifndef EXPERTS_EVALUATION_ITEM_H
#define EXPERTS_EVALUATION_ITEM_H

#include "store/labels/evaluation_people.h"

/* Who goes through which list. `hidden` says which images nobody is shown; NULL: none. */
struct evaluation_turn {
    const struct evaluation_row *list;
    int64_t account;
    bool (*hidden)(void *arg, int64_t image);
    void *arg;
};
struct evaluation_place {
    int64_t place, number, image; /* place -1: they are through */
    int64_t answered, of;         /* images that they have answered; of the list */
};
/* The first place without an answer from which they are not kept, of the places after `after` (-1: all). */
enum err_code evaluation_next(struct db *db, const struct evaluation_turn *t, int64_t after, struct arena *a,
                              struct evaluation_place *out, struct err *err);
/* Which image is at a place for the account; ERR_NOT_FOUND (rule "evaluation-item"). */
enum err_code evaluation_number_at(const struct evaluation_turn *t, int64_t place, struct arena *a, int64_t *number, struct err *err);
/* The list of that name for whose work it is; ERR_DENIED (rule "evaluation-theirs"), ERR_NOT_FOUND (rule "evaluation"). */
enum err_code evaluation_theirs(struct db *db, struct sv name, int64_t account, struct arena *a, struct evaluation_row *out,
                                struct err *err);

#endif
