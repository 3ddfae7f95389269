/* neighbors_print.h - the nearest originals and candidates of every candidate, as CSV; nothing is stored. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_PRINT_H
#define TRANSFER_DUPLICATES_NEIGHBORS_PRINT_H

#include "neighbors/search.h"
#include "transfer/core/transfer.h"

struct neighbors_print_ask {
    struct search_metric metric; /* the size of features is found */
    const char *model;           /* SEARCH_FEATURES: whose features, by name */
    uint32_t k;                  /* 1 to NEAREST_MOST - 1 */
    double within;               /* farther ones are left out */
    unsigned threads;
    size_t memory;               /* bytes, for the pictures that are compared at one time */
    uint64_t max_pixels;         /* larger images are not decoded */
};
/* image,rank,neighbor,distance: candidates by name, neighbours ascending by distance, equal ones by name; an image is
 * no neighbour of its own. Images that cannot be read are named as warnings, and the rest goes on: ERR_INPUT (rule
 * "images-unread") at the end. ERR_NOT_FOUND (rule "features") when the model has no features of these images. */
enum err_code neighbors_print(struct transfer *tr, const struct neighbors_print_ask *ask);

#endif
