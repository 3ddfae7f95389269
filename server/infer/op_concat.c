/* op_concat.c - concatenation: what was not written in its place already (plan_concat.c) is copied there. */
#include "infer/ops.h"
#include "infer/plan_private.h"

static struct tensor *make_whole(struct plan *p, const struct node *n)
{
    struct tensor *whole = plan_home(p, n->outputs[0]);
    if (whole) {
        plan_put(p, n->outputs[0], whole);
        return whole;
    }
    return plan_output(p, n, 0, LAYOUT_ROWS);
}

enum err_code op_concat(struct plan *p, const struct node *n, struct err *err)
{
    (void)err;
    struct tensor *whole = make_whole(p, n);
    struct tensor part = *whole;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct tensor *from = plan_input(p, n, i);
        struct home home = p->homes[n->inputs[i]], mine = p->homes[n->outputs[0]];
        int64_t channel = mine.channel + (part.offset - whole->offset);
        part.dims[n->axis] = from->dims[n->axis];
        if (home.root < 0 || home.root != mine.root || home.channel != channel) {
            plan_copy(p, from, &part);
        }
        part.offset += part.dims[n->axis] * part.strides[n->axis];
    }
    return OK;
}
