/* shapes.c - the dimensions of every value for one batch, and the shape arithmetic gone.
 *
 * Nodes are taken in their order: what is constant by now is folded, the others get the dimensions
 * of their outputs. The graph that comes in is shared and stays as it is. */
#include "infer/graph/shapes.h"

#include <stdio.h>
#include <string.h>

#include "infer/onnx/wire.h"

static const int64_t ELEMENTS_MAX = (int64_t)1
                                    << 36; /* of one value: more than any machine here has */

struct shape_text shape_show(const struct value *v)
{
    struct shape_text t = {"no dimensions"};
    size_t n = 0;
    for (uint32_t i = 0; i < v->rank && n < sizeof t.s - 24; i++) {
        n += (size_t)snprintf(t.s + n, sizeof t.s - n, "%s%lld", i ? "x" : "",
                              (long long)v->dims[i]);
    }
    return t;
}

enum err_code shape_set(struct graph_work *w, struct node *n, uint32_t o, uint32_t rank,
                        const int64_t *dims, struct err *err)
{
    struct value *v = node_output(w->g, n, o);
    int64_t elements = 1;
    bool fits = true;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0) {
            return node_refuse(n, err, "onnx-shape", "dimension %u of its result would be negative",
                               i);
        }
        fits = !__builtin_mul_overflow(elements, dims[i] ? dims[i] : 1, &elements) && fits;
    }
    if (!fits || elements > ELEMENTS_MAX) {
        return node_refuse(n, err, "onnx-shape", "its result has more elements than memory");
    }
    if (v) {
        v->rank = rank;
        memmove(v->dims, dims, rank * sizeof *dims);
    }
    return OK;
}

bool shape_broadcast(uint32_t rank_a, const int64_t *a, uint32_t rank_b, const int64_t *b,
                     uint32_t *rank, int64_t *out)
{
    *rank = rank_a > rank_b ? rank_a : rank_b;
    for (uint32_t i = 0; i < *rank; i++) {
        uint32_t lead_a = *rank - rank_a, lead_b = *rank - rank_b;
        int64_t x = i < lead_a ? 1 : a[i - lead_a], y = i < lead_b ? 1 : b[i - lead_b];
        if (x != y && x != 1 && y != 1) {
            return false;
        }
        out[i] = x == 1 ? y : x;
    }
    return true;
}

enum err_code shape_same(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    int64_t dims[TENSOR_RANK];
    memcpy(dims, x->dims, sizeof dims);
    return shape_set(w, n, 0, x->rank, dims, err);
}

/* Before operator set 7 the second one is laid at an axis of the first (by default the last ones),
 * and a slope of PRelu stands for channels. As constants they get ones behind. */
static enum err_code lay_second(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *a = node_input(w->g, n, 0), *b = node_input(w->g, n, 1);
    bool prelu = n->u.binary == BIN_PRELU;
    int64_t axis = onnx_int(n->onnx, "axis", prelu ? 1 : -1);
    if (w->g->opset >= 7 || b->rank == 0 || b->rank >= a->rank || axis < 0 ||
        (!prelu && onnx_int(n->onnx, "broadcast", 0) == 0) || axis + b->rank >= a->rank) {
        return OK;
    }
    if (!b->data) {
        return node_refuse(n, err, "onnx-operator",
                           "it broadcasts a value that is not constant along an axis");
    }
    int64_t dims[TENSOR_RANK];
    uint32_t rank = a->rank - (uint32_t)axis;
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = i < b->rank ? b->dims[i] : 1;
    }
    return graph_add_constant(w, b->name, b->type, rank, dims, b->data, &n->inputs[1], err);
}

enum err_code shape_binary(struct graph_work *w, struct node *n, struct err *err)
{
    enum err_code rc = lay_second(w, n, err);
    if (rc != OK) {
        return rc;
    }
    const struct value *a = node_input(w->g, n, 0), *b = node_input(w->g, n, 1);
    int64_t dims[TENSOR_RANK];
    uint32_t rank;
    if (!shape_broadcast(a->rank, a->dims, b->rank, b->dims, &rank, dims)) {
        return node_refuse(n, err, "onnx-shape", "%s and %s do not fit", shape_show(a).s,
                           shape_show(b).s);
    }
    return shape_set(w, n, 0, rank, dims, err);
}

enum err_code shape_concat(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *first = node_input(w->g, n, 0);
    int64_t dims[TENSOR_RANK];
    uint32_t rank = first->rank;
    enum err_code rc = node_axis(n, n->axis, rank, &n->axis, err);
    memcpy(dims, first->dims, sizeof dims);
    for (uint32_t i = 1; i < n->n_inputs && rc == OK; i++) {
        const struct value *v = node_input(w->g, n, i);
        bool fits = v && v->rank == rank;
        for (uint32_t k = 0; k < rank && fits; k++) {
            fits = k == n->axis || v->dims[k] == dims[k];
        }
        if (!fits || __builtin_add_overflow(dims[n->axis], v->dims[n->axis], &dims[n->axis])) {
            return node_refuse(n, err, "onnx-shape", "input %u does not fit the first one, %s",
                               i, shape_show(first).s);
        }
    }
    return rc == OK ? shape_set(w, n, 0, rank, dims, err) : rc;
}

enum err_code shape_reduce(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    struct list axes;
    enum err_code rc = node_list(w->g, n, "axes", 1, &axes, err);
    n->axes = 0;
    for (uint32_t i = 0; i < axes.n && rc == OK; i++) {
        int64_t axis = 0;
        rc = node_axis(n, axes.at[i], x->rank, &axis, err);
        n->axes |= 1U << axis;
    }
    if (axes.n == 0 && onnx_int(n->onnx, "noop_with_empty_axes", 0) == 0) {
        n->axes = (1U << x->rank) - 1;
    }
    int64_t dims[TENSOR_RANK];
    uint32_t rank = 0;
    bool keep = onnx_int(n->onnx, "keepdims", 1) != 0;
    for (uint32_t i = 0; i < x->rank; i++) {
        bool gone = n->axes >> i & 1;
        if (!gone || keep) {
            dims[rank++] = gone ? 1 : x->dims[i];
        }
    }
    return rc == OK ? shape_set(w, n, 0, rank, dims, err) : rc;
}

/* Up to operator set 12 all axes from the given one on are normalised together. */
enum err_code shape_softmax(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    bool together = w->g->opset < 13;
    int64_t axis = onnx_int(n->onnx, "axis", together ? 1 : -1);
    enum err_code rc = OK;
    if (!together || axis != x->rank) { /* the axis after the last one: every number on its own */
        rc = node_axis(n, axis, x->rank, &axis, err);
    }
    n->axes = 0;
    for (uint32_t i = 0; i < x->rank && rc == OK; i++) {
        n->axes |= i == axis || (together && i > axis) ? 1U << i : 0;
    }
    return rc == OK ? shape_same(w, n, err) : rc;
}

enum err_code shape_layer_norm(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    enum err_code rc = node_axis(n, n->axis, x->rank, &n->axis, err);
    int64_t size = 1;
    for (uint32_t i = (uint32_t)n->axis; i < x->rank && rc == OK; i++) {
        size *= x->dims[i];
    }
    for (uint32_t i = 1; i < 3 && rc == OK; i++) {
        if (node_input(w->g, n, i) && !node_floats(w->g, n, i, size)) {
            return node_refuse(n, err, "onnx-operator",
                               "its scale or bias is not %lld constant floats", (long long)size);
        }
    }
    return rc == OK ? shape_same(w, n, err) : rc;
}

enum err_code shape_batch_norm(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0), *scale = node_input(w->g, n, 1);
    if (x->rank < 2 || x->dims[1] != value_elements(scale)) {
        return node_refuse(n, err, "onnx-shape", "%lld channels normalised, but the input is %s",
                           (long long)value_elements(scale), shape_show(x).s);
    }
    return shape_same(w, n, err);
}

static enum err_code shape_lrn(struct graph_work *w, struct node *n, struct err *err)
{
    const struct value *x = node_input(w->g, n, 0);
    if (x->rank < 3 || onnx_int(n->onnx, "size", 0) < 1) {
        return node_refuse(n, err, "onnx-shape", "it needs a size and channels of pixels, not %s",
                           shape_show(x).s);
    }
    return shape_same(w, n, err);
}

static enum err_code shape_constants_only(struct graph_work *w, struct node *n, struct err *err)
{
    (void)w;
    return node_refuse(n, err, "onnx-operator",
                       "it depends on the image; the engine has it for constants only");
}

static shape_fn *const rules[] = {
    [OP_NONE] = NULL,
    [OP_CONV] = shape_conv,
    [OP_GEMM] = shape_gemm,
    [OP_MATMUL] = shape_matmul,
    [OP_MAX_POOL] = shape_pool,
    [OP_AVERAGE_POOL] = shape_pool,
    [OP_GLOBAL_AVERAGE_POOL] = shape_global_pool,
    [OP_GLOBAL_MAX_POOL] = shape_global_pool,
    [OP_BATCH_NORM] = shape_batch_norm,
    [OP_LRN] = shape_lrn,
    [OP_LAYER_NORM] = shape_layer_norm,
    [OP_SOFTMAX] = shape_softmax,
    [OP_LOG_SOFTMAX] = shape_softmax,
    [OP_UNARY] = shape_same,
    [OP_BINARY] = shape_binary,
    [OP_CONCAT] = shape_concat,
    [OP_SPLIT] = shape_split,
    [OP_SLICE] = shape_slice,
    [OP_PAD] = shape_pad,
    [OP_RESHAPE] = shape_reshape,
    [OP_TRANSPOSE] = shape_transpose,
    [OP_REDUCE] = shape_reduce,
    [OP_EXPAND] = shape_expand,
    [OP_GATHER] = shape_gather,
    [OP_DEPTH_TO_SPACE] = shape_depth_to_space,
    [OP_SHAPE] = shape_constants_only,
    [OP_CAST] = shape_constants_only,
    [OP_CHANNEL_SHUFFLE] = shape_same,
    [OP_RESIZE] = shape_resize,
    [OP_FOLD_ONLY] = shape_constants_only,
};

enum err_code shape_node(struct graph_work *w, struct node *n, struct err *err)
{
    BUG_IF((size_t)n->op >= sizeof rules / sizeof *rules || !rules[n->op]);
    return rules[n->op](w, n, err);
}

/* A node that stays calculates with floats, and its results are not empty. */
static enum err_code check_running(struct graph_work *w, struct node *n, struct err *err)
{
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct value *v = node_input(w->g, n, i);
        bool index = n->op == OP_GATHER && i == 1;
        if (v && v->type != (index ? TYPE_I64 : TYPE_F32)) {
            return node_refuse(n, err, "onnx-type",
                               "its input %u does not hold floats and depends on the image", i);
        }
    }
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        struct value *v = node_output(w->g, n, o);
        if (v && value_elements(v) == 0) {
            return node_refuse(n, err, "onnx-shape", "its result is empty, %s", shape_show(v).s);
        }
        if (v) {
            v->type = TYPE_F32;
        }
    }
    return OK;
}

/* Constants in double precision, or whole exponents, become floats where the engine calculates with
 * them. */
static enum err_code narrow_inputs(struct graph_work *w, struct node *n, struct err *err)
{
    enum err_code rc = OK;
    for (uint32_t i = 0; i < n->n_inputs && rc == OK; i++) {
        const struct value *v = node_input(w->g, n, i);
        bool whole = n->op == OP_BINARY && v && (v->type == TYPE_I64 || v->type == TYPE_I32);
        if (!v || !v->data || (v->type != TYPE_F64 && !whole)) {
            continue;
        }
        float *data;
        int64_t elements = value_elements(v);
        struct value was = *v;
        rc = fold_charge(w, n, (uint64_t)elements, err);
        rc = rc == OK ? onnx_take(w->a, (size_t)elements, sizeof *data, &data, err) : rc;
        for (int64_t k = 0; k < elements && rc == OK; k++) {
            data[k] = (float)value_number(&was, k);
        }
        rc = rc == OK ? graph_add_constant(w, was.name, TYPE_F32, was.rank, was.dims, data,
                                           &n->inputs[i], err)
                      : rc;
    }
    return rc;
}

/* Lists that only said something about dimensions have done so. */
static void trim_inputs(struct node *n)
{
    if (n->op == OP_SLICE || n->op == OP_PAD || n->op == OP_RESHAPE || n->op == OP_EXPAND ||
        n->op == OP_REDUCE || n->op == OP_SPLIT || n->op == OP_RESIZE) {
        n->n_inputs = 1;
    }
}

static enum err_code shape_nodes(struct graph_work *w, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < w->g->n_nodes && rc == OK; i++) {
        struct node *n = &w->g->nodes[i];
        bool done = false;
        rc = fold_node(w, n, &done, err);
        if (done) {
            n->op = OP_NONE;
            continue;
        }
        rc = rc == OK ? shape_node(w, n, err) : rc;
        if (rc == OK) {
            trim_inputs(n);
            rc = narrow_inputs(w, n, err);
        }
        rc = rc == OK ? check_running(w, n, err) : rc;
    }
    return rc;
}

/* Open dimensions of the inputs: the first is the batch, the others are `side`. */
static enum err_code set_inputs(struct graph_work *w, int64_t batch, int64_t side, struct err *err)
{
    for (size_t i = 0; i < w->g->n_inputs; i++) {
        struct value *v = &w->g->values[w->g->inputs[i]];
        for (uint32_t k = 0; k < v->rank; k++) {
            if (v->dims[k] < 0 && k > 0 && side == 0) {
                return err_rule(
                    err, ERR_INPUT, "onnx-shape",
                    "the model's input %.*s leaves dimension %u open: give the side of the images",
                    SHOWN(v->name), k);
            }
            if (k == 0 && v->dims[0] > 0 && v->dims[0] != batch) {
                return err_rule(err, ERR_INPUT, "onnx-batch",
                                "the model only takes batches of %lld, not %lld",
                                (long long)v->dims[0], (long long)batch);
            }
            v->dims[k] = v->dims[k] >= 0 ? v->dims[k] : k == 0 ? batch : side;
        }
        int64_t elements = 1;
        for (uint32_t k = 0; k < v->rank; k++) {
            if (__builtin_mul_overflow(elements, v->dims[k], &elements) ||
                elements > ELEMENTS_MAX || elements < 1) {
                return err_rule(err, ERR_INPUT, "onnx-shape",
                                "the model's input %.*s has %s elements, which is not an image",
                                SHOWN(v->name), shape_show(v).s);
            }
        }
    }
    return OK;
}

/* Lists of numbers are copied too: rewriting changes them. */
static enum err_code copy_node(struct graph_work *w, struct node *n, struct err *err)
{
    int *inputs, *outputs;
    enum err_code rc = onnx_take(w->a, n->n_inputs, sizeof *inputs, &inputs, err);
    rc = rc == OK ? onnx_take(w->a, n->n_outputs, sizeof *outputs, &outputs, err) : rc;
    if (rc == OK) {
        memcpy(inputs, n->inputs, n->n_inputs * sizeof *inputs);
        memcpy(outputs, n->outputs, n->n_outputs * sizeof *outputs);
        n->inputs = inputs;
        n->outputs = outputs;
    }
    return rc;
}

static enum err_code copy_graph(struct graph_work *w, const struct graph *g, struct err *err)
{
    enum { SPARE = 64 };
    struct graph *out;
    enum err_code rc = onnx_take(w->a, 1, sizeof *out, &out, err);
    if (rc != OK) {
        return rc;
    }
    *out = *g;
    w->g = out;
    w->cap_values = g->n_values + SPARE;
    w->cap_nodes = g->n_nodes + SPARE;
    rc = onnx_take(w->a, w->cap_values, sizeof *out->values, &out->values, err);
    rc = rc == OK ? onnx_take(w->a, w->cap_nodes, sizeof *out->nodes, &out->nodes, err) : rc;
    if (rc != OK) {
        return rc;
    }
    memcpy(out->values, g->values, g->n_values * sizeof *g->values);
    memcpy(out->nodes, g->nodes, g->n_nodes * sizeof *g->nodes);
    for (size_t i = 0; i < g->n_nodes && rc == OK; i++) {
        rc = copy_node(w, &out->nodes[i], err);
    }
    return rc;
}

static enum err_code check_outputs(const struct graph *g, struct err *err)
{
    for (size_t i = 0; i < g->n_outputs; i++) {
        const struct value *v = &g->values[g->outputs[i]];
        if (v->data) {
            return err_rule(err, ERR_INPUT, "onnx-form",
                            "the model's output %.*s is the same for every image",
                            SHOWN(v->name));
        }
    }
    return OK;
}

enum err_code graph_shapes(const struct graph *g, int64_t batch, int64_t side, struct arena *a,
                           struct graph **out, struct err *err)
{
    struct graph_work w = {.a = a, .sized = true};
    enum err_code rc = copy_graph(&w, g, err);
    rc = rc == OK ? set_inputs(&w, batch, side, err) : rc;
    rc = rc == OK ? shape_nodes(&w, err) : rc;
    rc = rc == OK ? check_outputs(w.g, err) : rc;
    w.shaped = true;
    rc = rc == OK ? fuse_graph(&w, err) : rc;
    *out = rc == OK ? w.g : NULL;
    return rc;
}
