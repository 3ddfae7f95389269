/* fuse_conv.c - what a convolution or product can do by itself: bias, batch norm, a sum, padding with zeros. */
#include <string.h>

#include "infer/graph/fuse.h"
#include "infer/onnx/wire.h"

static bool is_bare(const struct node *n)
{
    return n->residual < 0 && n->act.fn == FN_NONE;
}

/* v holds one number for every index of one axis of a value of `rank` dimensions, counted from the
 * end. */
static bool is_along(const struct value *v, uint32_t rank, uint32_t from_end, int64_t size)
{
    if (!v->data || v->type != TYPE_F32 || v->rank > rank || v->rank <= from_end ||
        value_elements(v) != size) {
        return false;
    }
    return v->dims[v->rank - 1 - from_end] == size;
}

/* The convolution or product above input i of n, with the axis from the end and size that its bias
 * has. */
static struct node *product_above(const struct graph *g, const struct node *n, uint32_t i,
                                  uint32_t *from_end, int64_t *size)
{
    static const enum op ops[] = {OP_CONV, OP_GEMM, OP_MATMUL};
    struct node *p = NULL;
    for (size_t k = 0; k < sizeof ops / sizeof *ops && !p; k++) {
        p = fuse_above(g, n, i, ops[k]);
    }
    const struct value *weights = p ? node_input(g, p, 1) : NULL;
    if (!p || !is_bare(p) || !weights->data ||
        (p->op == OP_CONV ? weights->rank < 3 : weights->rank != 2)) {
        return NULL;
    }
    *from_end = p->op == OP_CONV ? weights->rank - 2 : 0;
    *size = p->op == OP_CONV                           ? weights->dims[0]
            : p->op == OP_GEMM && node_gemm(p).trans_b ? weights->dims[0]
                                                       : weights->dims[1];
    return p;
}

/* p has no bias, and would add one as it is. */
static bool takes_bias(const struct graph *g, const struct node *p)
{
    return !node_input(g, p, 2) && (p->op != OP_GEMM || node_gemm(p).beta == 1);
}

/* A bias of a product that has none. */
static enum err_code set_bias(struct graph_work *w, struct node *p, int value, int64_t size,
                              struct err *err)
{
    struct value v = w->g->values[value];
    int *inputs, at;
    enum err_code rc = graph_add_constant(w, v.name, TYPE_F32, 1, &size, v.data, &at, err);
    rc = rc == OK ? onnx_take(w->a, 3, sizeof *inputs, &inputs, err) : rc;
    if (rc == OK) {
        memcpy(inputs, p->inputs, 2 * sizeof *inputs);
        inputs[2] = at;
        p->inputs = inputs;
        p->n_inputs = 3;
    }
    return rc;
}

/* product + constant vector */
enum err_code fuse_bias(struct graph_work *w, struct node *n, struct err *err)
{
    if (!fuse_is_binary(n, BIN_ADD)) {
        return OK;
    }
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t from_end;
        int64_t size;
        struct node *p = product_above(w->g, n, i, &from_end, &size);
        uint32_t rank = p && p->op == OP_CONV ? node_input(w->g, p, 1)->rank : TENSOR_RANK;
        const struct value *bias = node_input(w->g, n, 1 - i);
        if (!p || !takes_bias(w->g, p) ||
            !is_along(bias, p->op == OP_GEMM ? 2 : rank, from_end, size)) {
            continue;
        }
        /* A product's vector of more dimensions would give the result more. */
        if (p->op == OP_MATMUL && bias->rank > 1) {
            continue;
        }
        enum err_code rc = set_bias(w, p, n->inputs[1 - i], size, err);
        if (rc == OK) {
            fuse_take(n, p);
        }
        return rc;
    }
    return OK;
}

/* Weights times scale, bias times scale plus shift, for every output channel. */
static enum err_code scale_weights(struct graph_work *w, struct node *conv, const float *scale,
                                   const float *shift, struct err *err)
{
    enum err_code rc = value_align(w, conv->inputs[1], err);
    if (rc != OK) {
        return rc;
    }
    const struct value k = *node_input(w->g, conv, 1);
    const float *bias = node_floats(w->g, conv, 2, k.dims[0]), *from = k.data;
    int64_t channels = k.dims[0], each = value_elements(&k) / channels;
    float *weights, *sums;
    rc = fold_charge(w, conv, (uint64_t)value_elements(&k), err);
    rc =
        rc == OK ? onnx_take(w->a, (size_t)value_elements(&k), sizeof *weights, &weights, err) : rc;
    rc = rc == OK ? onnx_take(w->a, (size_t)channels, sizeof *sums, &sums, err) : rc;
    if (rc != OK) {
        return rc;
    }
    for (int64_t c = 0; c < channels; c++) {
        for (int64_t i = c * each; i < (c + 1) * each; i++) {
            weights[i] = from[i] * scale[c];
        }
        sums[c] = (float)((bias ? (double)bias[c] * (double)scale[c] : 0) + (double)shift[c]);
    }
    rc = graph_add_constant(w, k.name, TYPE_F32, k.rank, k.dims, weights, &conv->inputs[1], err);
    return rc == OK
               ? graph_add_constant(w, k.name, TYPE_F32, 1, &channels, sums, &conv->inputs[2], err)
               : rc;
}

/* convolution, then batch norm */
enum err_code fuse_batch_norm(struct graph_work *w, struct node *n, struct err *err)
{
    struct node *conv =
        n->op == OP_BATCH_NORM && is_bare(n) ? fuse_above(w->g, n, 0, OP_CONV) : NULL;
    const struct value *k = conv ? node_input(w->g, conv, 1) : NULL;
    if (!conv || !is_bare(conv) || !k->data || k->type != TYPE_F32 || k->rank < 3 ||
        k->dims[0] < 1) {
        return OK;
    }
    const float *scale = node_floats(w->g, n, 1, k->dims[0]),
                *shift = node_floats(w->g, n, 2, k->dims[0]);
    if (!scale || !shift ||
        (node_input(w->g, conv, 2) && !node_floats(w->g, conv, 2, k->dims[0]))) {
        return OK;
    }
    enum err_code rc = scale_weights(w, conv, scale, shift, err);
    if (rc == OK) {
        fuse_take(n, conv);
    }
    return rc;
}

static bool same_dims(const struct value *a, const struct value *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* product + value of the same dimensions; the sum's activation is the product's then */
enum err_code fuse_residual(struct graph_work *w, struct node *n, struct err *err)
{
    (void)err;
    if (n->op != OP_BINARY || n->u.binary != BIN_ADD) {
        return OK;
    }
    /* The second input first: exporters put the shortcut there, and when both could take the sum,
     * the one that is calculated later has the other's result at hand. */
    struct node *best = NULL;
    uint32_t side = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t from_end;
        int64_t size;
        struct node *p = product_above(w->g, n, i, &from_end, &size);
        const struct value *sum = node_output(w->g, n, 0), *other = node_input(w->g, n, 1 - i);
        if (p && p > best && !other->data && same_dims(sum, node_input(w->g, n, i)) &&
            same_dims(sum, other)) {
            best = p;
            side = i;
        }
    }
    if (best) {
        best->residual = n->inputs[1 - side];
        best->act = n->act;
        fuse_take(n, best);
    }
    return OK;
}

/* Zeros around the picture are what the window's own padding is. */
enum err_code fuse_pad(struct graph_work *w, struct node *n, struct err *err)
{
    (void)err;
    bool average = n->op == OP_AVERAGE_POOL;
    struct node *pad = n->op == OP_CONV || average ? fuse_above(w->g, n, 0, OP_PAD) : NULL;
    if (!pad || pad->u.pad != PAD_CONSTANT || pad->act.a != 0) {
        return OK;
    }
    uint32_t rank = node_input(w->g, pad, 0)->rank;
    bool fits = pad->at[0] == 0 && pad->by[0] == 0 && pad->at[1] == 0 && pad->by[1] == 0;
    for (uint32_t i = 2; i < rank; i++) {
        /* An average counts zeros that are part of its input; its own padding it counts only when
         * told. */
        bool own = n->window.before[i - 2] || n->window.after[i - 2];
        int64_t reach = (n->window.kernel[i - 2] - 1) * n->window.dilation[i - 2] + 1;
        fits = fits && pad->at[i] >= 0 && pad->by[i] >= 0 && n->window.extra[i - 2] == 0 &&
               n->window.before[i - 2] + pad->at[i] <= WINDOW_MAX &&
               n->window.after[i - 2] + pad->by[i] <= WINDOW_MAX &&
               (!average || ((!own || n->window.count_padding) &&
                             n->window.before[i - 2] + pad->at[i] < reach &&
                             n->window.after[i - 2] + pad->by[i] < reach));
    }
    if (!fits) {
        return OK;
    }
    for (uint32_t i = 2; i < rank; i++) {
        n->window.before[i - 2] += pad->at[i];
        n->window.after[i - 2] += pad->by[i];
    }
    n->window.count_padding = n->window.count_padding || average;
    n->inputs[0] = pad->inputs[0];
    fuse_gone(pad);
    return OK;
}
