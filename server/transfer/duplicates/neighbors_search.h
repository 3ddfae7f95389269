/* neighbors_search.h - searches the project's candidates for near-duplicates by its metrics, and stores the nearest
 * originals and candidates of each: only pairs that no search has compared yet. Also as parts for several machines, and
 * what is stored as CSV. */
#ifndef TRANSFER_DUPLICATES_NEIGHBORS_SEARCH_H
#define TRANSFER_DUPLICATES_NEIGHBORS_SEARCH_H

#include "image/rendition.h"
#include "transfer/core/transfer.h"

struct neighbors_ask {
    const char *metric;          /* its name; NULL: all that are on */
    bool originals;              /* of the originals instead, compared with each other and with training images */
    bool all;                    /* of all candidates; else of those that a plan could take (sets/pool/could_take.h) */
    uint32_t k;                  /* neighbours of each, 1 to NEAR_MOST */
    unsigned threads;
    size_t memory;               /* bytes, for the images that are compared at one time */
    uint64_t max_pixels;         /* larger images are not decoded */
    int64_t flags_to_quarantine; /* so many people's flags hide an image */
    struct rendition_options pictures; /* of training images that come close (neighbors_pictures.h) */
    bool tiny;                   /* the project's images are tiny: thresholds of the published metrics mean nothing */
    int64_t account;             /* who wants it; 0: nobody signed in */
    /* So many of all pairs are compared; what it fails with ends the search, which resumes from there. May be NULL. */
    enum err_code (*progress)(void *arg, uint64_t done, uint64_t total, const char *note, struct err *err);
    void *arg;
};
/* Without a metric in the project l2 and dssim are turned on; ERR_INPUT (rule "near-metric-tiny") where its images are
 * tiny. What a killed search has stored is kept, and the same call
 * resumes it: the result is that of a search that was never stopped. ERR_BUSY (rule "neighbors-busy") while another
 * process searches. A metric that cannot be searched by is said, others go on, and its error comes at the end: rules
 * "features", "near-metric" (no such metric), "near-metric-imported" (no model says whose features it compares). Images
 * that cannot be read likewise: rule "images-unread". A dry run only says what would be compared. */
enum err_code neighbors_search(struct transfer *tr, const struct neighbors_ask *ask);
/* Part `part` of `parts` of the same into a file, which a killed run resumes; nothing is stored. */
enum err_code neighbors_search_part(struct transfer *tr, const struct neighbors_ask *ask, const char *path,
                                    uint32_t part, uint32_t parts);
/* Stores what all parts say: what neighbors_search would have stored. ERR_CONFLICT (rules "part-differs",
 * "part-unfinished") names the file. */
enum err_code neighbors_search_merge(struct transfer *tr, const struct neighbors_ask *ask, const char *const *paths,
                                     uint32_t n);

#endif
