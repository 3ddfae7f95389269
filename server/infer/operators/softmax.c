/* softmax.c - softmax and log softmax over any axes: rows where they lie last in memory, else
 * after a copy that puts them there; the result then lies in that order too. */
#include <string.h>

#include "infer/kernels/kernel.h"
#include "infer/plan/ops.h"

struct softmax {
    const struct kernels *kernels;
    struct tensor x, y;
    int64_t rows, columns;
    bool log;
};

static void run_softmax(const struct run *r, const void *arg)
{
    const struct softmax *s = arg;
    const float *x = tensor_at(r, &s->x);
    float *y = tensor_at(r, &s->y);
    if (s->log) {
        s->kernels->log_softmax(s->rows, s->columns, x, s->columns, y, s->columns);
    } else {
        s->kernels->softmax(s->rows, s->columns, x, s->columns, y, s->columns);
    }
}

/* The axes in their order, those of `last` behind the others. */
static void order_axes(const struct tensor *t, uint32_t last, uint32_t *order)
{
    uint32_t n = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < t->rank; i++) {
            if ((last >> i & 1) == pass) {
                order[n++] = i;
            }
        }
    }
}

enum err_code op_softmax(struct plan *p, const struct node *n, struct err *err)
{
    struct softmax *s = arena_calloc(plan_arena(p), 1, sizeof *s);
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *turned = arena_alloc(plan_arena(p), sizeof *turned);
    uint32_t order[TENSOR_RANK];
    (void)err;
    *turned = *x;
    order_axes(x, n->axes, order);
    s->columns = 1;
    for (uint32_t i = 0; i < x->rank; i++) {
        turned->dims[i] = x->dims[order[i]];
        turned->strides[i] = x->strides[order[i]];
        s->columns *= n->axes >> i & 1 ? x->dims[i] : 1;
    }
    s->x = *plan_as(p, turned, LAYOUT_ROWS);
    struct tensor *y = plan_output(p, n, 0, LAYOUT_ROWS);
    for (uint32_t i = 0; i < x->rank; i++) {
        y->strides[order[i]] = s->x.strides[i];
    }
    s->kernels = kernels();
    s->y = *y;
    s->rows = s->columns > 0 ? tensor_elements(x) / s->columns : 0;
    s->log = n->op == OP_LOG_SOFTMAX;
    const struct tensor *reads[] = {&s->x, NULL}, *writes[] = {&s->y, NULL};
    plan_step(p, "softmax", run_softmax, s, reads, writes);
    return OK;
}
