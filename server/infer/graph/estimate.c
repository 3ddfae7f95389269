/* estimate.c - operations and memory of a graph with dimensions.
 *
 * A convolution or product counts what it multiplies and adds, as papers do but in operations:
 * twice their multiply-adds. Everything else counts an operation for an element that it makes, more
 * where it takes several times as long as a copy, so that a model of nothing but exponentials is
 * not thought to be free. Reshapes cost nothing: they are views. */
#include "infer/graph/estimate.h"

enum { COST_EXP = 8 /* a function with an exponential, beside an addition */ };

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t r;
    return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t positive(int64_t d)
{
    return d > 0 ? (uint64_t)d : 0;
}

/* 0 for an index of -1, which is a value that is left out. */
static uint64_t elements(const struct graph *g, int v)
{
    uint64_t n = v >= 0;
    for (uint32_t i = 0; v >= 0 && i < g->values[v].rank; i++) {
        n = times(n, positive(g->values[v].dims[i]));
    }
    return n;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ------------------------------------------------------------------ by operator */

static uint64_t function_cost(enum function fn)
{
    switch (fn) {
    case FN_NONE:
        return 0;
    case FN_RELU:
    case FN_CLIP:
    case FN_ABS:
    case FN_NEG:
    case FN_FLOOR:
    case FN_CEIL:
    case FN_LEAKY_RELU:
        return 1;
    case FN_HARD_SIGMOID:
    case FN_HARD_SWISH:
    case FN_SOFTSIGN:
    case FN_SQRT:
    case FN_RECIPROCAL:
        return 3;
    case FN_SIGMOID:
    case FN_TANH:
    case FN_SWISH:
    case FN_GELU:
    case FN_ELU:
    case FN_SELU:
    case FN_SOFTPLUS:
    case FN_EXP:
    case FN_LOG:
    case FN_ERF:
    case FN_POW:
        return COST_EXP;
    }
    return COST_EXP;
}

uint64_t estimate_products(const struct graph *g, const struct node *n)
{
    if (n->op != OP_CONV && n->op != OP_GEMM && n->op != OP_MATMUL) {
        return 0;
    }
    uint64_t made = elements(g, n->outputs[0]), each = 1;
    if (n->op == OP_CONV) { /* weights have the channels of one group only */
        const struct value *w = &g->values[n->inputs[1]];
        for (uint32_t i = 1; i < w->rank; i++) {
            each = times(each, positive(w->dims[i]));
        }
    } else {
        const struct value *x = &g->values[n->inputs[0]];
        bool across = n->op == OP_GEMM && node_gemm(n).trans_a;
        each = x->rank > 0 ? positive(x->dims[across ? 0 : x->rank - 1]) : 1;
    }
    return times(2, times(made, each));
}

/* Cells under a window, of which padding is not read. */
static uint64_t window_cells(const struct graph *g, const struct node *n)
{
    const struct value *x = &g->values[n->inputs[0]];
    uint64_t cells = 1;
    for (uint32_t i = 2; i < x->rank; i++) {
        cells = times(cells, smaller(positive(n->window.kernel[i - 2]), positive(x->dims[i])));
    }
    return cells;
}

/* Axis after axis: what lies between two of them is at most as large as both ends together. */
static uint64_t resize_cost(const struct graph *g, const struct node *n)
{
    const struct value *x = &g->values[n->inputs[0]], *y = &g->values[n->outputs[0]];
    uint64_t between = 1, taps = 0;
    for (uint32_t i = 0; i < y->rank; i++) {
        uint64_t from = positive(x->dims[i]), to = positive(y->dims[i]);
        between = times(between, from > to ? from : to);
        uint64_t reach = n->resize->mode == RESIZE_NEAREST  ? 1
                         : n->resize->mode == RESIZE_LINEAR ? 2
                                                            : 4;
        bool wider = n->resize->antialias && from > to && to > 0;
        taps += from == to ? 0 : smaller(times(reach, wider ? from / to + 1 : 1), from + reach);
    }
    return times(between, times(2, taps > 0 ? taps : 1));
}

static uint64_t lrn_cost(const struct graph *g, const struct node *n, uint64_t made)
{
    uint64_t size = positive(onnx_int(n->onnx, "size", 1));
    return times(made, add(smaller(size, positive(g->values[n->inputs[0]].dims[1])), COST_EXP));
}

/* Without what convolutions, products and activations cost. */
static uint64_t own_cost(const struct graph *g, const struct node *n, uint64_t made)
{
    switch (n->op) {
    case OP_NONE:
    case OP_RESHAPE:
    case OP_SHAPE:
    case OP_FOLD_ONLY:
    case OP_CONV:
    case OP_GEMM:
    case OP_MATMUL:
    case OP_UNARY: /* its function is its activation */
        return 0;
    case OP_MAX_POOL:
    case OP_AVERAGE_POOL:
        return times(made, window_cells(g, n));
    case OP_GLOBAL_AVERAGE_POOL:
    case OP_GLOBAL_MAX_POOL:
    case OP_REDUCE:
        return add(elements(g, n->inputs[0]), made);
    case OP_BATCH_NORM:
        return times(2, made);
    case OP_LAYER_NORM:
    case OP_SOFTMAX:
    case OP_LOG_SOFTMAX:
        return times(COST_EXP, made);
    case OP_LRN:
        return lrn_cost(g, n, made);
    case OP_RESIZE:
        return resize_cost(g, n);
    case OP_BINARY:
        return n->u.binary == BIN_POW ? times(COST_EXP, made) : made;
    case OP_CONCAT:
    case OP_SPLIT:
    case OP_SLICE:
    case OP_PAD:
    case OP_TRANSPOSE:
    case OP_EXPAND:
    case OP_GATHER:
    case OP_DEPTH_TO_SPACE:
    case OP_CAST:
    case OP_CHANNEL_SHUFFLE:
        return made;
    }
    return made;
}

static uint64_t made_by(const struct graph *g, const struct node *n)
{
    uint64_t made = 0;
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        made = add(made, elements(g, n->outputs[o]));
    }
    return made;
}

static uint64_t estimate_node(const struct graph *g, const struct node *n)
{
    if (n->op == OP_NONE) {
        return 0;
    }
    uint64_t made = made_by(g, n), cost = add(estimate_products(g, n), own_cost(g, n, made));
    cost = add(cost, times(made, function_cost(n->act.fn)));
    return n->residual >= 0 ? add(cost, made) : cost;
}

/* A frame of a constant is filled in one step, one of values is a copy for each of its places. */
static uint64_t frame_steps(const struct graph *g, const struct node *n)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; n->u.pad != PAD_CONSTANT && i < g->values[n->inputs[0]].rank; i++) {
        steps = add(steps, add(positive(n->at[i]), positive(n->by[i])));
    }
    return steps;
}

/* Copies of a gather, a concatenation or a frame are steps of their own; two more are for copies into
 * another layout. */
static uint64_t node_steps(const struct graph *g, const struct node *n)
{
    uint64_t pieces = n->op == OP_GATHER && n->n_inputs > 1 ? elements(g, n->inputs[1])
                      : n->op == OP_PAD                     ? frame_steps(g, n)
                                                            : 0;
    return add(3, add(pieces, add(n->n_inputs, n->n_outputs)));
}

struct estimate estimate_graph(const struct graph *g)
{
    struct estimate e = {0};
    for (size_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        if (n->op == OP_NONE) {
            continue;
        }
        e.operations = add(e.operations, estimate_node(g, n));
        e.steps = add(e.steps, node_steps(g, n));
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            uint64_t bytes = times(elements(g, n->outputs[o]), sizeof(float));
            e.largest = bytes > e.largest ? bytes : e.largest;
        }
    }
    for (size_t i = 0; i < g->n_inputs; i++) {
        uint64_t bytes = times(elements(g, g->inputs[i]), sizeof(float));
        e.largest = bytes > e.largest ? bytes : e.largest;
    }
    return e;
}
