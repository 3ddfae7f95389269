/* demo_draw.h - drawing the demo's images: coloured shapes on noisy grounds, some with several
 * shapes, as JPEG files in class folders. Called by cmd_demo.c and tests. */
#ifndef CLI_DEMO_DRAW_H
#define CLI_DEMO_DRAW_H

#include <stdint.h>

#include "base/err.h"

/* Writes DIR/classes.jsonl and DIR/{original,candidate}/<key>/<name>.jpg for six classes: so many
 * originals and candidates each. Originals are large and clear; candidates are smaller, may be
 * partly covered, and one in four shows another shape alone. The same seed draws the same bytes. */
enum err_code demo_draw(const char *dir, uint64_t seed, unsigned originals, unsigned candidates,
                        struct err *err);

#endif
