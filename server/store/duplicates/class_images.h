/* class_images.h - SQL for what near-duplicates of a class's images must know of them and of
 * whatever they lead to: images of a class, of one photo, of equal bytes, of a name. */
#ifndef STORE_DUPLICATES_CLASS_IMAGES_H
#define STORE_DUPLICATES_CLASS_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

struct class_image_row { /* texts are borrowed for the call */
    int64_t id, class_id;
    int64_t content;                 /* equal bytes have equal ones; 0: known by name only */
    struct sv name, role, source_id; /* source_id: empty where not known */
};
typedef enum err_code (*class_image_fn)(void *arg, const struct class_image_row *r,
                                        struct err *err);
/* Those of a class, by id. */
enum err_code class_images_each(struct db *db, int64_t class_id, class_image_fn each, void *arg,
                                struct err *err);
/* Those of all classes with that photo id of their source, by id. */
enum err_code class_images_of_source(struct db *db, struct sv source_id, class_image_fn each,
                                     void *arg, struct err *err);
/* Those of all classes with the same bytes, by id. */
enum err_code class_images_of_content(struct db *db, int64_t content, class_image_fn each,
                                      void *arg, struct err *err);
/* The one of that name; nothing is called when there is none. */
enum err_code class_images_named(struct db *db, struct sv name, class_image_fn each, void *arg,
                                 struct err *err);

#endif
