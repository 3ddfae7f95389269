/* loop.h - walking over several tensors of equal dimensions at once.
 *
 * Axes are put into the order in which the first tensor lies in memory and joined where all tensors
 * allow it, so that little is left but the last two: rows and columns, what kernels take. A tensor
 * that is broadcast has strides of 0. Private to infer/; called by operators/. */
#ifndef INFER_PLAN_LOOP_H
#define INFER_PLAN_LOOP_H

#include "infer/plan/tensor.h"

enum { LOOP_TENSORS = 3 };

struct loop {
    uint32_t tensors, rank; /* rank >= 2 */
    int64_t dims[TENSOR_RANK + 2];
    int64_t steps[TENSOR_RANK + 2][LOOP_TENSORS]; /* floats along that axis, in each tensor */
};
struct loop_at {
    int64_t index[TENSOR_RANK + 2];
    int64_t offset[LOOP_TENSORS]; /* from the start of each tensor */
};

/* All of `t` have the dimensions of t[0]. */
void loop_make(struct loop *l, const struct tensor *const *t, uint32_t n);
static inline int64_t loop_rows(const struct loop *l)
{
    return l->dims[l->rank - 2];
}
static inline int64_t loop_columns(const struct loop *l)
{
    return l->dims[l->rank - 1];
}
static inline int64_t loop_row(const struct loop *l, uint32_t t)
{
    return l->steps[l->rank - 2][t];
}
static inline int64_t loop_column(const struct loop *l, uint32_t t)
{
    return l->steps[l->rank - 1][t];
}

/* `at` begins zeroed; false: that was the last block of rows. */
bool loop_next(const struct loop *l, struct loop_at *at);

#endif
