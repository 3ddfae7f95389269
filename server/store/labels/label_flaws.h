/* label_flaws.h - SQL for `check`: rows of label reviews that contradict each other, and what holds of labels counted once more
 * by windows over all looks, beside label_review_book. */
#ifndef STORE_LABELS_LABEL_FLAWS_H
#define STORE_LABELS_LABEL_FLAWS_H

#include "store/core/flaws.h"
#include "store/labels/label_reviews.h"

/* What rows of label reviews contradict each other. In the arena. */
enum err_code label_flaws_list(struct db *db, struct arena *a, struct flaw **out, size_t *n, struct err *err);

struct label_held {
    int64_t position, class_id;
    struct sv verdict;
};
/* What holds of each label of a list, by position and class. In the arena. */
enum err_code label_held_list(struct db *db, int64_t review, struct arena *a, struct label_held **out, size_t *n, struct err *err);
struct label_held_image {
    int64_t position, people;
    bool problematic;
};
/* Its images about which anything was said, by position. */
enum err_code label_held_images(struct db *db, int64_t review, struct arena *a, struct label_held_image **out, size_t *n, struct err *err);

#endif
