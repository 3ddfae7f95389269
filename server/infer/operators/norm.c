/* norm.c - batch norm that no convolution could take in, layer norm, local response
 * normalisation. */
#include <math.h>
#include <string.h>

#include "infer/kernels/kernel.h"
#include "infer/plan/ops.h"

/* x as pixels of channels: a picture of channels last, whatever its rank. The result is not put
 * anywhere. */
static struct tensor as_pixels(struct plan *p, const struct tensor *x, int64_t *pixel)
{
    if (tensor_is_pixels(x, pixel)) {
        return *x;
    }
    struct tensor *picture = arena_alloc(plan_arena(p), sizeof *picture);
    *picture = *x;
    if (x->rank != 4) {
        *picture = *plan_as(p, x, LAYOUT_ROWS);
        int64_t pixels = 1;
        for (uint32_t i = 2; i < x->rank; i++) {
            pixels *= x->dims[i];
        }
        picture->rank = 4;
        picture->dims[2] = 1;
        picture->dims[3] = pixels;
        tensor_set_strides(picture, LAYOUT_ROWS);
    }
    *picture = *plan_as(p, picture, LAYOUT_CHANNELS_LAST);
    *pixel = picture->dims[1];
    return *picture;
}

/* Room for the node's result as pixels. A result of another rank than 4 lies with its channels last
 * too: its strides say so. */
static struct tensor make_pixels(struct plan *p, const struct node *n, const struct tensor *x,
                                 int64_t *pixel)
{
    const struct value *v = plan_result(p, n, 0);
    *pixel = x->dims[1];
    if (v->rank == 4) {
        struct tensor *y = tensor_is(x, LAYOUT_CHANNELS_LAST) ? plan_output_over(p, n, 0, x) : NULL;
        y = y && tensor_is(y, LAYOUT_CHANNELS_LAST) ? y : plan_output_pixels(p, n, 0);
        BUG_IF(!tensor_is_pixels(y, pixel));
        return *y;
    }
    struct tensor *y = plan_output(p, n, 0, LAYOUT_ROWS), picture = *y;
    int64_t step = v->dims[1];
    for (uint32_t i = v->rank; i-- > 2;) {
        y->strides[i] = step;
        step *= v->dims[i];
    }
    y->strides[1] = 1;
    y->strides[0] = step;
    picture.rank = 4;
    memcpy(picture.dims, x->dims, sizeof picture.dims);
    tensor_set_strides(&picture, LAYOUT_CHANNELS_LAST);
    return picture;
}

/* ------------------------------------------------------------------ batch norm */

struct affine {
    const struct kernels *kernels;
    struct tensor x, y;
    int64_t pixels, channels, x_pixel, y_pixel;
    const float *scale, *shift;
    struct activation act;
};

static void run_affine(const struct run *r, const void *arg)
{
    const struct affine *a = arg;
    a->kernels->affine(a->pixels, a->channels, tensor_at(r, &a->x), a->x_pixel, a->scale, a->shift,
                       tensor_at(r, &a->y), a->y_pixel, &a->act);
}

enum err_code op_batch_norm(struct plan *p, const struct node *n, struct err *err)
{
    struct affine *a = arena_calloc(plan_arena(p), 1, sizeof *a);
    (void)err;
    a->kernels = kernels();
    a->x = as_pixels(p, plan_input(p, n, 0), &a->x_pixel);
    a->y = make_pixels(p, n, &a->x, &a->y_pixel);
    a->channels = a->x.dims[1];
    a->pixels = a->x.dims[0] * a->x.dims[2] * a->x.dims[3];
    a->scale = plan_value(p, n, 1)->data;
    a->shift = plan_value(p, n, 2)->data;
    a->act = n->act;
    const struct tensor *reads[] = {&a->x, NULL}, *writes[] = {&a->y, NULL};
    plan_step(p, "batch norm", run_affine, a, reads, writes);
    return OK;
}

/* ------------------------------------------------------------------ layer norm */

struct layer_norm {
    const struct kernels *kernels;
    struct tensor x, y;
    int64_t rows, columns;
    const float *scale, *shift;
    float epsilon;
};

static void run_layer_norm(const struct run *r, const void *arg)
{
    const struct layer_norm *l = arg;
    l->kernels->layer_norm(l->rows, l->columns, tensor_at(r, &l->x), l->columns, l->scale, l->shift,
                           l->epsilon, tensor_at(r, &l->y), l->columns);
}

enum err_code op_layer_norm(struct plan *p, const struct node *n, struct err *err)
{
    struct layer_norm *l = arena_calloc(plan_arena(p), 1, sizeof *l);
    const struct tensor *x = plan_as(p, plan_input(p, n, 0), LAYOUT_ROWS);
    const struct value *scale = plan_value(p, n, 1), *shift = plan_value(p, n, 2);
    (void)err;
    l->kernels = kernels();
    l->columns = 1;
    for (uint32_t i = (uint32_t)n->axis; i < x->rank; i++) {
        l->columns *= x->dims[i];
    }
    l->rows = l->columns > 0 ? tensor_elements(x) / l->columns : 0;
    l->scale = scale ? scale->data : NULL;
    l->shift = shift ? shift->data : NULL;
    l->epsilon = n->epsilon;
    l->x = *x;
    l->y = *plan_output(p, n, 0, LAYOUT_ROWS);
    const struct tensor *reads[] = {&l->x, NULL}, *writes[] = {&l->y, NULL};
    plan_step(p, "layer norm", run_layer_norm, l, reads, writes);
    return OK;
}

/* ------------------------------------------------------------------ LRN */

struct lrn {
    struct tensor x, y, squares;
    int64_t pixels, channels, x_pixel, y_pixel, before, after; /* channels around one that count */
    float alpha, beta, bias;
};

/* x / (bias + alpha / size * sum of squares around)^beta. */
static void lrn_pixel(const struct lrn *l, const float *x, float *squares, float *y)
{
    for (int64_t c = 0; c < l->channels; c++) {
        squares[c] = x[c] * x[c];
    }
    for (int64_t c = 0; c < l->channels; c++) {
        int64_t from = c > l->before ? c - l->before : 0;
        int64_t to = c + l->after < l->channels ? c + l->after : l->channels - 1;
        float sum = 0;
        for (int64_t k = from; k <= to; k++) {
            sum += squares[k];
        }
        float base = l->bias + l->alpha * sum;
        /* The usual exponent without a logarithm for every value. */
        y[c] = x[c] / (l->beta == 0.75f ? sqrtf(base) * sqrtf(sqrtf(base)) : powf(base, l->beta));
    }
}

static void run_lrn(const struct run *r, const void *arg)
{
    const struct lrn *l = arg;
    const float *x = tensor_at(r, &l->x);
    float *y = tensor_at(r, &l->y), *squares = tensor_at(r, &l->squares);
    for (int64_t i = 0; i < l->pixels; i++) {
        lrn_pixel(l, x + i * l->x_pixel, squares, y + i * l->y_pixel);
    }
}

enum err_code op_lrn(struct plan *p, const struct node *n, struct err *err)
{
    struct lrn *l = arena_calloc(plan_arena(p), 1, sizeof *l);
    int64_t size = onnx_int(n->onnx, "size", 1);
    if (size < 1) {
        return op_refuse(n, "its size must be at least 1", err);
    }
    l->x = as_pixels(p, plan_input(p, n, 0), &l->x_pixel);
    l->y = make_pixels(p, n, &l->x, &l->y_pixel);
    l->channels = l->x.dims[1];
    l->pixels = l->x.dims[0] * l->x.dims[2] * l->x.dims[3];
    l->before = (size - 1) / 2;
    l->after = size - 1 - l->before;
    l->alpha = onnx_float(n->onnx, "alpha", 1e-4f) / (float)size;
    l->beta = onnx_float(n->onnx, "beta", 0.75f);
    l->bias = onnx_float(n->onnx, "bias", 1);
    l->squares = *plan_scratch(p, l->channels);
    const struct tensor *reads[] = {&l->x, NULL}, *writes[] = {&l->y, NULL};
    plan_step(p, "lrn", run_lrn, l, reads, writes);
    return OK;
}
