/* tensor.h - floats in a plan: dimensions as ONNX says them, strides as they lie in memory.
 *
 * A picture-like value (rank 4) is kept with channels last: dims N C H W, strides C fastest; everything else is
 * row-major. Transposes, slices along an axis, and channel parts of a concatenation are views of the same
 * buffer: other strides, another offset. An operator that needs another layout asks plan_as. Strides and
 * offsets count floats. Private to infer/. */
#ifndef INFER_PLAN_TENSOR_H
#define INFER_PLAN_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "infer/onnx/onnx.h"

struct tensor {
    uint32_t rank;
    int64_t dims[TENSOR_RANK], strides[TENSOR_RANK];
    int64_t block;        /* 0, or LAYOUT_BLOCKED: then strides[1] leads to the next 16 channels */
    int buffer;           /* of the plan; BUFFER_CONSTANT; BUFFER_INPUT: what the caller gave */
    int64_t offset;       /* from the start of the buffer */
    const float *data;    /* of constants */
};
enum { BUFFER_CONSTANT = -1, BUFFER_INPUT = 0 };
enum layout {
    LAYOUT_ROWS /* row-major, dense */,
    LAYOUT_CHANNELS_LAST /* rank 4, dense */,
    LAYOUT_BLOCKED /* rank 4: planes of 16 channels each, those last; the number of channels is a multiple of 16.
                    * Winograd's convolutions want it. Only op_conv, op_pool, op_concat and op_blocked see it. */
};
enum { CHANNEL_BLOCK = 16 };

int64_t tensor_elements(const struct tensor *t);
void tensor_set_strides(struct tensor *t, enum layout layout); /* dense, from dims */
bool tensor_is(const struct tensor *t, enum layout layout);    /* dims of 1 may have any stride */
/* Rank 5 with plain strides: a blocked tensor's channels as (C / 16, 16), the 16 last; of any other tensor too. */
struct tensor tensor_split(const struct tensor *t);
/* Channels last but for the pixels' stride, which may be larger (a part of a concatenation): *pixel. */
bool tensor_is_pixels(const struct tensor *t, int64_t *pixel);

#endif
