/* linear.c - products with a matrix: Gemm, and MatMul when its second input is a constant
 * matrix. The rows of x may be all positions of a sequence; weights lie in the order that oneDNN
 * wants. */
#include <string.h>

#include "infer/plan/dnn.h"
#include "infer/plan/ops.h"

struct linear {
    struct plan *p;
    const struct node *node;
    struct tensor *x, *w, *bias, *y,
        *residual;           /* all of rank 2; w: K x N, any strides; bias: NULL, none */
    int w_value, bias_value; /* constants of the graph; -1: computed */
    float w_scale, bias_scale;
    bool sum, act_inside;
};

/* t as a matrix of as many columns as its last dimension. */
static struct tensor *as_matrix(struct plan *p, const struct tensor *t)
{
    struct tensor *m = arena_alloc(plan_arena(p), sizeof *m);
    *m = *plan_as(p, t, LAYOUT_ROWS);
    int64_t columns = m->rank > 0 ? m->dims[m->rank - 1] : 1;
    m->dims[0] = columns > 0 ? tensor_elements(t) / columns : 0;
    m->dims[1] = columns;
    m->rank = 2;
    tensor_set_strides(m, LAYOUT_ROWS);
    return m;
}

static void transpose(struct tensor *m)
{
    int64_t rows = m->dims[0], step = m->strides[0];
    m->dims[0] = m->dims[1];
    m->dims[1] = rows;
    m->strides[0] = m->strides[1];
    m->strides[1] = step;
}

static dnnl_memory_desc_t matrix(const struct tensor *t)
{
    dnnl_memory_desc_t md;
    dnnl_dims_t dims = {t->dims[0], t->dims[1]}, strides = {t->strides[0], t->strides[1]};
    BUG_IF(dnnl_memory_desc_init_by_strides(&md, 2, dims, dnnl_f32, strides) != dnnl_success);
    return md;
}

static dnnl_post_ops_t post_ops(struct linear *l)
{
    dnnl_post_ops_t ops;
    BUG_IF(dnnl_post_ops_create(&ops) != dnnl_success);
    if (l->residual && l->sum) {
        BUG_IF(dnnl_post_ops_append_sum(ops, 1) != dnnl_success);
    } else if (l->residual) {
        dnnl_memory_desc_t md = matrix(l->residual);
        BUG_IF(dnnl_post_ops_append_binary(ops, dnnl_binary_add, &md) != dnnl_success);
    }
    l->act_inside = dnn_activation(ops, &l->node->act);
    return ops;
}

static dnnl_primitive_desc_t describe(struct linear *l)
{
    dnnl_memory_desc_t x = matrix(l->x), y = matrix(l->y), b = {0},
                       w = l->w_value >= 0 ? dnn_any(2, l->w->dims) : matrix(l->w);
    dnnl_matmul_desc_t desc;
    if (l->bias) {
        b = matrix(l->bias);
    }
    if (!dnn_ok(dnnl_matmul_desc_init(&desc, &x, &w, l->bias ? &b : NULL, &y))) {
        return NULL;
    }
    dnnl_post_ops_t ops = post_ops(l);
    dnnl_primitive_attr_t attr = dnn_attributes(ops);
    if (l->w_value < 0) {
        BUG_IF(dnnl_primitive_attr_set_output_scales(attr, 1, 0, &l->w_scale) != dnnl_success);
    }
    dnnl_primitive_desc_t pd = NULL;
    bool ok = dnn_ok(dnnl_primitive_desc_create(&pd, &desc, attr, dnn_engine(), NULL));
    dnnl_primitive_attr_destroy(attr);
    dnnl_post_ops_destroy(ops);
    return ok ? pd : NULL;
}

static struct dnn_use constant(struct linear *l, int arg, int value, const struct tensor *as,
                               float scale, dnnl_primitive_desc_t pd)
{
    dnnl_memory_desc_t from = matrix(as);
    return (struct dnn_use){arg, false, NULL,
                            weights_reordered(plan_weights(l->p), plan_graph(l->p), value, &from,
                                              dnn_wants(pd, arg), scale)};
}

static enum err_code add_steps(struct linear *l, struct err *err)
{
    dnnl_primitive_desc_t pd = describe(l);
    if (!pd) {
        return op_refuse(l->node, "oneDNN has no product of this form", err);
    }
    struct dnn_use uses[5];
    size_t n = 0;
    uses[n++] = (struct dnn_use){DNNL_ARG_SRC, false, l->x, NULL};
    uses[n++] = l->w_value >= 0 ? constant(l, DNNL_ARG_WEIGHTS, l->w_value, l->w, l->w_scale, pd)
                                : (struct dnn_use){DNNL_ARG_WEIGHTS, false, l->w, NULL};
    if (l->bias) {
        uses[n++] = constant(l, DNNL_ARG_BIAS, l->bias_value, l->bias, l->bias_scale, pd);
    }
    uses[n++] = (struct dnn_use){DNNL_ARG_DST, true, l->y, NULL};
    if (l->residual && !l->sum) {
        uses[n++] = (struct dnn_use){DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, false,
                                     l->residual, NULL};
    }
    enum err_code rc = dnn_add(l->p, dnn_implementation(pd), pd, uses, n, err);
    if (rc == OK && !l->act_inside) {
        op_activate(l->p, l->y, &l->node->act);
    }
    return rc;
}

static void make_output(struct linear *l)
{
    const struct tensor *residual = plan_residual(l->p, l->node), *y;
    if (residual) {
        residual = plan_as(l->p, residual, LAYOUT_ROWS);
        l->residual = as_matrix(l->p, residual);
    }
    if (residual && residual->buffer != l->x->buffer && residual->buffer != l->w->buffer) {
        y = plan_output_over(l->p, l->node, 0, residual);
        l->sum = y->buffer == residual->buffer;
    } else {
        y = plan_output(l->p, l->node, 0, LAYOUT_ROWS);
    }
    l->y = as_matrix(l->p, y);
}

/* ------------------------------------------------------------------ Gemm */

/* beta * c for every row alike, known before: it goes into the product. */
static bool is_bias(const struct value *c, int64_t columns)
{
    return c && c->data && c->rank > 0 && c->dims[c->rank - 1] == columns &&
           value_elements(c) == columns;
}

/* y = alpha * product + beta * c, c broadcast as ONNX does, for what is no bias. */
static enum err_code add_sum(struct linear *l, const struct tensor *c, float beta, struct err *err)
{
    struct tensor *wide = arena_alloc(plan_arena(l->p), sizeof *wide);
    *wide = *plan_as(l->p, c, LAYOUT_ROWS);
    wide->dims[1] = c->rank > 0 ? c->dims[c->rank - 1] : 1;
    wide->dims[0] = c->rank > 1 ? c->dims[c->rank - 2] : 1;
    wide->rank = 2;
    tensor_set_strides(wide, LAYOUT_ROWS);
    dnnl_memory_desc_t y = matrix(l->y), b = matrix(wide);
    dnnl_binary_desc_t desc;
    dnnl_primitive_desc_t pd;
    if (!dnn_ok(dnnl_binary_desc_init(&desc, dnnl_binary_add, &y, &b, &y))) {
        return op_refuse(l->node, "oneDNN has no sum of this form", err);
    }
    dnnl_post_ops_t ops;
    BUG_IF(dnnl_post_ops_create(&ops) != dnnl_success);
    bool inside = dnn_activation(ops, &l->node->act);
    dnnl_primitive_attr_t attr = dnn_attributes(ops);
    BUG_IF(dnnl_primitive_attr_set_scales(attr, DNNL_ARG_SRC_1, 1, 0, &beta) != dnnl_success);
    bool ok = dnn_ok(dnnl_primitive_desc_create(&pd, &desc, attr, dnn_engine(), NULL));
    dnnl_primitive_attr_destroy(attr);
    dnnl_post_ops_destroy(ops);
    if (!ok) {
        return op_refuse(l->node, "oneDNN has no sum of this form", err);
    }
    const struct dnn_use uses[] = {{DNNL_ARG_SRC_0, false, l->y, NULL},
                                   {DNNL_ARG_SRC_1, false, wide, NULL},
                                   {DNNL_ARG_DST, true, l->y, NULL}};
    enum err_code rc = dnn_add(l->p, "add", pd, uses, 3, err);
    if (rc == OK && !inside) {
        op_activate(l->p, l->y, &l->node->act);
    }
    return rc;
}

enum err_code op_gemm(struct plan *p, const struct node *n, struct err *err)
{
    struct gemm gemm = node_gemm(n);
    const struct value *w = plan_value(p, n, 1), *c = plan_value(p, n, 2);
    struct linear l = {.p = p, .node = n, .w_value = w->data ? n->inputs[1] : -1, .bias_value = -1};
    l.x = as_matrix(p, plan_input(p, n, 0));
    l.w = as_matrix(p, plan_input(p, n, 1));
    if (gemm.trans_a) {
        transpose(l.x);
    }
    if (gemm.trans_b) {
        transpose(l.w);
    }
    l.w_scale = gemm.alpha;
    l.bias_scale = gemm.beta;
    if (is_bias(c, l.w->dims[1]) && l.w_value >= 0) {
        l.bias = as_matrix(p, plan_input(p, n, 2));
        l.bias_value = n->inputs[2];
    }
    make_output(&l);
    if (!c || l.bias) {
        return add_steps(&l, err);
    }
    struct node without = *n;
    without.act.fn = FN_NONE;
    if (l.residual) {
        return op_refuse(n, "a sum with both a matrix and a residual", err);
    }
    l.node = &without;
    enum err_code rc = add_steps(&l, err);
    l.node = n;
    return rc == OK ? add_sum(&l, plan_input(p, n, 2), gemm.beta, err) : rc;
}

/* ------------------------------------------------------------------ MatMul */

bool op_linear_takes(const struct plan *p, const struct node *n)
{
    const struct value *x = plan_value(p, n, 0), *w = plan_value(p, n, 1);
    return w->data && w->rank == 2 && x->rank >= 1;
}

enum err_code op_linear(struct plan *p, const struct node *n, struct err *err)
{
    struct linear l = {.p = p,
                       .node = n,
                       .w_value = n->inputs[1],
                       .bias_value = -1,
                       .w_scale = 1,
                       .bias_scale = 1};
    const struct value *bias = plan_value(p, n, 2);
    l.x = as_matrix(p, plan_input(p, n, 0));
    l.w = as_matrix(p, plan_input(p, n, 1));
    if (bias) {
        BUG_IF(!is_bias(bias, l.w->dims[1])); /* graph/graph.h promises it */
        l.bias = as_matrix(p, plan_input(p, n, 2));
        l.bias_value = n->inputs[2];
    }
    make_output(&l);
    return add_steps(&l, err);
}
