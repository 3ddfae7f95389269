/* concat.c - concatenation: what was not written in its place already (plan/concat.c) is copied
 * there. */
#include "infer/plan/ops.h"
#include "infer/plan/private.h"

static struct tensor *make_whole(struct plan *p, const struct node *n)
{
    struct tensor *whole = plan_home(p, n->outputs[0]);
    if (whole) {
        plan_put(p, n->outputs[0], whole);
        return whole;
    }
    return plan_output(p, n, 0, LAYOUT_ROWS);
}

/* Where the part that begins with `at` lies in the whole. */
static struct tensor part_of(const struct tensor *whole, const struct node *n, int64_t at,
                             int64_t size)
{
    struct tensor part = *whole;
    part.dims[n->axis] = size;
    part.offset +=
        whole->block ? at / whole->block * whole->strides[1] : at * whole->strides[n->axis];
    return part;
}

enum err_code op_concat(struct plan *p, const struct node *n, struct err *err)
{
    (void)err;
    const struct tensor *whole = make_whole(p, n);
    struct home mine = p->homes[n->outputs[0]];
    int64_t at = 0;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct tensor *from = whole->block ? plan_lies(p, n, i) : plan_input(p, n, i);
        struct home home = p->homes[n->inputs[i]];
        int64_t size = from->dims[n->axis];
        if (home.root < 0 || home.root != mine.root || home.channel != mine.channel + at) {
            struct tensor part = part_of(whole, n, at, size);
            plan_copy(p, from, &part);
        }
        at += size;
    }
    return OK;
}
