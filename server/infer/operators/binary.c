/* binary.c - two operands value by value, broadcast as ONNX does, with an activation after it.
 *
 * The squeeze-and-excitation product (N, C, 1, 1 by N, C, H, W) needs no path of its own: channels
 * last, it is a row of factors for the rows of pixels of each picture. */
#include <string.h>

#include "infer/kernels/kernel.h"
#include "infer/plan/loop.h"
#include "infer/plan/ops.h"

struct binary_step {
    const struct kernels *kernels;
    enum binary op;
    struct tensor y, a, b; /* a, b: broadcast to y's dimensions */
    struct loop loop;
    struct activation act;
};

static void run_binary(const struct run *r, const void *arg)
{
    const struct binary_step *s = arg;
    const struct loop *l = &s->loop;
    float *y = tensor_at(r, &s->y);
    const float *a = tensor_at(r, &s->a), *b = tensor_at(r, &s->b);
    struct loop_at at = {0};
    do {
        struct operand left = {a + at.offset[1], loop_row(l, 1), loop_column(l, 1)};
        struct operand right = {b + at.offset[2], loop_row(l, 2), loop_column(l, 2)};
        s->kernels->binary(s->op, loop_rows(l), loop_columns(l), left, right, y + at.offset[0],
                           loop_row(l, 0), &s->act);
    } while (loop_next(l, &at));
}

static bool same_dims(const struct tensor *t, const struct value *v)
{
    return t->rank == v->rank && memcmp(t->dims, v->dims, v->rank * sizeof *v->dims) == 0;
}

/* The result lies as the operand of its size does; of two, as the picture does. */
static const struct tensor *choose(const struct tensor *a, const struct tensor *b,
                                   const struct value *v)
{
    int64_t pixel;
    if (!same_dims(a, v)) {
        return same_dims(b, v) ? b : NULL;
    }
    return same_dims(b, v) && !tensor_is_pixels(a, &pixel) && tensor_is_pixels(b, &pixel) ? b : a;
}

/* t with as many axes as y, those it has not in front. */
static const struct tensor *widen(struct plan *p, const struct tensor *t, uint32_t rank)
{
    if (t->rank == rank) {
        return t;
    }
    struct tensor *wide = arena_alloc(plan_arena(p), sizeof *wide);
    uint32_t more = rank - t->rank;
    *wide = *t;
    wide->rank = rank;
    for (uint32_t i = 0; i < rank; i++) {
        wide->dims[i] = i < more ? 1 : t->dims[i - more];
        wide->strides[i] = i < more ? 0 : t->strides[i - more];
    }
    return wide;
}

static struct tensor broadcast(const struct tensor *t, const struct tensor *y)
{
    struct tensor wide = *t;
    for (uint32_t i = 0; i < y->rank; i++) {
        if (t->dims[i] == 1 && y->dims[i] != 1) {
            wide.strides[i] = 0;
        }
        wide.dims[i] = y->dims[i];
    }
    return wide;
}

static void make_loop(struct binary_step *s)
{
    const struct tensor *all[] = {&s->y, &s->a, &s->b};
    loop_make(&s->loop, all, 3);
}

static bool lies_across(const struct loop *l, uint32_t t)
{
    return loop_column(l, t) != 0 && loop_column(l, t) != 1;
}

enum err_code op_binary(struct plan *p, const struct node *n, struct err *err)
{
    struct binary_step *s = arena_calloc(plan_arena(p), 1, sizeof *s);
    const struct tensor *a = plan_input(p, n, 0), *b = plan_input(p, n, 1);
    const struct tensor *like = choose(a, b, plan_result(p, n, 0));
    const struct tensor *y =
        like ? plan_output_over(p, n, 0, like) : plan_output(p, n, 0, LAYOUT_ROWS);
    enum layout layout = tensor_is(y, LAYOUT_ROWS) ? LAYOUT_ROWS : LAYOUT_CHANNELS_LAST;
    (void)err;
    a = widen(p, a, y->rank);
    b = widen(p, b, y->rank);
    *s = (struct binary_step){kernels(),       n->u.binary, *y,    broadcast(a, y),
                              broadcast(b, y), {0},         n->act};
    make_loop(s);
    bool across_a = lies_across(&s->loop, 1), across_b = lies_across(&s->loop, 2);
    if (across_a || across_b) {
        s->a = across_a ? broadcast(plan_as(p, a, layout), y) : s->a;
        s->b = across_b ? broadcast(plan_as(p, b, layout), y) : s->b;
        make_loop(s);
    }
    const struct tensor *reads[] = {&s->a, &s->b, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "binary", run_binary, s, reads, writes);
    return OK;
}
