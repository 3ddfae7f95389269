/* neighbors_calibrate.h - how good the project's metrics are on its own images: some are drawn, changed in each way
 * (image/distort.h), and compared with what they were. Features are the caller's: models are not known here. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_CALIBRATE_H
#define TRANSFER_DUPLICATES_NEIGHBORS_CALIBRATE_H

#include "domain/review/review_gate.h"
#include "image/image.h"
#include "transfer/core/transfer.h"

struct calibrate_ask {
    const char *metric;   /* only this one; NULL: all that are on */
    uint32_t images;      /* to draw, at most */
    uint64_t seed;
    unsigned threads;
    uint64_t max_pixels;  /* larger images are not decoded */
    int64_t account;
    /* Features of a picture by a NEAR_FEATURE metric's model, in room of the caller's that stays until the worker's next
     * call; `size` floats. */
    enum err_code (*features)(void *arg, unsigned worker, const struct review_metric *m, const struct image *im,
                              const float **out, size_t *size, struct err *err);
    void *arg;
};
/* Stores the distances and writes the recall at half the threshold, the threshold, and one and a half of it as CSV. Images
 * that cannot be read are named and left out; ERR_INPUT (rule "calibrate-images") when none is left. */
enum err_code neighbors_calibrate(struct transfer *tr, const struct calibrate_ask *ask);

#endif
