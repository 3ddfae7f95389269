/* truth.h - what the demo's images truly show, read back from truth.jsonl. A line:
 *
 *   {"image": NAME, "class": WNID it was collected for, "set": FOLDER, "drawing": BOOL, "gray": BOOL,
 *    "objects": [{"class": WNID, "box": [LEFT, TOP, WIDTH, HEIGHT], "visibility": 0 TO 1,
 *                 "tinted": BOOL}, ...],
 *    "near_duplicate_of": NAME, "change": WORD}      (the last two only for planted ones) */
#ifndef DEMO_TRUTH_H
#define DEMO_TRUTH_H

#include <stdbool.h>

#include "base/map.h"
#include "demo/world.h"

/* How plainly an image shows each class: 0 not at all, 1 large, whole and in its own colours. */
struct truth_image {
    bool drawing;
    float shown[WORLD_CLASSES];
};
struct truth {
    struct map_sv names; /* to the index in images */
    struct truth_image *images;
    size_t n, cap;
};
/* ERR_INPUT names file and line. */
enum err_code truth_load(const char *path, struct truth *out, struct err *err);
void truth_release(struct truth *t);
/* NULL for an image that is not of this world. */
const struct truth_image *truth_of(const struct truth *t, struct sv name);

#endif
