/* pool_private.h - what pool.c and its parts (pool_*.c) share while a pool is loaded. */
#ifndef SETS_POOL_POOL_PRIVATE_H
#define SETS_POOL_POOL_PRIVATE_H

#include "base/map.h"
#include "sets/pool/pool.h"
#include "store/duplicates/near_review.h"

/* An image of the project as it was read, by id. */
struct pool_raw {
    uint32_t id, class_index, content, keyword; /* content 0: no bytes; keyword: number, SAMPLE_UNKNOWN */
    uint32_t at;     /* its index in the pool */
    uint64_t source; /* equal ones are one photo, 0: unknown */
    struct sv name, author, taken_at;
    bool original, candidate;
    bool compared; /* candidates must be compared with it before they are sampled */
};

struct image_filled {
    uint32_t image;
    unsigned fields; /* of enum image_field (store/images/images.h) */
};

struct pool_loading {
    struct db *db;
    const struct pool_ask *ask;
    struct pool *p;
    struct pool_raw *raw;
    size_t n_raw, cap_raw;
    struct image_filled *filled; /* by image: what it got after the event, and had not then */
    size_t n_filled, cap_filled;
    uint8_t *known;              /* of each of the n images: bit m, something is known of it by metric m */
    struct near_covered covered[REVIEW_METRICS_MOST]; /* what the project's own searches say, of each metric */
    struct map_sv sources, keywords, outsiders; /* text -> number; outsiders: to the index in the pool */
    struct sv *keyword_text;                    /* by number */
    size_t n_project;                           /* images of the project; outsiders come after them */
    size_t cap_near, cap_edges, cap_keywords;
};

/* pool_read.c: classes; images with their ranks; then, when pairs have added theirs, the order of names. */
enum err_code pool_read_classes(struct pool_loading *l, struct err *err);
enum err_code pool_read_images(struct pool_loading *l, struct err *err);
void pool_rank(struct pool_loading *l);
/* Index of an image of the project, whatever its role; MAP_NONE. */
uint32_t pool_index(const struct pool_loading *l, uint32_t image);

/* pool_votes.c: the view's version and what it counts. */
enum err_code pool_read_view(struct pool_loading *l, struct err *err);
enum err_code pool_read_votes(struct pool_loading *l, struct tally *t, struct err *err);

/* pool_decisions.c: pairs before the rest, for they may name further images. */
enum err_code pool_read_pairs(struct pool_loading *l, struct err *err);
enum err_code pool_read_decisions(struct pool_loading *l, struct err *err);

/* pool_digest.c: when everything is there. */
void pool_digests(struct pool_loading *l);

#endif
