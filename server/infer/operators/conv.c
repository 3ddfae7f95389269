/* conv.c - convolutions: oneDNN's on channels-last pictures with residual sum and activation
 * inside. */
#include <string.h>

#include "infer/plan/dnn.h"
#include "infer/plan/ops.h"
#include "infer/plan/private.h"

/* What is the same for every way to run it. */
struct conv {
    struct plan *p;
    const struct node *node;
    const struct value *w, *bias;
    const struct tensor *x, *residual; /* residual: NULL, none */
    struct tensor *y;
    bool sum; /* y lies over the residual */
    bool act_inside, winograd;
    dnnl_memory_desc_t weights; /* as the file has them */
};

static dnnl_post_ops_t post_ops(struct conv *c)
{
    dnnl_post_ops_t ops;
    BUG_IF(dnnl_post_ops_create(&ops) != dnnl_success);
    if (c->residual && c->sum) {
        BUG_IF(dnnl_post_ops_append_sum(ops, 1) != dnnl_success);
    } else if (c->residual) {
        dnnl_memory_desc_t md = dnn_tensor(c->residual);
        BUG_IF(dnnl_post_ops_append_binary(ops, dnnl_binary_add, &md) != dnnl_success);
    }
    c->act_inside = dnn_activation(ops, &c->node->act);
    return ops;
}

/* NULL: oneDNN does not take it. */
static dnnl_primitive_desc_t describe(struct conv *c)
{
    const struct node *n = c->node;
    uint32_t axes = c->x->rank - 2;
    int64_t dims[TENSOR_RANK + 1];
    dnnl_dims_t stride = {0}, dilation = {0}, before = {0}, after = {0};
    for (uint32_t i = 0; i < axes; i++) {
        stride[i] = n->window.stride[i];
        dilation[i] = n->window.dilation[i] - 1;
        before[i] = n->window.before[i];
        /* What the last window does not reach is not padding. */
        after[i] = (c->y->dims[2 + i] - 1) * stride[i] +
                   (n->window.kernel[i] - 1) * (dilation[i] + 1) + 1 - c->x->dims[2 + i] -
                   before[i];
    }
    int64_t group = n->window.group, shift = group > 1;
    dims[0] = group;
    memcpy(dims + shift, c->w->dims, c->w->rank * sizeof *dims);
    dims[shift] = c->w->dims[0] / group;
    c->weights = dnn_rows(c->w->rank + (uint32_t)shift, dims);
    dnnl_memory_desc_t x = dnn_tensor(c->x), y = dnn_tensor(c->y),
                       w = dnn_any(c->w->rank + (uint32_t)shift, dims), b = dnn_rows(1, c->w->dims);
    dnnl_convolution_desc_t desc;
    if (!dnn_ok(dnnl_dilated_convolution_forward_desc_init(
            &desc, dnnl_forward_inference,
            c->winograd ? dnnl_convolution_winograd : dnnl_convolution_direct, &x, &w,
            c->bias ? &b : NULL, &y, stride, dilation, before, after))) {
        return NULL;
    }
    dnnl_post_ops_t ops = post_ops(c);
    dnnl_primitive_attr_t attr = dnn_attributes(ops);
    dnnl_primitive_desc_t pd = NULL;
    bool ok = dnn_ok(dnnl_primitive_desc_create(&pd, &desc, attr, dnn_engine(), NULL));
    dnnl_primitive_attr_destroy(attr);
    dnnl_post_ops_destroy(ops);
    return ok ? pd : NULL;
}

static enum err_code add_step(struct conv *c, dnnl_primitive_desc_t pd, struct err *err)
{
    struct dnn_use uses[5];
    size_t n = 0;
    int w = c->node->inputs[1];
    const struct weight *weight = weights_reordered(
        plan_weights(c->p), plan_graph(c->p), w, &c->weights, dnn_wants(pd, DNNL_ARG_WEIGHTS), 1);
    uses[n++] = (struct dnn_use){DNNL_ARG_SRC, false, c->x, NULL};
    uses[n++] = (struct dnn_use){DNNL_ARG_WEIGHTS, false, NULL, weight};
    if (c->bias) {
        uses[n++] = (struct dnn_use){DNNL_ARG_BIAS, false, plan_input(c->p, c->node, 2), NULL};
    }
    uses[n++] = (struct dnn_use){DNNL_ARG_DST, true, c->y, NULL};
    if (c->residual && !c->sum) {
        uses[n++] = (struct dnn_use){DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, false,
                                     c->residual, NULL};
    }
    enum err_code rc = dnn_add(c->p, dnn_implementation(pd), pd, uses, n, err);
    if (rc == OK && !c->act_inside) {
        op_activate(c->p, c->y, &c->node->act);
    }
    return rc;
}

/* The result lies over the residual when that dies here. */
static void make_output(struct conv *c, enum layout layout)
{
    const struct tensor *residual = plan_lies(c->p, c->node, c->node->n_inputs);
    c->residual = residual ? plan_as(c->p, residual, layout) : NULL;
    if (!c->residual || c->residual->buffer == c->x->buffer) {
        c->y = layout == LAYOUT_BLOCKED ? plan_output_blocked(c->p, c->node, 0)
                                        : plan_output(c->p, c->node, 0, layout);
        return;
    }
    c->y = plan_output_over(c->p, c->node, 0, c->residual);
    c->sum = c->y->buffer == c->residual->buffer;
}

static bool is_whole(int64_t channels)
{
    return channels % CHANNEL_BLOCK == 0;
}

/* Sets c->x. A picture of few channels may be given as it is. */
static enum layout choose_layout(struct conv *c)
{
    const struct tensor *x = plan_lies(c->p, c->node, 0);
    int64_t in = c->w->dims[1], out = c->w->dims[0], group = c->node->window.group;
    enum layout layout = x->rank == 4 ? LAYOUT_CHANNELS_LAST : LAYOUT_ROWS;
    if (x->rank == 4 && c->p->blocked && is_whole(out)) {
        bool each = group == out && in == 1;
        if (each || (group == 1 && is_whole(in))) {
            c->x = plan_as(c->p, x, LAYOUT_BLOCKED);
            return LAYOUT_BLOCKED;
        }
        if (group == 1 && in < 4 && tensor_is(x, LAYOUT_ROWS)) {
            c->x = x;
            return LAYOUT_BLOCKED;
        }
    }
    c->x = plan_as(c->p, x, layout);
    return layout;
}

/* Winograd's knows no sum with another tensor: the residual is copied where the result will be. */
static dnnl_primitive_desc_t try_winograd(struct conv *c)
{
    struct conv direct = *c;
    c->winograd = true;
    c->sum = c->residual != NULL;
    dnnl_primitive_desc_t pd = describe(c);
    if (!pd) {
        *c = direct;
        return NULL;
    }
    if (c->residual && !direct.sum) {
        plan_copy(c->p, c->residual, c->y);
    }
    return pd;
}

enum err_code op_conv(struct plan *p, const struct node *n, struct err *err)
{
    struct conv c = {.p = p, .node = n, .w = plan_value(p, n, 1), .bias = plan_value(p, n, 2)};
    if (!c.w->data || (c.bias && !c.bias->data)) {
        return op_refuse(n, "its weights must be constants of the model", err);
    }
    if (op_depthwise_takes(p, n)) {
        return op_depthwise(p, n, err);
    }
    enum layout layout = choose_layout(&c);
    make_output(&c, layout);
    dnnl_primitive_desc_t pd =
        layout == LAYOUT_BLOCKED && plan_is_winograd(p, n) ? try_winograd(&c) : NULL;
    if (!pd) {
        pd = describe(&c);
    }
    if (!pd) {
        return op_refuse(n, "oneDNN has no convolution of this form", err);
    }
    return add_step(&c, pd, err);
}
