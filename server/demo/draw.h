/* draw.h - draws the demo's images into a folder and writes down what is truly in them:
 *
 *   classes.jsonl, images.csv     as `holdout import` reads them
 *   original/ candidate/ reference/ gold/ train/   WNID/NAME.jpg; train is in no manifest
 *   truth.jsonl                   a line for each image (demo/truth.h)
 *   near-duplicates.csv           image,of,change: the planted ones
 *
 * The same seed and size give the same bytes, on any number of threads. */
#ifndef DEMO_DRAW_H
#define DEMO_DRAW_H

#include "demo/world.h"

struct demo_draw {
    const char *dir, *font;
    const struct world_size *size;
    uint64_t seed;
    unsigned threads;
    void (*progress)(void *arg, uint64_t done, uint64_t total); /* on the caller's thread; NULL: none */
    void *arg;
};
/* Errors as glyphs_load and of the folder; what was written stays. */
enum err_code demo_draw(const struct demo_draw *d, struct err *err);

#endif
