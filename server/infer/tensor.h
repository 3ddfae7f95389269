/* tensor.h - floats in a plan: dimensions as ONNX says them, strides as they lie in memory.
 *
 * A picture-like value (rank 4) is kept with channels last: dims N C H W, strides C fastest; everything else is
 * row-major. Transposes, slices along an axis, and channel parts of a concatenation are views of the same
 * buffer: other strides, another offset. An operator that needs another layout asks plan_as. Strides and
 * offsets count floats. Private to this folder. */
#ifndef INFER_TENSOR_H
#define INFER_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "infer/onnx.h"

struct tensor {
    uint32_t rank;
    int64_t dims[TENSOR_RANK], strides[TENSOR_RANK];
    int buffer;           /* of the plan; BUFFER_CONSTANT; BUFFER_INPUT: what the caller gave */
    int64_t offset;       /* from the start of the buffer */
    const float *data;    /* of constants */
};
enum { BUFFER_CONSTANT = -1, BUFFER_INPUT = 0 };
enum layout { LAYOUT_ROWS /* row-major, dense */, LAYOUT_CHANNELS_LAST /* rank 4, dense */ };

int64_t tensor_elements(const struct tensor *t);
void tensor_set_strides(struct tensor *t, enum layout layout); /* dense, from dims */
bool tensor_is(const struct tensor *t, enum layout layout);    /* dims of 1 may have any stride */
/* Channels last but for the pixels' stride, which may be larger (a part of a concatenation): *pixel. */
bool tensor_is_pixels(const struct tensor *t, int64_t *pixel);

#endif
