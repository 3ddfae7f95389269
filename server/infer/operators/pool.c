/* pool.c - largest or mean of a window, by oneDNN on channels-last pictures; over a whole
 * picture by our own sums. */
#include "infer/kernels/kernel.h"
#include "infer/plan/dnn.h"
#include "infer/plan/ops.h"
#include "infer/plan/private.h"

/* A window that hangs over the padding (ceil mode) counts only what lies in the padded picture, or
 * in the picture. oneDNN knows the second, and the first when no window hangs over; without padding
 * they are the same. */
static bool hangs_over(const struct node *n, const struct tensor *x, const struct tensor *y)
{
    for (uint32_t i = 0; i + 2 < x->rank; i++) {
        int64_t reach = (y->dims[2 + i] - 1) * n->window.stride[i] +
                        (n->window.kernel[i] - 1) * n->window.dilation[i];
        if (reach >= x->dims[2 + i] + n->window.before[i] + n->window.after[i]) {
            return true;
        }
    }
    return false;
}

static bool is_padded(const struct node *n, const struct tensor *x)
{
    for (uint32_t i = 0; i + 2 < x->rank; i++) {
        if (n->window.before[i] > 0 || n->window.after[i] > 0) {
            return true;
        }
    }
    return false;
}

enum err_code op_pool(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_lies(p, n, 0);
    enum layout layout = x->block       ? LAYOUT_BLOCKED
                         : x->rank == 4 ? LAYOUT_CHANNELS_LAST
                                        : LAYOUT_ROWS;
    x = plan_as(p, x, layout);
    struct tensor *y = x->block ? plan_output_blocked(p, n, 0) : plan_output(p, n, 0, layout);
    dnnl_dims_t stride = {0}, kernel = {0}, dilation = {0}, before = {0}, after = {0};
    for (uint32_t i = 0; i + 2 < x->rank; i++) {
        stride[i] = n->window.stride[i];
        kernel[i] = n->window.kernel[i];
        dilation[i] = n->window.dilation[i] - 1;
        before[i] = n->window.before[i];
        after[i] = (y->dims[2 + i] - 1) * stride[i] + (kernel[i] - 1) * (dilation[i] + 1) + 1 -
                   x->dims[2 + i] - before[i];
    }
    bool count = n->window.count_padding && is_padded(n, x);
    if (n->op == OP_AVERAGE_POOL && count && hangs_over(n, x, y)) {
        return op_refuse(n, "ceil_mode together with count_include_pad and pads", err);
    }
    dnnl_alg_kind_t kind = n->op == OP_MAX_POOL ? dnnl_pooling_max
                           : count              ? dnnl_pooling_avg_include_padding
                                                : dnnl_pooling_avg_exclude_padding;
    dnnl_memory_desc_t x_md = dnn_tensor(x), y_md = dnn_tensor(y);
    dnnl_pooling_v2_desc_t desc;
    dnnl_primitive_desc_t pd;
    dnnl_primitive_attr_t attr = dnn_attributes(NULL);
    bool ok =
        dnn_ok(dnnl_pooling_v2_forward_desc_init(&desc, dnnl_forward_inference, kind, &x_md, &y_md,
                                                 stride, kernel, dilation, before, after)) &&
        dnn_ok(dnnl_primitive_desc_create(&pd, &desc, attr, dnn_engine(), NULL));
    dnnl_primitive_attr_destroy(attr);
    if (!ok) {
        return op_refuse(n, "oneDNN has no pooling of this form", err);
    }
    const struct dnn_use uses[] = {{DNNL_ARG_SRC, false, x, NULL}, {DNNL_ARG_DST, true, y, NULL}};
    return dnn_add(p, dnn_implementation(pd), pd, uses, 2, err);
}

/* ------------------------------------------------------------------ whole pictures */

struct global_pool {
    const struct kernels *kernels;
    struct tensor x, y;
    int64_t pictures, pixels, channels, pixel; /* pixel: floats from one to the next */
    float scale;
    bool largest;
};

static void run_global_pool(const struct run *r, const void *arg)
{
    const struct global_pool *g = arg;
    const float *x = tensor_at(r, &g->x);
    float *y = tensor_at(r, &g->y);
    for (int64_t i = 0; i < g->pictures; i++) {
        if (g->largest) {
            g->kernels->max_rows(g->pixels, g->channels, x, g->pixel, y);
        } else {
            g->kernels->sum_rows(g->pixels, g->channels, x, g->pixel, g->scale, y);
        }
        x += g->pixels * g->pixel;
        y += g->channels;
    }
}

enum err_code op_global_pool(struct plan *p, const struct node *n, struct err *err)
{
    struct global_pool *g = arena_calloc(plan_arena(p), 1, sizeof *g);
    const struct tensor *x = plan_input(p, n, 0);
    (void)err;
    struct tensor picture = *x;
    if (x->rank != 4) { /* one spatial axis that stands for all */
        picture = *plan_as(p, x, LAYOUT_ROWS);
        int64_t pixels = picture.dims[1] > 0 ? tensor_elements(x) / (x->dims[0] * x->dims[1]) : 0;
        picture.rank = 4;
        picture.dims[2] = 1;
        picture.dims[3] = pixels;
        tensor_set_strides(&picture, LAYOUT_ROWS);
        x = &picture;
    }
    if (!tensor_is_pixels(x, &g->pixel)) {
        struct tensor *kept = arena_alloc(plan_arena(p), sizeof *kept);
        *kept = picture;
        x = plan_as(p, kept, LAYOUT_CHANNELS_LAST);
        g->pixel = x->dims[1];
    }
    g->kernels = kernels();
    g->x = *x;
    g->y = *plan_output(p, n, 0, LAYOUT_ROWS);
    g->pictures = x->dims[0];
    g->channels = x->dims[1];
    g->pixels = x->dims[2] * x->dims[3];
    g->scale = 1 / (float)g->pixels;
    g->largest = n->op == OP_GLOBAL_MAX_POOL;
    const struct tensor *reads[] = {&g->x, NULL}, *writes[] = {&g->y, NULL};
    plan_step(p, "global pool", run_global_pool, g, reads, writes);
    return OK;
}
