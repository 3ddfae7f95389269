/* image.h - pixels from JPEG and PNG files and back. jpeg.c and png.c are the only files with
 * the codec headers. The type is recognised by the first bytes, never by a name. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum image_type { IMAGE_UNKNOWN, IMAGE_JPEG, IMAGE_PNG };
enum image_type image_sniff(const void *p, size_t n);

/* RGB, 8 bits, rows without padding: data[(y * width + x) * 3 + channel]. Caller releases. */
struct image {
    uint32_t width, height;
    unsigned char *data;
    uint32_t warnings; /* of the decoder: the file is damaged, but has pixels everywhere */
};
void image_release(struct image *im);

struct image_limits {
    uint32_t max_side;
    uint64_t max_pixels;
};

/* Who looks at an image. People see transparency on white paper, 16-bit gray from black to white and
 * CMYK as its file is marked: renditions and what is measured on them, and what counts as the same
 * picture (exact-matches). Models get what their training pipelines gave them, the bytes of Pillow's
 * Image.open(file).convert("RGB"): alpha and tRNS are dropped and the colours below them stay, which
 * under full transparency are whatever the writer left there; 16-bit gray is clipped at 255; of other
 * 16-bit samples the high byte counts; CMYK is always read as Adobe inverts it. Gamma, ICC profiles
 * and significant bits are ignored in both. Where the two differ, see image_info.views_differ. */
enum image_view { IMAGE_FOR_PEOPLE, IMAGE_FOR_MODELS };

/* What the header says, orientation applied to width and height; the pixels are not touched. */
struct image_info {
    enum image_type type;
    uint32_t width, height;
    int orientation; /* EXIF 1..8 */
    bool views_differ; /* people and models may see other pixels: alpha, tRNS, 16-bit gray, or CMYK
                        * without Adobe's mark */
};
enum err_code image_info(const void *p, size_t n, const struct image_limits *lim,
                         struct image_info *out, struct err *err);

/* Decodes with orientation applied; gray is tripled. JPEG is decoded at the smallest DCT scale whose
 * long side is at least `least_side` (0: full size). ERR_INPUT says why a file cannot be read;
 * ERR_LIMIT for sizes over `lim`. */
enum err_code image_decode(const void *p, size_t n, enum image_view view, uint32_t least_side,
                           const struct image_limits *lim, struct image *out, struct err *err);

/* Baseline JPEG, 4:2:0, no metadata. */
enum err_code image_encode_jpeg(const struct image *im, int quality, struct str *out,
                                struct err *err);
enum err_code image_encode_png(const struct image *im, struct str *out, struct err *err);

/* Separable Lanczos3 (box for large reductions is included in the filter's support). The same size
 * gives the same pixels. */
enum err_code image_resize(const struct image *im, uint32_t width, uint32_t height,
                           struct image *out, struct err *err);

#endif
