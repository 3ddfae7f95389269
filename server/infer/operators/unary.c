/* unary.c - one function of every value: an operator, or what follows a layer. */
#include "infer/kernels/kernel.h"
#include "infer/plan/loop.h"
#include "infer/plan/ops.h"

struct unary {
    const struct kernels *kernels;
    struct tensor x, y;
    struct loop loop;
    struct activation act;
};

static void run_unary(const struct run *r, const void *arg)
{
    const struct unary *u = arg;
    const struct loop *l = &u->loop;
    const float *x = tensor_at(r, &u->x);
    float *y = tensor_at(r, &u->y);
    struct loop_at at = {0};
    do {
        u->kernels->activate(loop_rows(l), loop_columns(l), x + at.offset[1], loop_row(l, 1),
                             y + at.offset[0], loop_row(l, 0), &u->act);
    } while (loop_next(l, &at));
}

static void make_loop(struct unary *u)
{
    const struct tensor *both[] = {&u->y, &u->x};
    loop_make(&u->loop, both, 2);
}

static void add_step(struct plan *p, struct unary *u)
{
    const struct tensor *reads[] = {&u->x, NULL}, *writes[] = {&u->y, NULL};
    plan_step(p, "activation", run_unary, u, reads, writes);
}

enum err_code op_unary(struct plan *p, const struct node *n, struct err *err)
{
    struct unary *u = arena_calloc(plan_arena(p), 1, sizeof *u);
    const struct tensor *x = plan_input(p, n, 0), *y = plan_output_over(p, n, 0, x);
    (void)err;
    *u = (struct unary){kernels(), *x, *y, {0}, n->act};
    make_loop(u);
    if (loop_column(&u->loop, 1) != 1) { /* it lies across */
        u->x = *plan_as(p, x, tensor_is(y, LAYOUT_ROWS) ? LAYOUT_ROWS : LAYOUT_CHANNELS_LAST);
        make_loop(u);
    }
    add_step(p, u);
    return OK;
}

void op_activate(struct plan *p, const struct tensor *y, const struct activation *act)
{
    struct unary *u = arena_calloc(plan_arena(p), 1, sizeof *u);
    struct tensor plain = y->block ? tensor_split(y) : *y;
    *u = (struct unary){kernels(), plain, plain, {0}, *act};
    make_loop(u);
    add_step(p, u);
}
