/* pool.h - everything that sampling, the audit and the class browser must know of all images at
 * once: votes under their own classes, blacklist, near-duplicates, review distances, as of one
 * event. Slow steps only. About 0.3 s and 300 bytes an image for 200,000. */
#ifndef SETS_POOL_POOL_H
#define SETS_POOL_POOL_H

#include "base/map.h"
#include "crypto/crypto.h"
#include "domain/images/near_duplicates.h"
#include "domain/review/review_gate.h"
#include "domain/sampling/sampling.h"
#include "live/core/tally.h"
#include "store/classes/classes.h"
#include "store/sets/sets.h"
#include "store/votes/views.h"

/* What is asked for; zeroes are the usual. */
struct pool_ask {
    struct sv view;           /* vote view, "default" when empty */
    int64_t view_version;     /* that version of it (replay); 0: the newest */
    int64_t as_of;            /* votes and decisions up to this event; 0: now */
    int64_t newest_image;     /* no image with a larger id; 0: all */
    int64_t newest_class;     /* no class with a larger id, nor its images: classes are numbered in order of their
                               * wnids, so one more would move the draws of others; 0: all */
    int64_t parent;           /* revision whose images are marked in_parent; 0: none */
    bool keywords;            /* number the keywords (strategy `keyword`) */
    bool picked_only;         /* candidates that are not picked (store/sets/picks.h) are out */
    uint32_t uploader_most, event_most; /* per class, of one author; of one author and day; 0: no limit. Applied by
                               * sets/sampling/sample.c, which knows what else keeps an image out */
    int64_t flags_to_quarantine; /* so many people's flags hide an image; 0: the usual 3 */
    struct review_target targets[REVIEW_METRICS_MOST]; /* instead of the thresholds of these metrics */
    size_t n_targets;
};

enum pool_input { POOL_IMAGES, POOL_VOTES, POOL_BLACKLIST, POOL_NEAR_DUPLICATES, POOL_REVIEWS, POOL_PARENT,
                  POOL_PICKS, POOL_INPUTS };
/* Everything is as of the event, also what imports filled in of images that were there (bytes, photo, author, day,
 * keyword). Projects of schema 0005 did not note when: what was filled in there before the migration counts as it is
 * now. What the ask uses of it is in the digest of "images": always which
 * images have equal bytes or are of one photo; authors under a limit, and days under one of events; keywords when they
 * are numbered. A revision from before these were in it has another digest where they are not empty. Not in any
 * digest, as nothing here looks at it: link, licence, size, renditions. */
extern const char *const pool_inputs[POOL_INPUTS]; /* "images", "votes", ... as `inputs` of a revision names them */

struct pool {
    struct arena arena;
    struct class_info *classes;   /* in order of wnid: the index of a class everywhere here */
    uint32_t n_classes;
    size_t n;                     /* images of the project with the role original or candidate, by id */
    size_t n_near;                /* and after them its other images, and those of ImageNet that only pairs name */
    uint32_t *id;                 /* of n_near, 0 for those that only pairs name */
    struct sv *name, *author, *taken_at; /* of n_near; the latter two empty unless a limit is asked for */
    uint32_t *by_name;            /* indices of n_near in order of their names, bytewise */
    struct sample_image *sample;  /* of the n images; `image` is the id */
    struct near_image *near;      /* of n_near; originals are all but the candidates */
    struct near_edge *edges;      /* pairs in order of their names, then images with equal bytes; what is not known
                                   * here (NEAR_NONE) counts for nothing */
    size_t n_edges;
    struct near_result duplicates;
    struct sv *keywords;          /* by number, in order of their texts */
    uint32_t n_keywords;
    uint32_t *class_by_id;        /* indices of classes in order of their ids */
    struct vote_view view;        /* the version that was counted */
    int64_t as_of, newest_image;  /* what was counted; never 0 */
    int64_t newest_class;         /* 0: there is no class */
    struct review_gate gate;      /* as of as_of, with the thresholds that were asked for: without an enabled metric nothing is
                                   * unreviewed or unsearched */
    unsigned char digest[POOL_INPUTS][CRYPTO_HASH]; /* SHA-256 of each input, the same on every machine */
};
/* One snapshot of the database; `t` was folded. Release it whatever came out. ERR_NOT_FOUND (rules "no-view",
 * "set"), ERR_BUSY (rule "counters-rebuilt") while a failed fold is made up for. Whose parent is whose is the
 * caller's. */
enum err_code pool_load(struct db *db, struct tally *t, const struct pool_ask *ask, struct pool *out,
                        struct err *err);
void pool_release(struct pool *p);
/* Index of an image id among the n, of a class id, of a name among n_near; MAP_NONE when there is none. */
uint32_t pool_find(const struct pool *p, uint32_t image);
uint32_t pool_class(const struct pool *p, int64_t class_id);
uint32_t pool_name(const struct pool *p, struct sv name);

#endif
