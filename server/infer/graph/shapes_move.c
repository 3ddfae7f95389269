/* shapes_move.c - operators that move numbers and calculate nothing: slices, pads, new dimensions.
 * Called through the table in shapes.c, and by fold.c, which then moves constants accordingly. */
#include <string.h>

#include "infer/graph/shapes.h"
#include "infer/onnx/wire.h"

static enum err_code by_list(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list l;
    enum err_code rc = node_list(w->g, n, "shape", 1, &l, err);
    if (rc != OK) {
        return rc;
    }
    if (!l.there || l.n > TENSOR_RANK) {
        return node_refuse(n, err, "onnx-form", "its new shape is not a list of at most %d numbers",
                           TENSOR_RANK);
    }
    bool zero_is_zero = onnx_int(n->onnx, "allowzero", 0) != 0;
    int64_t known = 1, elements = value_elements(x), open = -1;
    for (uint32_t i = 0; i < l.n; i++) {
        if (l.at[i] == 0 && !zero_is_zero) {
            l.at[i] = i < x->rank ? x->dims[i] : -2;
        }
        if (l.at[i] < -1 || (l.at[i] == -1 && open >= 0)) {
            return node_refuse(n, err, "onnx-shape", "its new shape cannot be made from %s",
                               shape_show(x).s);
        }
        open = l.at[i] == -1 ? i : open;
        if (l.at[i] >= 0 && __builtin_mul_overflow(known, l.at[i], &known)) {
            known = -1;
            break;
        }
    }
    if (open >= 0 && known > 0 && elements % known == 0) {
        l.at[open] = elements / known;
        known = elements;
    }
    if (known != elements || (open >= 0 && l.at[open] < 0)) {
        return node_refuse(n, err, "onnx-shape",
                           "its new shape does not have the %lld elements of %s",
                           (long long)elements, shape_show(x).s);
    }
    return shape_set(w, n, 0, l.n, l.at, err);
}

static enum err_code flatten(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    int64_t axis = onnx_int(n->onnx, "axis", 1);
    int64_t dims[TENSOR_RANK] = {1, 1};
    enum err_code rc = axis == x->rank ? OK : node_axis(n, axis, x->rank, &axis, err);
    for (uint32_t i = 0; i < x->rank; i++) {
        dims[i >= axis] *= x->dims[i];
    }
    return rc == OK ? shape_set(w, n, 0, 2, dims, err) : rc;
}

static enum err_code squeeze(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list axes;
    uint32_t gone = 0, rank = 0;
    int64_t dims[TENSOR_RANK], axis = 0;
    enum err_code rc = node_list(w->g, n, "axes", 1, &axes, err);
    for (uint32_t i = 0; i < axes.n && rc == OK; i++) {
        rc = node_axis(n, axes.at[i], x->rank, &axis, err);
        if (rc == OK && x->dims[axis] != 1) {
            return node_refuse(n, err, "onnx-shape", "axis %lld of %s is not 1", (long long)axis,
                               shape_show(x).s);
        }
        gone |= 1U << axis;
    }
    for (uint32_t i = 0; i < x->rank; i++) {
        if (axes.there ? !(gone >> i & 1) : x->dims[i] != 1) {
            dims[rank++] = x->dims[i];
        }
    }
    return rc == OK ? shape_set(w, n, 0, rank, dims, err) : rc;
}

static enum err_code unsqueeze(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list axes;
    enum err_code rc = node_list(w->g, n, "axes", 1, &axes, err);
    uint32_t rank = x->rank + axes.n, made = 0, from = 0;
    int64_t dims[TENSOR_RANK], axis = 0;
    if (rc == OK && rank > TENSOR_RANK) {
        return node_refuse(n, err, "onnx-shape", "its result would have %u dimensions", rank);
    }
    for (uint32_t i = 0; i < axes.n && rc == OK; i++) {
        rc = node_axis(n, axes.at[i], rank, &axis, err);
        if (rc == OK && made >> axis & 1) {
            return node_refuse(n, err, "onnx-form", "it names axis %lld twice", (long long)axis);
        }
        made |= 1U << axis;
    }
    for (uint32_t i = 0; i < rank && rc == OK; i++) {
        dims[i] = made >> i & 1 ? 1 : x->dims[from++];
    }
    return rc == OK ? shape_set(w, n, 0, rank, dims, err) : rc;
}

enum err_code shape_reshape(struct graph_work *w, struct node *n, struct err *err)
{
    struct sv op = n->onnx->op;
    return sv_is(op, "Reshape")     ? by_list(w, n, err)
           : sv_is(op, "Flatten")   ? flatten(w, n, err)
           : sv_is(op, "Squeeze")   ? squeeze(w, n, err)
           : sv_is(op, "Unsqueeze") ? unsqueeze(w, n, err)
                                    : shape_same(w, n, err); /* a copy */
}

/* Start, end and step of one axis as ONNX clamps them: the first index and how many follow. */
static int64_t cut(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first)
{
    *first = 0;
    if (size == 0) {
        return 0;
    }
    start += start < 0 ? size : 0;
    end += end < 0 ? size : 0;
    int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
    start = start < 0 ? 0 : start > most ? most : start;
    end = end < least ? least : end > most ? most : end;
    *first = start;
    /* Both lie within the axis now, so that neither the difference nor the step's negative
     * overflows. */
    int64_t span = step > 0 ? end - start : start - end;
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return span <= 0 ? 0 : (int64_t)(((uint64_t)span - 1) / stride) + 1;
}

enum err_code shape_slice(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list starts, ends, axes, steps;
    bool inputs = n->n_inputs > 1;
    enum err_code rc = node_list(w->g, n, "starts", inputs ? 1 : -1, &starts, err);
    rc = rc == OK ? node_list(w->g, n, "ends", inputs ? 2 : -1, &ends, err) : rc;
    rc = rc == OK ? node_list(w->g, n, "axes", inputs ? 3 : -1, &axes, err) : rc;
    rc = rc == OK ? node_list(w->g, n, "steps", inputs ? 4 : -1, &steps, err) : rc;
    int64_t dims[TENSOR_RANK];
    for (uint32_t i = 0; i < x->rank; i++) {
        n->at[i] = 0;
        n->by[i] = 1;
        dims[i] = x->dims[i];
    }
    if (rc == OK && (!starts.there || ends.n != starts.n || (axes.there && axes.n != starts.n) ||
                     (steps.there && steps.n != starts.n))) {
        return node_refuse(n, err, "onnx-form",
                           "its starts, ends, axes and steps differ in length");
    }
    for (uint32_t i = 0; i < starts.n && rc == OK; i++) {
        int64_t axis = 0, step = steps.there ? steps.at[i] : 1;
        rc = node_axis(n, axes.there ? axes.at[i] : i, x->rank, &axis, err);
        if (rc == OK && step == 0) {
            return node_refuse(n, err, "onnx-form", "its step is 0");
        }
        if (rc == OK) {
            dims[axis] = cut(x->dims[axis], starts.at[i], ends.at[i], step, &n->at[axis]);
            /* Beyond a single element a step is shorter than the axis; then no product of it
             * overflows. */
            n->by[axis] = dims[axis] > 1 ? step : 1;
        }
    }
    return rc == OK ? shape_set(w, n, 0, x->rank, dims, err) : rc;
}

static enum err_code pad_kind(struct graph_work *w, struct node *n, struct err *err)
{
    float number = 0;
    if (!onnx_attribute(n->onnx, "mode") || node_word_is(n, "mode", "constant")) {
        n->u.pad = PAD_CONSTANT;
    } else if (node_word_is(n, "mode", "reflect")) {
        n->u.pad = PAD_REFLECT;
    } else if (node_word_is(n, "mode", "edge")) {
        n->u.pad = PAD_EDGE;
    } else {
        return node_refuse(n, err, "onnx-operator", "its mode is not constant, reflect or edge");
    }
    if (node_input(w->g, n, 2) && !node_constant(w->g, n, 2)) {
        return node_refuse(n, err, "onnx-operator", "the number it pads with is not constant");
    }
    (void)node_number(w->g, n, "value", 2, &number);
    n->act.a = number;
    return OK;
}

enum err_code shape_pad(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list pads, axes;
    int64_t dims[TENSOR_RANK];
    uint32_t seen = 0;
    enum err_code rc = pad_kind(w, n, err);
    rc = rc == OK ? node_list(w->g, n, "pads", n->n_inputs > 1 ? 1 : -1, &pads, err) : rc;
    rc = rc == OK ? node_list(w->g, n, "axes", 3, &axes, err) : rc;
    uint32_t count = rc != OK ? 0 : axes.there ? axes.n : x->rank;
    if (rc == OK && pads.n != 2 * count) {
        return node_refuse(n, err, "onnx-shape", "%u pads for %s", pads.n, shape_show(x).s);
    }
    for (uint32_t i = 0; i < x->rank; i++) {
        n->at[i] = n->by[i] = 0;
        dims[i] = x->dims[i];
    }
    for (uint32_t i = 0; i < count && rc == OK; i++) {
        int64_t axis = 0, before = pads.at[i], after = pads.at[count + i];
        rc = node_axis(n, axes.there ? axes.at[i] : i, x->rank, &axis, err);
        /* The frame of an axis is one pair of numbers, and its result has room for those alone. */
        if (rc == OK && seen >> axis & 1) {
            return node_refuse(n, err, "onnx-form", "it names axis %lld twice", (long long)axis);
        }
        seen |= 1U << axis;
        int64_t most = n->u.pad == PAD_REFLECT ? dims[axis] - 1 : INT32_MAX;
        if (rc == OK &&
            (before > most || after > most || before < -dims[axis] || after < -dims[axis])) {
            return node_refuse(n, err, "onnx-shape", "pads of %lld and %lld for %s",
                               (long long)before, (long long)after, shape_show(x).s);
        }
        n->at[axis] = before;
        n->by[axis] = after;
        dims[axis] += before + after;
    }
    return rc == OK ? shape_set(w, n, 0, x->rank, dims, err) : rc;
}

enum err_code shape_transpose(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list order;
    int64_t dims[TENSOR_RANK];
    uint32_t seen = 0;
    enum err_code rc = node_list(w->g, n, "perm", -1, &order, err);
    if (rc == OK && order.there && order.n != x->rank) {
        return node_refuse(n, err, "onnx-shape", "it orders %u axes, but the input is %s", order.n,
                           shape_show(x).s);
    }
    for (uint32_t i = 0; i < x->rank && rc == OK; i++) {
        int64_t axis = 0;
        rc = node_axis(n, order.there ? order.at[i] : (int64_t)(x->rank - 1 - i), x->rank, &axis,
                       err);
        n->at[i] = axis;
        dims[i] = x->dims[axis];
        seen |= 1U << axis;
    }
    if (rc == OK && seen != (1U << x->rank) - 1) {
        return node_refuse(n, err, "onnx-form", "its order names an axis twice");
    }
    return rc == OK ? shape_set(w, n, 0, x->rank, dims, err) : rc;
}

enum err_code shape_expand(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list l;
    int64_t dims[TENSOR_RANK];
    uint32_t rank = 0;
    enum err_code rc = node_list(w->g, n, "shape", 1, &l, err);
    if (rc == OK &&
        (l.n > TENSOR_RANK || !shape_broadcast(x->rank, x->dims, l.n, l.at, &rank, dims))) {
        return node_refuse(n, err, "onnx-shape", "%s cannot be expanded to its shape",
                           shape_show(x).s);
    }
    return rc == OK ? shape_set(w, n, 0, rank, dims, err) : rc;
}

/* Indices as the planner has them: constant, 64 bits, none negative. */
static enum err_code plain_indices(struct graph_work *w, struct node *n, int64_t size,
                                   struct err *err)
{
    struct value v = *node_input(w->g, n, 1);
    int64_t count = value_elements(&v), *list;
    if (!v.data || (v.type != TYPE_I64 && v.type != TYPE_I32)) {
        return node_refuse(n, err, "onnx-operator", "its indices are not constant whole numbers");
    }
    bool plain = v.type == TYPE_I64;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = value_integer(&v, i);
        if (at < -size || at >= size) {
            return node_refuse(n, err, "onnx-shape", "index %lld of an axis of %lld", (long long)at,
                               (long long)size);
        }
        plain = plain && at >= 0;
    }
    if (plain) {
        return OK;
    }
    enum err_code rc = onnx_take(w->a, (size_t)count, sizeof *list, &list, err);
    for (int64_t i = 0; i < count && rc == OK; i++) {
        int64_t at = value_integer(&v, i);
        list[i] = at < 0 ? at + size : at;
    }
    return rc == OK
               ? graph_add_constant(w, v.name, TYPE_I64, v.rank, v.dims, list, &n->inputs[1], err)
               : rc;
}

enum err_code shape_gather(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    int64_t dims[TENSOR_RANK];
    uint32_t rank = 0, axes = x->rank;
    enum err_code rc = node_axis(n, onnx_int(n->onnx, "axis", 0), axes, &n->axis, err);
    rc = rc == OK ? plain_indices(w, n, x->dims[n->axis], err) : rc;
    if (rc != OK) {
        return rc;
    }
    x = node_input(w->g, n, 0); /* the values may have moved */
    const struct value *at = node_input(w->g, n, 1);
    if (axes - 1 + at->rank > TENSOR_RANK) {
        return node_refuse(n, err, "onnx-shape", "its result has more than %d dimensions",
                           TENSOR_RANK);
    }
    for (uint32_t i = 0; i < axes; i++) {
        if (i != n->axis) {
            dims[rank++] = x->dims[i];
            continue;
        }
        for (uint32_t k = 0; k < at->rank; k++) {
            dims[rank++] = at->dims[k];
        }
    }
    return shape_set(w, n, 0, rank, dims, err);
}

enum err_code shape_split(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list sizes;
    int64_t dims[TENSOR_RANK], left;
    enum err_code rc = node_axis(n, onnx_int(n->onnx, "axis", 0), x->rank, &n->axis, err);
    rc = rc == OK ? node_list(w->g, n, "split", n->n_inputs > 1 ? 1 : -1, &sizes, err) : rc;
    if (rc != OK) {
        return rc;
    }
    memcpy(dims, x->dims, sizeof dims);
    uint32_t rank = x->rank;
    left = dims[n->axis];
    int64_t each = (left + n->n_outputs - 1) / n->n_outputs;
    if (sizes.there && sizes.n != n->n_outputs) {
        return node_refuse(n, err, "onnx-form", "it has %u sizes for %u results", sizes.n,
                           n->n_outputs);
    }
    for (uint32_t o = 0; o < n->n_outputs && rc == OK; o++) {
        int64_t size = sizes.there ? sizes.at[o] : each < left ? each : left;
        if (size < 0 || size > left || (o + 1 == n->n_outputs && size != left)) {
            return node_refuse(n, err, "onnx-shape", "its sizes do not add up to %lld",
                               (long long)x->dims[n->axis]);
        }
        left -= size;
        dims[n->axis] = size;
        rc = shape_set(w, n, o, rank, dims, err);
    }
    return rc;
}

enum err_code shape_depth_to_space(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    int64_t b = onnx_int(n->onnx, "blocksize", 0);
    if (x->rank != 4 || b < 1 || b > 1024 || x->dims[1] % (b * b) != 0) {
        return node_refuse(n, err, "onnx-shape", "blocks of %lld out of %s", (long long)b,
                           shape_show(x).s);
    }
    int64_t dims[TENSOR_RANK] = {x->dims[0], x->dims[1] / (b * b), x->dims[2] * b, x->dims[3] * b};
    return shape_set(w, n, 0, 4, dims, err);
}
