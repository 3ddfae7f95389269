/* resample.h - Pillow's separable resize (libImaging/Resample.c and, for the nearest pixel, Geometry.c), for
 * the part of the result that is wanted. Its weights are 22-bit fractions and its sums are rounded to bytes
 * after each pass: all of it whole numbers, so the bytes are Pillow's own. Private to this folder. */
#ifndef IMAGE_RESAMPLE_H
#define IMAGE_RESAMPLE_H

#include "image/preprocess.h"

enum {
    RESAMPLE_ROWS = 4,  /* that are done together: weights are loaded once for all */
    RESAMPLE_BLOCK = 32 /* bytes of a row that are done together */
};

/* For outputs first to first + n - 1 of an axis: which inputs count, and how much. */
struct resample_axis {
    uint32_t start, end;     /* all inputs that any output needs */
    uint32_t n;              /* outputs */
    uint32_t count;          /* inputs of every output: the same for all, weights of 0 fill up */
    uint32_t taps;           /* weights that an output has room for */
    int32_t *first;          /* of each output, counted from `start` */
    int32_t *weights;
};

/* How many numbers resample_axis needs room for. */
size_t resample_room(enum preprocess_filter filter, uint32_t from, uint32_t to, uint32_t n);
void resample_axis(struct resample_axis *a, enum preprocess_filter filter, uint32_t from, uint32_t to,
                   uint32_t first, uint32_t n, int32_t *room);

/* Across, RESAMPLE_ROWS rows at once: each begins with pixel a->start, and the byte behind its last pixel is
 * read too, and counts nothing. out: as many rows of a->n pixels. */
void resample_rows(const struct resample_axis *a, const unsigned char *rows, size_t stride, unsigned char *out,
                   size_t out_stride);
/* Down: output i of the axis, for n bytes of rows that begin with row a->start. `stride` is a multiple of
 * RESAMPLE_BLOCK and at least n. */
void resample_column(const struct resample_axis *a, uint32_t i, const unsigned char *rows, size_t stride,
                     size_t n, unsigned char *out);

#endif
