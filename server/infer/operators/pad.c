/* pad.c - a frame around the values: a constant, the mirror image, or the outermost values.
 * Negative padding cuts off. */
#include "infer/plan/ops.h"

struct fill {
    struct tensor y;
    int64_t floats;
    float with;
};

static void run_fill(const struct run *r, const void *arg)
{
    const struct fill *f = arg;
    float *y = tensor_at(r, &f->y);
    for (int64_t i = 0; i < f->floats; i++) {
        y[i] = f->with;
    }
}

static void plan_fill(struct plan *p, const struct tensor *y, float with)
{
    struct fill *f = arena_calloc(plan_arena(p), 1, sizeof *f);
    *f = (struct fill){*y, tensor_elements(y), with};
    const struct tensor *none[] = {NULL}, *writes[] = {&f->y, NULL};
    plan_step(p, "pad", run_fill, f, none, writes);
}

static int64_t positive(int64_t n)
{
    return n > 0 ? n : 0;
}

/* One place of an axis; below 0 or behind the end it is not filled yet. */
static struct tensor slice(const struct tensor *filled, uint32_t axis, int64_t at)
{
    struct tensor s = *filled;
    s.offset += at * s.strides[axis];
    s.dims[axis] = 1;
    return s;
}

/* Fills what lies before and behind the filled places of an axis from those. */
static void extend(struct plan *p, const struct tensor *filled, uint32_t axis, int64_t before,
                   int64_t after, bool mirror)
{
    int64_t inner = filled->dims[axis];
    for (int64_t i = 1; i <= before; i++) {
        struct tensor from = slice(filled, axis, mirror ? i : 0), to = slice(filled, axis, -i);
        plan_copy(p, &from, &to);
    }
    for (int64_t i = 1; i <= after; i++) {
        struct tensor from = slice(filled, axis, mirror ? inner - 1 - i : inner - 1);
        struct tensor to = slice(filled, axis, inner - 1 + i);
        plan_copy(p, &from, &to);
    }
}

enum err_code op_pad(struct plan *p, const struct node *n, struct err *err)
{
    const struct tensor *x = plan_input(p, n, 0);
    int64_t pixel;
    struct tensor from = *x;
    struct tensor y =
        *plan_output(p, n, 0, tensor_is_pixels(x, &pixel) ? LAYOUT_CHANNELS_LAST : LAYOUT_ROWS);
    struct tensor filled = y;
    for (uint32_t i = 0; i < x->rank; i++) {
        int64_t before = n->at[i], after = n->by[i], cut = positive(-before) + positive(-after);
        filled.dims[i] = from.dims[i] = x->dims[i] - cut;
        from.offset += positive(-before) * from.strides[i];
        filled.offset += positive(before) * y.strides[i];
        if (from.dims[i] < 1 ||
            (n->u.pad == PAD_REFLECT && (before >= from.dims[i] || after >= from.dims[i]))) {
            return op_refuse(n, "the frame is wider than what it is made of", err);
        }
    }
    if (n->u.pad == PAD_CONSTANT) {
        plan_fill(p, &y, n->act.a);
    }
    plan_copy(p, &from, &filled);
    for (uint32_t i = 0; i < x->rank && n->u.pad != PAD_CONSTANT; i++) {
        int64_t before = positive(n->at[i]), after = positive(n->by[i]);
        extend(p, &filled, i, before, after, n->u.pad == PAD_REFLECT);
        filled.offset -= before * y.strides[i];
        filled.dims[i] += before + after;
    }
    return OK;
}
