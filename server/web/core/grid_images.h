/* grid_images.h - which images workers' addresses show, without saying anything about them.
 *
 * A worker's address names an assignment and a position. Which image that is, is looked up in memory; the
 * database is asked when it is not there. Each reply is as many bytes longer than its image as a secret number of its
 * own address says, so that lengths tell no content from another. Any thread may ask. Knows nothing of requests. */
#ifndef WEB_CORE_GRID_IMAGES_H
#define WEB_CORE_GRID_IMAGES_H

#include "crypto/crypto.h"
#include "db/db.h"
#include "domain/grids/grid.h"
#include "store/work/work.h"
#include "web/core/image_bytes.h"

struct grid_images;

enum {
    GRID_EXAMPLES = 6,             /* reference images of the class, beside the grid; of an option of CLASSIFY */
    GRID_SHOWN = GRID_CELLS + GRID_EXAMPLES, /* images of an assignment */
    GRID_EXAMPLE = GRID_CELLS,     /* the position of the first example; of CLASSIFY those of the options in the shown
                                    * order, each with the same room (grid_images_room) */
    GRID_EXAMPLES_MOST = GRID_SHOWN - 1,
    GRID_LARGE = GRID_EXAMPLE + GRID_EXAMPLES_MOST, /* the position of the first cell's large picture */
    GRID_ADDRESSES = GRID_LARGE + GRID_CELLS, /* each with a padding of its own */
    GRID_PADDING = GRID_TAIL + 1   /* an address's length is 0 to GRID_TAIL over its image's */
};

/* `key` stays the caller's. */
struct grid_images *grid_images_new(const unsigned char key[CRYPTO_HASH]);
void grid_images_free(struct grid_images *g); /* NULL is allowed */

/* What an address shows. */
struct grid_image {
    int64_t image;
    struct image_sent sent;
};
/* Of the assignment with that token. ERR_NOT_FOUND (rules "no-assignment", "no-cell"). */
enum err_code grid_images_find(struct grid_images *g, struct db *db,
                               const unsigned char token[WORK_TOKEN], unsigned position,
                               struct grid_image *out, struct err *err);
/* How many examples the pages of that class have: a stable choice of its reference images. */
enum err_code grid_images_examples(struct db *db, int64_t class_id, unsigned *out,
                                   struct err *err);
/* Room for examples of each of so many options. */
static inline unsigned grid_images_room(unsigned options)
{
    unsigned room = GRID_EXAMPLES_MOST / options;
    return room < GRID_EXAMPLES ? room : GRID_EXAMPLES;
}
/* Tokens may have been revoked: asks the database again for each. */
void grid_images_forget(struct grid_images *g);

struct grid_images_stats {
    uint64_t hits, misses; /* assignments found in memory and not, since the start */
};
void grid_images_stats(struct grid_images *g, struct grid_images_stats *out);

#endif
