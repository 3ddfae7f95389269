/* preprocess.h - from a file's bytes to a model's input, as Pillow 9.4 and torchvision 0.14 do it: full-size
 * decoding, EXIF orientation, RGB, shorter side resized with an antialiased filter in 8 bits (two passes,
 * Pillow's fixed-point weights), centre crop, x / scale, minus mean, over std.
 * Called by infer/. Golden: golden/preprocess. */
#ifndef IMAGE_PREPROCESS_H
#define IMAGE_PREPROCESS_H

#include "image/image.h"

enum preprocess_filter { FILTER_BILINEAR, FILTER_BICUBIC, FILTER_NEAREST, FILTER_LANCZOS };
struct preprocess {
    uint32_t resize, crop;   /* pixels; resize 0: as it is; crop 0: all of it (then every image must have one size) */
    enum preprocess_filter filter;
    bool bgr;
    float scale, mean[3], std[3];
};
/* Room for both passes, kept from image to image by one thread; {0} to begin with. */
struct preprocess_room {
    unsigned char *rows;
    int32_t *weights;
    size_t rows_size, weights_size;
};
void preprocess_room_release(struct preprocess_room *room);

/* The crop x crop x 3 bytes, row by row. `out` has room for them. A crop larger than the resized image is
 * padded with black on both sides as torchvision's CenterCrop does. */
enum err_code preprocess_bytes(const void *p, size_t n, const struct preprocess *how, const struct image_limits *lim,
                               struct preprocess_room *room, unsigned char *out, struct err *err);
/* Planes: out[channel][y][x], floats. */
enum err_code preprocess_planes(const void *p, size_t n, const struct preprocess *how, const struct image_limits *lim,
                                struct preprocess_room *room, float *out, struct err *err);

#endif
