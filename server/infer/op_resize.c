/* op_resize.c - pictures of another size: the nearest pixel, or between the four around. */
#include <math.h>

#include "infer/ops.h"

/* Where an output place of one axis lies between two input places. */
struct between {
    int64_t low, high;
    float part; /* of high */
};
struct resize_step {
    struct tensor x, y;
    const struct between *rows, *columns;
};

/* ONNX's coordinate_transformation_mode, of linear. */
static float source(const struct node *n, int64_t i, int64_t from, int64_t to)
{
    const struct onnx_attribute *mode = onnx_attribute(n->onnx, "coordinate_transformation_mode");
    const float step = (float)from / (float)to;
    if (mode && sv_eq(mode->s, SV("asymmetric"))) {
        return (float)i * step;
    }
    if (mode && sv_eq(mode->s, SV("align_corners"))) {
        return to > 1 ? (float)i * (float)(from - 1) / (float)(to - 1) : 0;
    }
    return ((float)i + 0.5f) * step - 0.5f;
}

static struct between place(const struct node *n, int64_t i, int64_t from, int64_t to)
{
    if (n->u.resize == RESIZE_NEAREST) {
        return (struct between){i * from / to, i * from / to, 0};
    }
    float at = fminf(fmaxf(source(n, i, from, to), 0), (float)(from - 1));
    int64_t low = (int64_t)at;
    return (struct between){low, low + 1 < from ? low + 1 : low, at - (float)low};
}

static const struct between *make_axis(struct plan *p, const struct node *n, int64_t from,
                                       int64_t to)
{
    struct between *axis = arena_calloc(plan_arena(p), (size_t)to, sizeof *axis);
    for (int64_t i = 0; i < to; i++) {
        axis[i] = place(n, i, from, to);
    }
    return axis;
}

static void resize_pixel(const struct resize_step *z, struct between row, struct between column,
                         const float *x, float *y)
{
    const int64_t down = z->x.strides[2], right = z->x.strides[3];
    const float *a = x + row.low * down + column.low * right,
                *b = x + row.low * down + column.high * right;
    const float *c = x + row.high * down + column.low * right,
                *d = x + row.high * down + column.high * right;
    for (int64_t i = 0; i < z->x.dims[1]; i++) {
        float top = a[i] + (b[i] - a[i]) * column.part, bottom = c[i] + (d[i] - c[i]) * column.part;
        y[i] = top + (bottom - top) * row.part;
    }
}

static void run_resize(const struct run *r, const void *arg)
{
    const struct resize_step *z = arg;
    const float *x = tensor_at(r, &z->x);
    float *y = tensor_at(r, &z->y);
    for (int64_t i = 0; i < z->y.dims[0]; i++, x += z->x.strides[0]) {
        for (int64_t row = 0; row < z->y.dims[2]; row++) {
            for (int64_t column = 0; column < z->y.dims[3]; column++, y += z->y.dims[1]) {
                resize_pixel(z, z->rows[row], z->columns[column], x, y);
            }
        }
    }
}

enum err_code op_resize(struct plan *p, const struct node *n, struct err *err)
{
    struct resize_step *z = arena_calloc(plan_arena(p), 1, sizeof *z);
    const struct tensor *x = plan_input(p, n, 0);
    const struct value *v = plan_result(p, n, 0);
    if (x->rank != 4 || x->dims[0] != v->dims[0] || x->dims[1] != v->dims[1] ||
        tensor_elements(x) == 0) {
        return op_refuse(n, "only height and width of pictures can be resized", err);
    }
    z->x = *plan_as(p, x, LAYOUT_CHANNELS_LAST);
    z->y = *plan_output(p, n, 0, LAYOUT_CHANNELS_LAST);
    z->rows = make_axis(p, n, x->dims[2], v->dims[2]);
    z->columns = make_axis(p, n, x->dims[3], v->dims[3]);
    const struct tensor *reads[] = {&z->x, NULL}, *writes[] = {&z->y, NULL};
    plan_step(p, "resize", run_resize, z, reads, writes);
    return OK;
}
