/* shape.c - the same values under other dimensions: views where strides can say it, else one
 * copy. */
#include <string.h>

#include "infer/plan/ops.h"

static struct tensor *view_of(struct plan *p, const struct tensor *t)
{
    struct tensor *view = arena_alloc(plan_arena(p), sizeof *view);
    *view = *t;
    return view;
}

static void set_dims(struct tensor *t, const struct value *v)
{
    t->rank = v->rank;
    memcpy(t->dims, v->dims, sizeof t->dims);
}

/* ------------------------------------------------------------------ reshape */

/* Gives `to`, whose dimensions are set, strides so that it shows t's values in row-major order;
 * false: no strides can. Axes of 1 are left out; then the shortest runs of axes with equal counts
 * on both sides must match. */
static bool reshaped(const struct tensor *t, struct tensor *to)
{
    struct tensor from = {.rank = 0};
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] != 1) {
            from.dims[from.rank] = t->dims[i];
            from.strides[from.rank++] = t->strides[i];
        }
    }
    uint32_t i = 0, k = 0;
    while (k < to->rank) {
        uint32_t first_i = i, first_k = k;
        int64_t have = i < from.rank ? from.dims[i++] : 1, want = to->dims[k++];
        while (have != want) {
            if (have < want && i < from.rank) {
                have *= from.dims[i++];
            } else if (have > want && k < to->rank) {
                want *= to->dims[k++];
            } else {
                return false;
            }
        }
        for (uint32_t j = first_i; j + 1 < i; j++) {
            if (from.strides[j] != from.strides[j + 1] * from.dims[j + 1]) {
                return false;
            }
        }
        int64_t step = i > first_i ? from.strides[i - 1] : 0;
        for (uint32_t j = k; j-- > first_k;) {
            to->strides[j] = step;
            step *= to->dims[j];
        }
    }
    return i == from.rank;
}

enum err_code op_reshape(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *view = view_of(p, x);
    (void)err;
    set_dims(view, plan_result(p, n, 0));
    if (tensor_elements(view) == 0 || !reshaped(x, view)) {
        *view = *plan_as(p, x, LAYOUT_ROWS);
        set_dims(view, plan_result(p, n, 0));
        tensor_set_strides(view, LAYOUT_ROWS);
    }
    plan_output_view(p, n, 0, view);
    return OK;
}

/* ------------------------------------------------------------------ views */

enum err_code op_expand(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *view = view_of(p, x);
    (void)err;
    set_dims(view, plan_result(p, n, 0));
    uint32_t more = view->rank - x->rank;
    for (uint32_t i = 0; i < view->rank; i++) {
        bool repeats = i < more || (x->dims[i - more] == 1 && view->dims[i] != 1);
        view->strides[i] = repeats ? 0 : x->strides[i - more];
    }
    plan_output_view(p, n, 0, view);
    return OK;
}

enum err_code op_transpose(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *view = view_of(p, x);
    (void)err;
    for (uint32_t i = 0; i < x->rank; i++) {
        view->dims[i] = x->dims[n->at[i]];
        view->strides[i] = x->strides[n->at[i]];
    }
    plan_output_view(p, n, 0, view);
    return OK;
}

enum err_code op_slice(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *view = view_of(p, x);
    (void)err;
    set_dims(view, plan_result(p, n, 0));
    for (uint32_t i = 0; i < x->rank && tensor_elements(view) > 0; i++) {
        view->offset += n->at[i] * x->strides[i];
        view->strides[i] = x->strides[i] * n->by[i];
    }
    plan_output_view(p, n, 0, view);
    return OK;
}

enum err_code op_split(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *view = view_of(p, x);
    (void)err;
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        if (n->outputs[o] >= 0) {
            set_dims(view, plan_result(p, n, o));
            plan_output_view(p, n, o, view);
            view->offset += view->dims[n->axis] * view->strides[n->axis];
        }
    }
    return OK;
}

/* ------------------------------------------------------------------ permuted parts of axes */

/* Splits axis i into two of which the second has `inner` places. */
static void split_axis(struct tensor *t, uint32_t i, int64_t inner)
{
    memmove(t->dims + i + 1, t->dims + i, (t->rank - i) * sizeof *t->dims);
    memmove(t->strides + i + 1, t->strides + i, (t->rank - i) * sizeof *t->strides);
    t->rank++;
    t->dims[i] /= inner;
    t->dims[i + 1] = inner;
    t->strides[i] = t->strides[i + 1] * inner;
}

static void permute(struct tensor *t, const uint32_t *order)
{
    const struct tensor was = *t;
    for (uint32_t i = 0; i < t->rank; i++) {
        t->dims[i] = was.dims[order[i]];
        t->strides[i] = was.strides[order[i]];
    }
}

enum err_code op_channel_shuffle(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    int64_t groups = n->window.group;
    (void)err;
    struct tensor from = *x, to = *plan_output(p, n, 0, LAYOUT_CHANNELS_LAST);
    split_axis(&from, 1, from.dims[1] / groups);
    split_axis(&to, 1, groups);
    permute(&from, (const uint32_t[]){0, 2, 1, 3, 4, 5, 6});
    plan_copy(p, &from, &to);
    return OK;
}

/* Channels (b, b, C) or (C, b, b) become b x b pixels: C, H, b, W, b. */
enum err_code op_depth_to_space(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    const struct onnx_attribute *mode = onnx_attribute(n->onnx, "mode");
    int64_t block = onnx_int(n->onnx, "blocksize", 1), rest = x->dims[1] / (block * block);
    bool channels_first = mode && sv_eq(mode->s, SV("CRD"));
    (void)err;
    struct tensor from = *x, to = *plan_output(p, n, 0, LAYOUT_CHANNELS_LAST);
    split_axis(&from, 1, channels_first ? block : rest);
    split_axis(&from, 1, block);
    permute(&from, channels_first ? (const uint32_t[]){0, 1, 4, 2, 5, 3}
                                  : (const uint32_t[]){0, 3, 4, 1, 5, 2});
    split_axis(&to, 3, block);
    split_axis(&to, 2, block);
    plan_copy(p, &from, &to);
    return OK;
}
