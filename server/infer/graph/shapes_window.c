/* shapes_window.c - convolutions, pools and products: windows resolved, dimensions compared.
 * Called through the table in shapes.c. */
#include <string.h>

#include "infer/graph/shapes.h"

enum { SPATIAL = 3 };

/* A list with one number for each spatial axis, all within bounds; left out: `otherwise`. */
static enum err_code window_list(const struct graph_work *w, const struct node *n, const char *name,
                                 uint32_t count, int64_t otherwise, int64_t *out, struct err *err)
{
    struct list l;
    enum err_code rc = node_list(w->g, n, name, -1, &l, err);
    if (rc == OK && l.there && l.n != count) {
        return node_refuse(n, err, "onnx-form", "its %s has %u numbers, not %u", name, l.n, count);
    }
    for (uint32_t i = 0; i < count && rc == OK; i++) {
        out[i] = l.there ? l.at[i] : otherwise;
        bool padding = strcmp(name, "pads") == 0;
        if (out[i] < !padding || out[i] > WINDOW_MAX) {
            return node_refuse(n, err, "onnx-form", "its %s has the number %lld", name,
                               (long long)out[i]);
        }
    }
    return rc;
}

/* Padding of one axis by auto_pad: as much as makes the result input / stride large. */
static void auto_pad(struct node *n, uint32_t i, int64_t in, int64_t reach)
{
    bool lower = node_word_is(n, "auto_pad", "SAME_LOWER"),
         upper = node_word_is(n, "auto_pad", "SAME_UPPER");
    if (lower || upper) {
        int64_t stride = n->window.stride[i];
        int64_t total = ((in + stride - 1) / stride - 1) * stride + reach - in;
        total = total > 0 ? total : 0;
        n->window.before[i] = lower ? total - total / 2 : total / 2;
        n->window.after[i] = total - n->window.before[i];
    } else if (node_word_is(n, "auto_pad", "VALID")) {
        n->window.before[i] = n->window.after[i] = 0;
    }
}

/* Positions of the window along one axis. With ceil_mode one more, when it begins within the
 * picture or its padding before (as PyTorch has it); what it reaches over is added to `after`. */
static int64_t positions(struct node *n, uint32_t i, int64_t in, int64_t reach, bool ceil)
{
    int64_t stride = n->window.stride[i],
            room = in + n->window.before[i] + n->window.after[i] - reach;
    if (room < 0) {
        return 0;
    }
    int64_t out = room / stride + 1;
    n->window.extra[i] = 0;
    if (ceil && room % stride != 0 && out * stride < in + n->window.before[i]) {
        n->window.extra[i] = stride - room % stride;
        n->window.after[i] += n->window.extra[i];
        out++;
    }
    return out;
}

/* Fills in the window but for its kernel, and the spatial dimensions of the result. */
static enum err_code slide(struct graph_work *w, struct node *n, const struct value *x, bool pool,
                           int64_t *dims, struct err *err)
{
    uint32_t count = x->rank - 2;
    int64_t pads[2 * SPATIAL];
    enum err_code rc = window_list(w, n, "strides", count, 1, n->window.stride, err);
    rc = rc == OK ? window_list(w, n, "dilations", count, 1, n->window.dilation, err) : rc;
    rc = rc == OK ? window_list(w, n, "pads", 2 * count, 0, pads, err) : rc;
    for (uint32_t i = 0; i < count && rc == OK; i++) {
        int64_t in = x->dims[2 + i], reach = (n->window.kernel[i] - 1) * n->window.dilation[i] + 1;
        n->window.before[i] = pads[i];
        n->window.after[i] = pads[count + i];
        auto_pad(n, i, in, reach);
        if (n->window.before[i] > WINDOW_MAX || n->window.after[i] > WINDOW_MAX) {
            return node_refuse(n, err, "onnx-shape",
                               "it pads %lld and %lld places; the engine pads up to %d",
                               (long long)n->window.before[i], (long long)n->window.after[i],
                               WINDOW_MAX);
        }
        if (pool && (n->window.before[i] >= reach || n->window.after[i] >= reach)) {
            return node_refuse(n, err, "onnx-shape",
                               "its padding is as wide as its kernel: some windows hold nothing");
        }
        dims[2 + i] = positions(n, i, in, reach, pool && onnx_int(n->onnx, "ceil_mode", 0) != 0);
        if (dims[2 + i] < 1) {
            return node_refuse(n, err, "onnx-shape", "its kernel does not fit into %s",
                               shape_show(x).s);
        }
    }
    return rc;
}

static enum err_code check_weights(const struct graph_work *w, const struct node *n,
                                   struct err *err)
{
    const struct value *x = node_input(w->g, n, 0), *k = node_input(w->g, n, 1),
                       *bias = node_input(w->g, n, 2);
    if (x->rank < 3 || x->rank > 2 + SPATIAL || k->rank != x->rank) {
        return node_refuse(n, err, "onnx-shape",
                           "input %s and weights %s are not both of 3 to 5 dimensions",
                           shape_show(x).s, shape_show(k).s);
    }
    int64_t group = n->window.group;
    if (group < 1 || group > x->dims[1] || k->dims[0] % group != 0 || k->dims[0] < 1 ||
        x->dims[1] % group != 0 || x->dims[1] / group != k->dims[1]) {
        return node_refuse(n, err, "onnx-shape", "input %s, weights %s and %lld groups do not fit",
                           shape_show(x).s, shape_show(k).s, (long long)group);
    }
    if (bias && (bias->rank != 1 || bias->dims[0] != k->dims[0])) {
        return node_refuse(n, err, "onnx-shape", "its bias %s does not fit the weights %s",
                           shape_show(bias).s, shape_show(k).s);
    }
    return OK;
}

enum err_code shape_conv(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0), *k = node_input(w->g, n, 1);
    n->window.group = onnx_int(n->onnx, "group", 1);
    enum err_code rc = check_weights(w, n, err);
    struct list said = {0};
    rc = rc == OK ? node_list(w->g, n, "kernel_shape", -1, &said, err) : rc;
    for (uint32_t i = 0; rc == OK && i < x->rank - 2; i++) {
        n->window.kernel[i] = k->dims[2 + i];
        if (n->window.kernel[i] < 1 || n->window.kernel[i] > WINDOW_MAX ||
            (said.there && (said.n != x->rank - 2 || said.at[i] != k->dims[2 + i]))) {
            return node_refuse(n, err, "onnx-shape",
                               "its kernel_shape is not that of its weights, %s", shape_show(k).s);
        }
    }
    int64_t dims[TENSOR_RANK] = {x->dims[0], k->dims[0]};
    rc = rc == OK ? slide(w, n, x, false, dims, err) : rc;
    return rc == OK ? shape_set(w, n, 0, x->rank, dims, err) : rc;
}

enum err_code shape_pool(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    if (x->rank < 3 || x->rank > 2 + SPATIAL) {
        return node_refuse(n, err, "onnx-shape", "it pools images with 1 to 3 axes, not %s",
                           shape_show(x).s);
    }
    if (!onnx_attribute(n->onnx, "kernel_shape")) {
        return node_refuse(n, err, "onnx-form", "it has no kernel_shape");
    }
    int64_t dims[TENSOR_RANK] = {x->dims[0], x->dims[1]};
    n->window.count_padding = onnx_int(n->onnx, "count_include_pad", 0) != 0;
    enum err_code rc = window_list(w, n, "kernel_shape", x->rank - 2, 1, n->window.kernel, err);
    rc = rc == OK ? slide(w, n, x, true, dims, err) : rc;
    return rc == OK ? shape_set(w, n, 0, x->rank, dims, err) : rc;
}

enum err_code shape_global_pool(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    if (x->rank < 3) {
        return node_refuse(n, err, "onnx-shape", "it pools images, not %s", shape_show(x).s);
    }
    uint32_t rank = x->rank;
    int64_t dims[TENSOR_RANK] = {x->dims[0], x->dims[1]};
    for (uint32_t i = 2; i < rank; i++) {
        dims[i] = 1;
    }
    return shape_set(w, n, 0, rank, dims, err);
}

enum err_code shape_gemm(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *a = node_input(w->g, n, 0), *b = node_input(w->g, n, 1),
                       *c = node_input(w->g, n, 2);
    struct gemm how = node_gemm(n);
    if (a->rank != 2 || b->rank != 2 || a->dims[!how.trans_a] != b->dims[how.trans_b]) {
        return node_refuse(n, err, "onnx-shape", "%s and %s cannot be multiplied", shape_show(a).s,
                           shape_show(b).s);
    }
    int64_t dims[TENSOR_RANK] = {a->dims[how.trans_a], b->dims[!how.trans_b]}, with[TENSOR_RANK];
    uint32_t rank = 2;
    if (c && (c->rank > 2 || !shape_broadcast(2, dims, c->rank, c->dims, &rank, with) ||
              with[0] != dims[0] || with[1] != dims[1])) {
        return node_refuse(n, err, "onnx-shape", "%s cannot be added to %lldx%lld", shape_show(c).s,
                           (long long)dims[0], (long long)dims[1]);
    }
    return shape_set(w, n, 0, 2, dims, err);
}

enum err_code shape_matmul(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *a = node_input(w->g, n, 0), *b = node_input(w->g, n, 1),
                       *bias = node_input(w->g, n, 2);
    uint32_t rank = 0;
    int64_t dims[TENSOR_RANK];
    if (a->rank < 2 || b->rank < 2 || a->dims[a->rank - 1] != b->dims[b->rank - 2] ||
        !shape_broadcast(a->rank - 2, a->dims, b->rank - 2, b->dims, &rank, dims)) {
        return node_refuse(n, err, "onnx-shape", "%s and %s cannot be multiplied", shape_show(a).s,
                           shape_show(b).s);
    }
    dims[rank] = a->dims[a->rank - 2];
    dims[rank + 1] = b->dims[b->rank - 1];
    if (bias && !node_floats(w->g, n, 2, dims[rank + 1])) {
        return node_refuse(n, err, "onnx-shape", "%s cannot be added to columns of %lld",
                           shape_show(bias).s, (long long)dims[rank + 1]);
    }
    return shape_set(w, n, 0, rank + 2, dims, err);
}
