/* matmul.c - products of two computed matrices, or of stacks of them (attention): one sgemm for
 * each pair, on the tensors as they lie when one of their two axes is dense. A second input that is
 * a constant matrix is linear.c's. */
#include <string.h>

#include "infer/kernels/kernel.h"
#include "infer/plan/loop.h"
#include "infer/plan/ops.h"
#include "linalg/matrix.h"

/* One operand's matrices: as sgemm reads them. */
struct side {
    struct tensor t; /* of the stack; the last two axes are the matrix */
    bool transposed;
    size_t row;
};
struct matmul {
    const struct kernels *kernels;
    struct side a, b;
    struct tensor y, residual;
    struct loop stack; /* y, a, b without their matrices */
    int64_t m, n, k;
    const float *bias; /* NULL: none */
    bool sums, adds;   /* the residual lies where y does; elsewhere */
    struct activation act;
};

static void finish(const struct matmul *m, float *y, const float *residual)
{
    static const struct activation none = {FN_NONE, 0, 0};
    const struct operand made = {y, m->n, 1};
    const bool adds = residual != NULL;
    if (m->bias) {
        m->kernels->binary(BIN_ADD, m->m, m->n, made, (struct operand){m->bias, 0, 1}, y, m->n,
                           adds ? &none : &m->act);
    }
    if (adds) {
        m->kernels->binary(BIN_ADD, m->m, m->n, made, (struct operand){residual, m->n, 1}, y, m->n,
                           &m->act);
    }
    if (!m->bias && !adds && m->act.fn != FN_NONE) {
        m->kernels->activate(m->m, m->n, y, m->n, y, m->n, &m->act);
    }
}

static void run_matmul(const struct run *r, const void *arg)
{
    const struct matmul *m = arg;
    const struct loop *l = &m->stack;
    const float *a = tensor_at(r, &m->a.t), *b = tensor_at(r, &m->b.t);
    const float *residual = m->adds ? tensor_at(r, &m->residual) : NULL;
    float *y = tensor_at(r, &m->y);
    struct loop_at at = {0};
    do {
        for (int64_t i = 0; i < loop_rows(l) * loop_columns(l); i++) {
            int64_t row = i / loop_columns(l), column = i % loop_columns(l), place[LOOP_TENSORS];
            for (uint32_t t = 0; t < LOOP_TENSORS; t++) {
                place[t] = at.offset[t] + row * loop_row(l, t) + column * loop_column(l, t);
            }
            matrix_product(m->a.transposed, m->b.transposed, (size_t)m->m, (size_t)m->n,
                           (size_t)m->k, 1, a + place[1], m->a.row, b + place[2], m->b.row,
                           m->sums ? 1 : 0, y + place[0], (size_t)m->n);
            finish(m, y + place[0], residual ? residual + place[0] : NULL);
        }
    } while (loop_next(l, &at));
}

/* A vector becomes a matrix of one row, or of one column. */
static const struct tensor *as_matrix(struct plan *p, const struct tensor *t, bool column)
{
    if (t->rank > 1) {
        return t;
    }
    struct tensor *m = arena_alloc(plan_arena(p), sizeof *m);
    *m = *t;
    m->rank = 2;
    m->dims[column ? 0 : 1] = t->dims[0];
    m->strides[column ? 0 : 1] = t->strides[0];
    m->dims[column ? 1 : 0] = 1;
    m->strides[column ? 1 : 0] = 0;
    return m;
}

static bool fits(const struct tensor *t, struct side *s)
{
    int64_t rows = t->dims[t->rank - 2], columns = t->dims[t->rank - 1];
    int64_t row = t->strides[t->rank - 2], column = t->strides[t->rank - 1];
    s->t = *t;
    s->transposed = !(column == 1 || columns == 1) || (rows > 1 && row < columns);
    if (s->transposed) {
        int64_t step = row;
        row = column;
        column = step;
        step = rows;
        rows = columns;
        columns = step;
    }
    s->row = (size_t)(rows > 1 ? row : columns);
    return (column == 1 || columns == 1) && (rows == 1 || row >= columns) && columns > 0;
}

static struct side make_side(struct plan *p, const struct tensor *t)
{
    struct side s;
    if (!fits(t, &s)) {
        fits(plan_as(p, t, LAYOUT_ROWS), &s);
    }
    return s;
}

/* The axes before the matrix, broadcast to the first of y. */
static struct tensor stack_of(const struct tensor *t, uint32_t own, const struct tensor *y,
                              uint32_t axes)
{
    struct tensor s = {.rank = axes};
    for (uint32_t i = 0; i < axes; i++) {
        bool has = i + own >= axes;
        uint32_t k = i + own - axes;
        s.dims[i] = y->dims[i];
        s.strides[i] = has && t->dims[k] > 1 ? t->strides[k] : 0;
    }
    return s;
}

static const struct tensor *make_output(struct plan *p, const struct node *n, struct matmul *m)
{
    const struct tensor *residual = plan_residual(p, n), *y;
    if (!residual) {
        return plan_output(p, n, 0, LAYOUT_ROWS);
    }
    residual = plan_as(p, residual, LAYOUT_ROWS);
    bool apart = residual->buffer != m->a.t.buffer && residual->buffer != m->b.t.buffer;
    y = apart ? plan_output_over(p, n, 0, residual) : plan_output(p, n, 0, LAYOUT_ROWS);
    m->residual = *residual;
    m->sums = y->buffer == residual->buffer;
    m->adds = !m->sums;
    return y;
}

enum err_code op_matmul(struct plan *p, const struct node *n, struct err *err)
{
    if (op_linear_takes(p, n)) {
        return op_linear(p, n, err);
    }
    struct matmul *m = arena_calloc(plan_arena(p), 1, sizeof *m);
    const struct tensor *a = as_matrix(p, plan_input(p, n, 0), false);
    const struct tensor *b = as_matrix(p, plan_input(p, n, 1), true), *y;
    const struct value *bias = plan_value(p, n, 2);
    m->a = make_side(p, a);
    m->b = make_side(p, b);
    y = make_output(p, n, m);
    m->kernels = kernels();
    m->m = a->dims[a->rank - 2];
    m->k = a->dims[a->rank - 1];
    m->n = b->dims[b->rank - 1];
    m->bias = bias ? bias->data : NULL;
    m->act = n->act;
    m->y = *y;
    uint32_t axes = (a->rank > b->rank ? a->rank : b->rank) - 2;
    const struct tensor made = stack_of(y, axes, y, axes),
                        left = stack_of(&m->a.t, a->rank - 2, y, axes);
    const struct tensor right = stack_of(&m->b.t, b->rank - 2, y, axes),
                        *all[] = {&made, &left, &right};
    loop_make(&m->stack, all, 3);
    const struct tensor *reads[] = {&m->a.t, &m->b.t, m->adds ? &m->residual : NULL, NULL};
    const struct tensor *writes[] = {&m->y, NULL};
    plan_step(p, "matmul", run_matmul, m, reads, writes);
    return OK;
}
