/* glyphs.c - the one file that knows FreeType, and the one that loads it. */
#include "demo/glyphs.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* FreeType's own list of the standard library names functions that do not compile here; its other
 * headers need these of it. */
#define FT_CONFIG_STANDARD_LIBRARY_H <stddef.h>
#define FT_CHAR_BIT CHAR_BIT
#define FT_UINT_MAX UINT_MAX
#define FT_ULONG_MAX ULONG_MAX
#define ft_ptrdiff_t ptrdiff_t
#include <freetype/freetype.h>

#include "base/fs.h"

const char glyphs_font[] = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf";

/* What is called of the library, by the names it has there. */
struct freetype {
    void *handle;
    FT_Error (*FT_Init_FreeType)(FT_Library *);
    FT_Error (*FT_Done_FreeType)(FT_Library);
    FT_Error (*FT_New_Face)(FT_Library, const char *, FT_Long, FT_Face *);
    FT_Error (*FT_Select_Size)(FT_Face, FT_Int);
    FT_Error (*FT_Load_Char)(FT_Face, FT_ULong, FT_Int32);
};

static enum err_code load_library(struct freetype *ft, struct err *err)
{
    const struct {
        const char *name;
        void *to;
    } all[] = {{"FT_Init_FreeType", &ft->FT_Init_FreeType},
               {"FT_Done_FreeType", &ft->FT_Done_FreeType},
               {"FT_New_Face", &ft->FT_New_Face},
               {"FT_Select_Size", &ft->FT_Select_Size},
               {"FT_Load_Char", &ft->FT_Load_Char}};
    ft->handle = dlopen("libfreetype.so.6", RTLD_NOW | RTLD_LOCAL);
    bool whole = ft->handle != NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all && whole; i++) {
        void *symbol = dlsym(ft->handle, all[i].name);
        memcpy(all[i].to, &symbol, sizeof symbol); /* C has no cast from an object to a function */
        whole = symbol != NULL;
    }
    return whole ? OK
                 : err_rule(err, ERR_NOT_FOUND, "no-freetype",
                            "The demo draws its images with FreeType, which is not installed here: "
                            "apt-get install libfreetype6");
}

const unsigned char *glyph_level(const struct glyph *g, unsigned level)
{
    size_t at = 0;
    for (unsigned i = 0; i < level; i++) {
        at += (size_t)glyph_side(i) * glyph_side(i) * 4;
    }
    return g->rgba + at;
}

static void halve(struct glyph *g, unsigned level)
{
    unsigned to = glyph_side(level), from = glyph_side(level - 1);
    const unsigned char *big = glyph_level(g, level - 1);
    size_t at = (size_t)(glyph_level(g, level) - g->rgba);
    for (unsigned y = 0; y < to; y++) {
        for (unsigned x = 0; x < to * 4; x++) {
            const unsigned char *p = big + ((size_t)2 * y * from + 2 * (x / 4)) * 4 + x % 4;
            int sum = p[0] + p[4] + p[from * 4] + p[from * 4 + 4];
            g->rgba[at + (size_t)y * to * 4 + x] = (unsigned char)((sum + 2) / 4);
        }
    }
}

/* Brightness on white paper, 0 to 255; what is outside is paper. */
static int paper(const struct glyph *g, int x, int y)
{
    if (x < 0 || y < 0 || x >= GLYPH_SIDE || y >= GLYPH_SIDE) {
        return 255;
    }
    const unsigned char *p = g->rgba + (y * GLYPH_SIDE + x) * 4;
    return (p[0] * 2 + p[1] * 4 + p[2]) / 7 + 255 - p[3];
}

static int cover(const struct glyph *g, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < GLYPH_SIDE && y < GLYPH_SIDE;
    return inside ? g->rgba[(y * GLYPH_SIDE + x) * 4 + 3] : 0;
}

static void draw_ink(struct glyph *g)
{
    for (int y = 0; y < GLYPH_SIDE; y++) {
        for (int x = 0; x < GLYPH_SIDE; x++) {
            int inner = abs(paper(g, x + 1, y) - paper(g, x - 1, y)) +
                        abs(paper(g, x, y + 1) - paper(g, x, y - 1));
            int outer = abs(cover(g, x + 2, y) - cover(g, x - 2, y)) +
                        abs(cover(g, x, y + 2) - cover(g, x, y - 2));
            int ink = (inner > 40 ? inner * 2 : 0) + outer * 2;
            g->ink[y * GLYPH_SIDE + x] = (unsigned char)(ink > 255 ? 255 : ink);
        }
    }
}

static void place(struct glyph *g, const FT_Bitmap *b)
{
    unsigned left = (GLYPH_SIDE - b->width) / 2, top = (GLYPH_SIDE - b->rows) / 2;
    memset(g, 0, sizeof *g);
    for (unsigned y = 0; y < b->rows; y++) {
        const unsigned char *from = b->buffer + (ptrdiff_t)y * b->pitch;
        unsigned char *to = g->rgba + ((size_t)(top + y) * GLYPH_SIDE + left) * 4;
        for (unsigned x = 0; x < b->width; x++, from += 4, to += 4) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
            to[3] = from[3];
        }
    }
    for (unsigned level = 1; level < GLYPH_LEVELS; level++) {
        halve(g, level);
    }
    draw_ink(g);
}

static enum err_code draw_one(const struct freetype *ft, FT_Face face, uint32_t code,
                              struct glyph *out, struct err *err)
{
    FT_Error bad = ft->FT_Load_Char(face, code, FT_LOAD_COLOR);
    const FT_Bitmap *b = &face->glyph->bitmap;
    if (bad || b->pixel_mode != FT_PIXEL_MODE_BGRA || b->width == 0 || b->width > GLYPH_SIDE ||
        b->rows > GLYPH_SIDE) {
        return err_rule(err, ERR_INPUT, "no-glyph",
                        "The font has no colour picture of U+%04X that FreeType can draw; the demo needs the "
                        "font from Debian 12's fonts-noto-color-emoji.", (unsigned)code);
    }
    place(out, b);
    return OK;
}

static enum err_code no_font(const char *font, struct err *err)
{
    return err_rule(err, ERR_NOT_FOUND, "no-font",
                    "The demo draws its images with the colour emoji of %s, which is missing: apt-get "
                    "install fonts-noto-color-emoji, or name the file with --font.", font);
}

enum err_code glyphs_load(const char *font, const uint32_t *codes, size_t n, struct glyph *out,
                          struct err *err)
{
    struct freetype ft = {0};
    FT_Library library = NULL;
    FT_Face face = NULL;
    enum err_code rc = fs_size(font) < 0 ? no_font(font, err) : load_library(&ft, err);
    if (rc == OK && ft.FT_Init_FreeType(&library) != 0) {
        library = NULL;
        rc = err_set(err, ERR_BUG, "FreeType does not start");
    }
    if (rc == OK && (ft.FT_New_Face(library, font, 0, &face) != 0 ||
                     ft.FT_Select_Size(face, 0) != 0)) {
        rc = err_rule(err, ERR_INPUT, "no-font", "%s is not a font with colour pictures", font);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = draw_one(&ft, face, codes[i], &out[i], err);
    }
    if (library) {
        ft.FT_Done_FreeType(library); /* its faces with it */
    }
    if (ft.handle) {
        dlclose(ft.handle);
    }
    return rc;
}
