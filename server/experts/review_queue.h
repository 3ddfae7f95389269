/* review_queue.h - a label review as a table: which labels models say of each image, how many, and what holds of each. */
#ifndef EXPERTS_REVIEW_QUEUE_H
#define EXPERTS_REVIEW_QUEUE_H

#include "record/record.h"
#include "store/labels/label_reviews.h"

struct review_queue_row {
    int64_t position;
    struct sv image, queue; /* queue: CLASS:MODELS:STATE with "+" between them, what most models say first */
    int64_t unique;         /* how many */
};
extern const struct record review_queue_record;
/* By position, in the arena. */
enum err_code review_queue_list(struct db *db, const struct label_review_row *r, struct arena *a,
                                struct review_queue_row **out, size_t *n, struct err *err);

#endif
