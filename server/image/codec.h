/* codec.h - what image.c needs from jpeg.c and png.c, and the orientation they find.
 * Private to this folder: everybody else uses image.h. Sizes here are those of the file, before
 * its orientation is applied. */
#ifndef IMAGE_CODEC_H
#define IMAGE_CODEC_H

#include "image/image.h"

enum err_code codec_jpeg_info(const void *p, size_t n, const struct image_limits *lim,
                              struct image_info *out, struct err *err);
enum err_code codec_png_info(const void *p, size_t n, const struct image_limits *lim,
                             struct image_info *out, struct err *err);

/* Pixels as they are stored; info->width and height are the file's, out's may be smaller. */
enum err_code codec_jpeg_decode(const void *p, size_t n, enum image_view view, uint32_t least_side,
                                const struct image_limits *lim, struct image_info *info,
                                struct image *out, struct err *err);
enum err_code codec_png_decode(const void *p, size_t n, enum image_view view,
                               const struct image_limits *lim, struct image_info *info,
                               struct image *out, struct err *err);

/* A part of a picture. */
struct codec_window {
    uint32_t left, top, width, height;
};
/* Row `y` of the picture inside the window: width * 3 bytes. */
typedef void codec_row_fn(void *arg, uint32_t y, const unsigned char *row);
/* Hands in the window's rows from top to bottom, with the pixels that codec_jpeg_decode would give
 * models at full size. What lies outside the window is read, so that damage is found, but not computed. */
enum err_code codec_jpeg_rows(const void *p, size_t n, const struct image_limits *lim,
                              const struct codec_window *window, codec_row_fn *row, void *arg,
                              struct err *err);

/* ERR_INPUT for an empty picture, ERR_LIMIT for one above the limits. */
enum err_code image_check_size(uint64_t width, uint64_t height, const struct image_limits *lim,
                               struct err *err);
/* Room for the pixels of out->width x out->height, which were checked. */
enum err_code image_alloc(struct image *out, struct err *err);

/* The orientation 1..8 in an EXIF block that begins with its TIFF header; 1 when there is none or
 * the block is malformed: a broken remark must not cost the picture. */
int exif_orientation(const unsigned char *p, size_t n);
/* Turns and mirrors the picture so that it is seen as orientation 1. */
enum err_code image_orient(struct image *im, int orientation, struct err *err);

#endif
