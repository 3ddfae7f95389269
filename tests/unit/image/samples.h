/* samples.h - pictures for the tests of image/, and files of every kind made from them. */
#ifndef TESTS_UNIT_IMAGE_SAMPLES_H
#define TESTS_UNIT_IMAGE_SAMPLES_H

#include <stdbool.h>

#include "image/image.h"

/* Waves, fine texture, a few edges and a little noise: as hard for a codec as a photograph. */
struct image sample_photo(uint32_t width, uint32_t height, uint64_t seed);
struct image sample_flat(uint32_t width, uint32_t height, const unsigned char *rgb);
/* Four quarters: red, green over blue, white. Tells every orientation from every other. */
struct image sample_quarters(uint32_t width, uint32_t height);

enum sample_kind { SAMPLE_COLOR, SAMPLE_GRAY, SAMPLE_CMYK, SAMPLE_YCCK, SAMPLE_CMYK_PLAIN };
struct sample_jpeg {
    enum sample_kind kind;
    int quality;
    bool progressive, many_scans, full_chroma;
    int luma_h, luma_v; /* samples of luma per sample of chroma across and down; 0: 2 and 2 */
    unsigned restart; /* MCUs between restart markers, 0 for none */
    int orientation;  /* 0 writes no EXIF segment */
    bool big_endian;  /* of the EXIF segment */
};
/* For CMYK kinds the ink is 255 - RGB with the black taken out of it; plain leaves out the Adobe
 * marker and so stores the ink as it is. The caller releases. */
struct str sample_jpeg(const struct image *im, const struct sample_jpeg *o);

/* A TIFF block with the orientation among other tags; returns its length (at most 64). */
size_t sample_exif(unsigned char *out, int orientation, bool big_endian);

/* Any samples as PNG; palette (of 3-byte entries) and alpha per entry may be NULL. */
struct sample_png {
    uint32_t width, height;
    unsigned char color_type, depth;
    bool interlaced;
    const unsigned char *palette, *palette_alpha;
    size_t n_palette;
    int orientation;
};
struct str sample_png(const void *samples, size_t n, const struct sample_png *o);

double sample_psnr(const struct image *a, const struct image *b);
const unsigned char *sample_pixel(const struct image *im, uint32_t x, uint32_t y);
/* Fails the test unless each channel of the pixel is within `slack`. */
void assert_pixel(const struct image *im, uint32_t x, uint32_t y, int r, int g, int b, int slack);

extern const struct image_limits sample_limits;

#endif
