/* export_images.h - SQL for images with all that is known of where they come from and what stands
 * behind them, as exports of sets hand them on; and for how a revision came to its state. */
#ifndef STORE_SETS_EXPORT_IMAGES_H
#define STORE_SETS_EXPORT_IMAGES_H

#include "base/arena.h"
#include "db/db.h"
#include "store/sets/sets.h"

struct export_image { /* texts are borrowed for the call */
    int64_t image,
        class_id; /* class: the label in the list; of a candidate the one it was collected for */
    int64_t bytes, width, height;
    bool has_source; /* false: known by name only, and nothing is known of its bytes */
    struct sv name, wnid, role, taken_at, source_id, link, author, licence, keyword;
    struct sv sha256, type; /* IMAGE_SHA bytes; "jpeg" or "png" */
    struct sv reference; /* absolute path of bytes that are only referenced; empty: the project has
                            them */
};
typedef enum err_code (*export_image_fn)(void *arg, const struct export_image *i, struct err *err);
/* Of a revision's list, in its order. */
enum err_code export_images_of_list(struct db *db, int64_t list, export_image_fn each, void *arg,
                                    struct err *err);
/* All candidates up to an image, by id. */
enum err_code export_images_candidates(struct db *db, int64_t newest, export_image_fn each,
                                       void *arg, struct err *err);

struct export_state {
    enum revision_state state;
    struct sv reason;
    int64_t at;
};
/* Every state that the revision had, oldest first. */
enum err_code export_states(struct db *db, int64_t revision, struct arena *a,
                            struct export_state **out, size_t *n, struct err *err);

#endif
