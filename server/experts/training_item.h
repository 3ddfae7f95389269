/* training_item.h - one image of a training list for one person: what they choose, and what they are told then. Nothing is
 * told before they have answered. */
#ifndef EXPERTS_TRAINING_ITEM_H
#define EXPERTS_TRAINING_ITEM_H

#include "store/classes/classes.h"
#include "store/labels/training_answers.h"

struct training_view {
    struct training_list_row list;
    int64_t position, image;
    struct training_answer_row *answers; /* their own, oldest first */
    size_t n;
    /* Of an image that they have answered; else empty. */
    struct class_info chosen, right; /* chosen: by their newest answer */
    struct training_suggested *suggested; /* everybody's, their own too */
    struct training_known *known;
    size_t n_suggested, n_known;
};
/* In the arena. ERR_NOT_FOUND (rule "training-item"); ERR_CONFLICT (rule "training-barred") when the image may not be shown
 * any more: it became part of other work. */
enum err_code training_view_read(struct db *db, const struct training_list_row *l, int64_t position, int64_t account, struct arena *a,
                                 struct training_view *out, struct err *err);

/* The first image from position `from` on, then from the start, that the account has not answered, may be shown and is not
 * `hidden`; -1: none. */
enum err_code training_next(struct db *db, int64_t list, int64_t account, int64_t from, bool (*hidden)(void *arg, int64_t image),
                            void *arg, int64_t *position, struct err *err);

struct training_saying {
    struct sv list, wnid; /* wnid: the class that they choose, or of which they suggest something; empty: the image */
    int64_t position, account;
    int64_t seen;         /* how many answers of theirs the page had shown */
    bool searched;
    int64_t active_ms; /* as active_ms_known takes it */
    struct sv verdict, comment; /* of a suggestion */
};
/* Inside the writer's transaction. Whoever is told the label has seen the image, whether they asked for its picture or not. The
 * same class sent again by a page that had not shown the first answer is stored once.
 * ERR_CONFLICT (rules "training-closed", "training-barred", and "training-seen" when they answered otherwise meanwhile);
 * ERR_INPUT (rule "training-choice"), ERR_NOT_FOUND (rules "training-list", "training-item", "no-class"). */
enum err_code training_check(struct db *db, const struct training_saying *s, int64_t now, struct arena *a, struct err *err);
/* A suggestion; the same errors, and those of training_suggest. */
enum err_code training_say(struct db *db, const struct training_saying *s, int64_t now, struct arena *a, struct err *err);

#endif
