/* preprocess.h - from a file's bytes to a model's input, as Pillow 9.4 and torchvision 0.14 do it: full-size
 * decoding, EXIF orientation, RGB (IMAGE_FOR_MODELS of image.h), shorter side resized with an antialiased filter in 8 bits (two passes,
 * Pillow's fixed-point weights), centre crop, x / scale, minus mean, over std. */
#ifndef IMAGE_PREPROCESS_H
#define IMAGE_PREPROCESS_H

#include "image/image.h"

enum preprocess_filter { FILTER_BILINEAR, FILTER_BICUBIC, FILTER_NEAREST, FILTER_LANCZOS };
enum { PREPROCESS_SIDE = 2048 }; /* most of resize and crop */
struct preprocess {
    uint32_t resize, crop;   /* pixels; resize 0: as it is; crop is at least 1 */
    bool exact;              /* images are crop x crop already: one of another size is refused */
    enum preprocess_filter filter;
    bool bgr;                /* order of planes; mean and std are red, green, blue all the same */
    float scale, mean[3], std[3];
};
/* Room for both passes, kept from image to image by one thread; {0} to begin with. */
struct preprocess_room {
    unsigned char *rows, *bytes;
    int32_t *weights;
    size_t rows_size, bytes_size, weights_size;
};
void preprocess_room_release(struct preprocess_room *room);

/* The rule by which files become pixels for models: part of what names a source of predictions or features. The
 * first one, which had no name, gave models what people are shown. It changes when any file gives other pixels. */
#define PREPROCESS_PIXELS "pixels 2"

/* The crop x crop x 3 bytes, row by row; `out` has room for them. A crop larger than the resized image is padded with black on both sides as torchvision's
 * CenterCrop does. */
enum err_code preprocess_bytes(const void *p, size_t n, const struct preprocess *how, const struct image_limits *lim,
                               struct preprocess_room *room, unsigned char *out, struct err *err);
/* Planes: out[channel][y][x], floats. */
enum err_code preprocess_planes(const void *p, size_t n, const struct preprocess *how, const struct image_limits *lim,
                                struct preprocess_room *room, float *out, struct err *err);

#endif
