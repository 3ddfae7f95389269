/* reduce.c - mean, sum, largest or smallest value over axes. */
#include <string.h>

#include "infer/kernels/kernel.h"
#include "infer/plan/ops.h"

/* In memory: `outer` blocks of `count` rows that become one row of `inner`. */
struct reduction {
    const struct kernels *kernels;
    struct tensor x, y;
    int64_t outer, count, inner;
    enum reduce kind;
    float scale;
};

static void run_reduction(const struct run *r, const void *arg)
{
    const struct reduction *d = arg;
    const float *x = tensor_at(r, &d->x);
    float *y = tensor_at(r, &d->y);
    for (int64_t i = 0; i < d->outer; i++, x += d->count * d->inner, y += d->inner) {
        if (d->kind == REDUCE_MAX) {
            d->kernels->max_rows(d->count, d->inner, x, d->inner, y);
        } else if (d->kind == REDUCE_MIN) {
            d->kernels->min_rows(d->count, d->inner, x, d->inner, y);
        } else {
            d->kernels->sum_rows(d->count, d->inner, x, d->inner, d->scale, y);
        }
    }
}

/* The axes as they lie in memory, outermost first, when x is dense and those of `axes` lie side by
 * side there; else the others first. Sets the counts. */
static void order_axes(struct reduction *d, const struct tensor *x, uint32_t axes, uint32_t *order)
{
    bool last = tensor_is(x, LAYOUT_CHANNELS_LAST);
    int blocks = 0;
    for (uint32_t i = 0; i < x->rank; i++) {
        order[i] = last && i > 0 ? (i + 1 < x->rank ? i + 1 : 1) : i;
        bool mine = axes >> order[i] & 1, before = i > 0 && (axes >> order[i - 1] & 1);
        blocks += mine && !before;
    }
    if (blocks > 1 || (!last && !tensor_is(x, LAYOUT_ROWS))) {
        uint32_t n = 0;
        for (uint32_t pass = 0; pass < 2; pass++) {
            for (uint32_t i = 0; i < x->rank; i++) {
                if ((axes >> i & 1) == pass) {
                    order[n++] = i;
                }
            }
        }
    }
    d->outer = d->count = d->inner = 1;
    bool found = false;
    for (uint32_t i = 0; i < x->rank; i++) {
        bool mine = axes >> order[i] & 1;
        int64_t *count = mine ? &d->count : found ? &d->inner : &d->outer;
        *count *= x->dims[order[i]];
        found |= mine;
    }
}

/* The result's axes, kept as 1 or left out, get the steps of the order in which rows are made. */
static void set_strides(struct tensor *y, const struct tensor *x, uint32_t axes,
                        const uint32_t *order)
{
    int64_t step = 1, of[TENSOR_RANK] = {0};
    for (uint32_t i = x->rank; i-- > 0;) {
        if (!(axes >> order[i] & 1)) {
            of[order[i]] = step;
            step *= x->dims[order[i]];
        }
    }
    bool kept = y->rank == x->rank;
    uint32_t o = 0;
    for (uint32_t i = 0; i < x->rank; i++) {
        if (kept || !(axes >> i & 1)) {
            y->strides[o++] = of[i];
        }
    }
}

enum err_code op_reduce(struct plan *p, const struct node *n, struct err *err)
{
    struct reduction *d = arena_calloc(plan_arena(p), 1, sizeof *d);
    const struct tensor *x = plan_input(p, n, 0);
    struct tensor *turned = arena_alloc(plan_arena(p), sizeof *turned);
    uint32_t order[TENSOR_RANK];
    if (tensor_elements(x) == 0) {
        return op_refuse(n, "nothing is left to reduce", err);
    }
    order_axes(d, x, n->axes, order);
    *turned = *x;
    for (uint32_t i = 0; i < x->rank; i++) {
        turned->dims[i] = x->dims[order[i]];
        turned->strides[i] = x->strides[order[i]];
    }
    d->kernels = kernels();
    d->kind = n->u.reduce;
    d->scale = d->kind == REDUCE_MEAN ? 1 / (float)d->count : 1;
    d->x = *plan_as(p, turned, LAYOUT_ROWS);
    struct tensor *y = plan_output(p, n, 0, LAYOUT_ROWS);
    set_strides(y, x, n->axes, order);
    d->y = *y;
    const struct tensor *reads[] = {&d->x, NULL}, *writes[] = {&d->y, NULL};
    plan_step(p, "reduce", run_reduction, d, reads, writes);
    return OK;
}
