/* glyphs.h - colour emoji as pixels, from Debian's fonts-noto-color-emoji through FreeType.
 * FreeType is loaded when the demo draws and at no other time: the program needs it neither to start nor to serve. */
#ifndef DEMO_GLYPHS_H
#define DEMO_GLYPHS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { GLYPH_SIDE = 136, GLYPH_LEVELS = 3 }; /* the glyph, and halved twice */

/* A picture in the middle of a square; red, green, blue and alpha, colours multiplied by alpha.
 * `ink` is how dark a pen would draw the pixel: the outline and what stands out inside it. */
struct glyph {
    unsigned char rgba[GLYPH_SIDE * GLYPH_SIDE * 4 * 4 / 3 + 64];
    unsigned char ink[GLYPH_SIDE * GLYPH_SIDE];
};
static inline unsigned glyph_side(unsigned level) { return GLYPH_SIDE >> level; }
const unsigned char *glyph_level(const struct glyph *g, unsigned level);

extern const char glyphs_font[]; /* where the package puts its file */

/* Draws the characters into out[0..n). ERR_NOT_FOUND names the package that is missing; ERR_INPUT when
 * the file has none of these pictures. */
enum err_code glyphs_load(const char *font, const uint32_t *codes, size_t n, struct glyph *out,
                          struct err *err);

#endif
