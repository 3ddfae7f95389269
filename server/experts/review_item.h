/* review_item.h - one image of a label review for one reviewer: what they are asked, what they said, and what they may see of
 * others once they have said it. */
#ifndef EXPERTS_REVIEW_ITEM_H
#define EXPERTS_REVIEW_ITEM_H

#include "store/labels/label_suggestions.h"

struct review_label {
    struct label_asked asked;
    unsigned char own; /* their verdict, LABEL_UNREVIEWED: none; of an image that is shown again: none */
    bool added;        /* by a person */
    bool suggested;    /* it is shown that a model suggests it */
};
struct review_item {
    struct label_review_row review;
    int64_t position, image;
    struct review_label *labels; /* in an order of their own, the same whenever they come back */
    size_t n;
    bool saved;        /* they have reviewed it */
    int64_t look;      /* their newest look; 0: none */
    struct sv problematic, comment; /* of that look */
    struct label_look_row *looks; /* everybody's, oldest first */
    struct look_said *said;
    size_t n_looks, n_said;
    struct label_stand_row *stands; /* what people made of each other's words */
    size_t n_stands;
    bool sealed;       /* a sealed revision has the image: models and others stay hidden from reviewers */
    bool shows;        /* models and others may be shown: it is saved and no sealed revision has the image */
};
/* `again`: an image that they reviewed, shown once more as if they had not. In the arena. ERR_NOT_FOUND (rule
 * "label-review-item"). */
enum err_code review_item_read(struct db *db, const struct label_review_row *r, int64_t position, int64_t account, bool again,
                               struct arena *a, struct review_item *out, struct err *err);
/* The label that item->said[i] is about; NULL when another look says it. */
const struct label_asked *review_item_said(const struct review_item *item, size_t i, int64_t look);
/* Whether what the account says next about an image that they have reviewed is a repeat of it: it is due (label_review_next). */
enum err_code review_item_repeats(struct db *db, const struct label_review_row *r, int64_t position, int64_t account, bool *out,
                                  struct err *err);

/* What the account looks at next (label_review_next), and after that (label_review_ahead). */
enum err_code review_next(struct db *db, const struct label_review_row *r, int64_t account, struct label_next *out, struct err *err);
enum err_code review_ahead(struct db *db, const struct label_review_row *r, int64_t account, int64_t position, int64_t *out,
                           struct err *err);

#endif
