/* review_found.h - how many label errors a list by likely errors has found so far: precision among its first k images. */
#ifndef EXPERTS_REVIEW_FOUND_H
#define EXPERTS_REVIEW_FOUND_H

#include "record/record.h"
#include "store/labels/label_reviews.h"

struct review_found {
    int64_t k, reviewed, wrong; /* of the first k by likely errors: that enough people have reviewed; whose set label is wrong */
    double precision, lo, hi;   /* in percent of the reviewed, Clopper-Pearson, 95 %; NAN without any */
};
extern const struct record review_found_record;
/* For k = 10, 20, 50, 100, ... and all of the list's ranked images (label_review_ranked), by what its book says holds (images by
 * position; NULL: nothing was said); none of a list in another order. An image that is problematic is not counted as wrong, as
 * in struct review_rate. In the arena. */
void review_found_list(const struct label_arm *ranked, size_t n_ranked, const struct label_book *book, struct arena *a,
                       struct review_found **out, size_t *n);

#endif
