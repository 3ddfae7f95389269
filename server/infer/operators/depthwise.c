/* depthwise.c - convolution of each channel with its own kernel, by our own kernel: oneDNN's is
 * slower. conv.c tries it first. */
#include "infer/kernels/kernel.h"
#include "infer/plan/private.h"
#include "infer/plan/ops.h"

struct depthwise_step {
    const struct kernels *kernels;
    struct depthwise picture;
    struct tensor x, y;
    const struct weight *weights;
    const float *bias; /* NULL: none */
};

static void run_depthwise(const struct run *r, const void *arg)
{
    const struct depthwise_step *s = arg;
    const struct depthwise *d = &s->picture;
    const float *x = tensor_at(r, &s->x), *weights = weight_data(s->weights);
    float *y = tensor_at(r, &s->y);
    for (int64_t i = 0; i < s->x.dims[0]; i++) {
        s->kernels->depthwise(d, x, weights, s->bias, y);
        x += d->height * d->width * d->x_pixel;
        y += d->out_height * d->out_width * d->y_pixel;
    }
}

/* Channels x 1 x kernel becomes kernel x channels. */
static void turn(const float *from, int64_t channels, int64_t size, float *out)
{
    kernel_depthwise_weights(channels, size, from, out);
}

bool op_depthwise_takes(const struct plan *p, const struct node *n)
{
    const struct value *x = plan_value(p, n, 0), *w = plan_value(p, n, 1);
    return x->rank == 4 && !p->blocked && n->residual < 0 && w->dims[1] == 1 &&
           n->window.group == x->dims[1] && w->dims[0] == x->dims[1];
}

enum err_code op_depthwise(struct plan *p, const struct node *n, struct err *err)
{
    struct depthwise_step *s = arena_calloc(plan_arena(p), 1, sizeof *s);
    struct depthwise *d = &s->picture;
    const struct tensor *x = plan_input(p, n, 0);
    const struct value *bias = plan_value(p, n, 2);
    (void)err;
    if (!tensor_is_pixels(x, &d->x_pixel)) {
        x = plan_as(p, x, LAYOUT_CHANNELS_LAST);
        d->x_pixel = x->dims[1];
    }
    const struct tensor *y = plan_output_pixels(p, n, 0);
    BUG_IF(!tensor_is_pixels(y, &d->y_pixel));
    d->channels = x->dims[1];
    d->height = x->dims[2];
    d->width = x->dims[3];
    d->out_height = y->dims[2];
    d->out_width = y->dims[3];
    d->act = n->act;
    for (int i = 0; i < 2; i++) {
        d->kernel[i] = n->window.kernel[i];
        d->stride[i] = n->window.stride[i];
        d->dilation[i] = n->window.dilation[i];
        d->before[i] = n->window.before[i];
    }
    int64_t size = d->kernel[0] * d->kernel[1];
    s->kernels = kernels();
    s->x = *x;
    s->y = *y;
    s->bias = bias ? bias->data : NULL;
    s->weights = weights_made(plan_weights(p), plan_graph(p), n->inputs[1], turn, d->channels, size,
                              d->channels * size);
    plan_needs(p, s->weights);
    const struct tensor *reads[] = {&s->x, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "depthwise", run_depthwise, s, reads, writes);
    return OK;
}
