/* kernel.h - our own loops over floats, for what oneDNN has not or does slowly.
 *
 * Pure functions: no allocation, no state, no alignment asked of any pointer, nothing read or
 * written beyond the rows named. They exist once per instruction set (avx512.c, avx2.c and base.c
 * compile the same bodies, act.h, depthwise.h and rows.h, with vectors of another width); kernels()
 * picks the best that this processor has. For one instruction set the result depends on the values
 * alone: never on the place in the batch, on alignment or on what other rows hold. Knows nothing of plans.
 *
 * "Rows" are `rows` runs of `columns` floats; x_row, y_row ... say how many floats lie from one row
 * to the next. Channels-last pictures are rows: a pixel is a row of channels. Outputs may be the
 * same memory as an input of equal strides, except where said. */
#ifndef INFER_KERNELS_KERNEL_H
#define INFER_KERNELS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "infer/graph/graph.h"

/* One picture, channels last. y must not overlap x. */
struct depthwise {
    int64_t channels, height, width, out_height, out_width;
    int64_t kernel[2], stride[2], dilation[2], before[2]; /* of rows, of columns */
    int64_t x_pixel, y_pixel;                             /* floats from one pixel to the next */
    struct activation act;
};

/* An operand of `binary`: value (r, c) stands at p[r * row + c * column]. */
struct operand {
    const float *p;
    int64_t row, column;
};

struct kernels {
    const char *name; /* "avx512": part of the engine's fingerprint */
    /* weights: kernel rows x kernel columns x channels (kernel_depthwise_weights); bias: NULL,
     * none. */
    void (*depthwise)(const struct depthwise *d, const float *x, const float *weights,
                      const float *bias, float *y);
    void (*activate)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                     int64_t y_row, const struct activation *act);
    /* y = act(x * scale + shift), scale and shift per column. */
    void (*affine)(int64_t rows, int64_t columns, const float *x, int64_t x_row, const float *scale,
                   const float *shift, float *y, int64_t y_row, const struct activation *act);
    /* y = act(a op b); `column` of an operand is 1 or 0. */
    void (*binary)(enum binary op, int64_t rows, int64_t columns, struct operand a,
                   struct operand b, float *y, int64_t y_row, const struct activation *act);
    /* y[c] = scale * sum over rows of x, in blocks, so that many rows lose no digits. y must not
     * overlap x. */
    void (*sum_rows)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float scale,
                     float *y);
    /* y[c] = largest (smallest) of the column. A NaN stays. y must not overlap x. */
    void (*max_rows)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y);
    void (*min_rows)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y);
    void (*softmax)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                    int64_t y_row);
    void (*log_softmax)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                        int64_t y_row);
    /* (x - mean) / sqrt(variance + epsilon) * scale + shift of each row; scale and shift may be
     * NULL. */
    void (*layer_norm)(int64_t rows, int64_t columns, const float *x, int64_t x_row,
                       const float *scale, const float *shift, float epsilon, float *y,
                       int64_t y_row);
    /* y[c][r] = x[r][c]: y must not overlap x. */
    void (*transpose)(int64_t rows, int64_t columns, const float *x, int64_t x_row, float *y,
                      int64_t y_row);
};

const struct kernels *kernels(void); /* the best for this processor */
/* All that this processor can run, best first, for tests and benchmarks. */
size_t kernels_all(const struct kernels *const **list);

/* The tables behind them; x86-64 has all three. */
extern const struct kernels kernels_avx512, kernels_avx2, kernels_base;

/* One value, of the functions that have no vector form: rare in networks. */
float kernel_function(const struct activation *act, float x);

/* ONNX's depthwise weights (channels x 1 x size) as the kernel reads them (size x channels). */
void kernel_depthwise_weights(int64_t channels, int64_t size, const float *w, float *out);

#endif
