/* gather.c - places of an axis by a constant list: a view when they are evenly spaced (one class
 * token, every second frame), else a copy of each. */
#include <string.h>

#include "infer/plan/ops.h"

enum { GATHER_MOST = 4096 }; /* copies: each is a step */

static bool evenly_spaced(const int64_t *at, int64_t n)
{
    for (int64_t i = 2; i < n; i++) {
        if (at[i] - at[i - 1] != at[1] - at[0]) {
            return false;
        }
    }
    return true;
}

/* x with `count` places of the axis, from `first` on, every `step`-th. */
static struct tensor part_of(const struct tensor *x, uint32_t axis, int64_t first, int64_t step,
                             int64_t count)
{
    struct tensor part = *x;
    part.offset += first * x->strides[axis];
    part.dims[axis] = count;
    part.strides[axis] *= step;
    return part;
}

static void plan_view(struct plan *p, const struct node *n, const struct tensor *x,
                      const struct value *indices)
{
    const int64_t *at = indices->data, count = value_elements(indices);
    uint32_t axis = (uint32_t)n->axis;
    struct tensor view = part_of(x, axis, at[0], count > 1 ? at[1] - at[0] : 1, count);
    if (indices->rank == 0) {
        view.rank--;
        memmove(view.dims + axis, view.dims + axis + 1, (view.rank - axis) * sizeof *view.dims);
        memmove(view.strides + axis, view.strides + axis + 1,
                (view.rank - axis) * sizeof *view.strides);
    }
    plan_output_view(p, n, 0, &view);
}

enum err_code op_gather(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    const struct value *indices = plan_value(p, n, 1);
    const int64_t *at = indices->data, count = value_elements(indices);
    uint32_t axis = (uint32_t)n->axis;
    for (int64_t i = 0; at && i < count; i++) {
        if (at[i] < 0 || at[i] >= x->dims[axis]) {
            return op_refuse(n, "an index lies outside its input", err);
        }
    }
    if (!at || count > GATHER_MOST) {
        return op_refuse(n, "its indices must be constants, at most 4096", err);
    }
    if (count > 0 && indices->rank < 2 && evenly_spaced(at, count)) {
        plan_view(p, n, x, indices);
        return OK;
    }
    /* The indices' own axes are dense: they count as one. */
    struct tensor y = *plan_output(p, n, 0, LAYOUT_ROWS);
    y.rank = x->rank;
    memcpy(y.dims, x->dims, sizeof y.dims);
    y.dims[axis] = count;
    tensor_set_strides(&y, LAYOUT_ROWS);
    for (int64_t i = 0; i < count; i++) {
        struct tensor from = part_of(x, axis, at[i], 1, 1), to = part_of(&y, axis, i, 1, 1);
        plan_copy(p, &from, &to);
    }
    return OK;
}
