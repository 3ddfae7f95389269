/* compared.h - the originals and candidates that are compared with each other, and how a search gets their rows: pixels
 * from their files, brought to one size, or features as `holdout features` and `holdout import features` wrote them.
 * Images of which only features are known take part in comparing these alone. Knows nothing of what becomes of the
 * distances. */
#ifndef TRANSFER_DUPLICATES_COMPARED_H
#define TRANSFER_DUPLICATES_COMPARED_H

#include <pthread.h>

#include "base/fs.h"
#include "base/map.h"
#include "neighbors/search.h"
#include "store/duplicates/match_images.h"
#include "transfer/core/transfer.h"

enum compared_order { COMPARED_BY_NAME, COMPARED_BY_ID };

struct compared {
    struct transfer *tr;
    uint64_t max_pixels;          /* larger images are not decoded */
    struct match_image *images;   /* whose bytes are there, or features alone; in order, texts in the arena */
    uint32_t n;
    struct search_metric metric;  /* that they are compared by now */
    bool *out;                    /* of each image: it has no part in this metric, as it has nothing to be compared by */
    bool *unread;                 /* of each image: its row could not be had under this metric */
    uint32_t n_unread;
    bool *warned;                 /* of each image: that its file cannot be read was said */
    struct fs_map features;
    uint32_t *rows;               /* SEARCH_FEATURES: of each image */
    struct map_u64 similar;       /* pairs of classes whose training images are compared by SEARCH_SSIM */
    pthread_mutex_t lock;         /* of what is said of images: rows are read by several threads */
};
/* Release it whatever came out. */
enum err_code compared_open(struct compared *c, struct transfer *tr, enum compared_order order, uint64_t max_pixels);
/* What they are compared by from now on. SEARCH_FEATURES: `model`'s newest features, whose size is found; ERR_NOT_FOUND
 * (rule "features") when it has none. */
enum err_code compared_by(struct compared *c, const struct search_metric *metric, const char *model, struct err *err);
/* Leaves only those that have a part in the metric at hand, in their order: for a caller that compares by no other. */
void compared_keep(struct compared *c);
/* The row of an image, as `read` of search.h, by any thread. One that cannot be had is named as a warning once. */
void compared_read(struct compared *c, uint32_t place, void *out, bool *there);
/* Whether a pair is compared: by SEARCH_SSIM, which is slow, training images only with candidates of a similar class (papers,
 * section on near-duplicates), where the project knows which are. Any thread. */
bool compared_compares(const struct compared *c, uint32_t a, uint32_t b);
/* ERR_INPUT (rule "images-unread") when `n` images could not be had, else OK. */
enum err_code compared_tell(uint32_t n, struct err *err);
void compared_close(struct compared *c);

#endif
