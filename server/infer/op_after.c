/* op_after.c - what a layer's primitive cannot do itself, applied to its result in place: an activation that
 * oneDNN has not, the sum with a residual of another shape. And the refusal of what no step can do. */
#include "infer/kernel.h"
#include "infer/ops.h"

struct after {
    const struct kernels *kernels;
    struct tensor y;
    int64_t floats;
    struct activation act;
};

static void run_activation(const struct run *r, const void *arg)
{
    const struct after *a = arg;
    float *y = tensor_at(r, &a->y);
    a->kernels->activate(1, a->floats, y, a->floats, y, a->floats, &a->act);
}

void op_activate(struct plan *p, const struct tensor *y, const struct activation *act)
{
    struct after *a = arena_calloc(plan_arena(p), 1, sizeof *a);
    *a = (struct after){kernels(), *y, tensor_elements(y), *act};
    const struct tensor *both[] = {&a->y, NULL};
    plan_step(p, "activation", run_activation, a, both, both);
}

enum err_code op_refuse(const struct node *n, const char *why, struct err *err)
{
    struct sv op = n->onnx ? n->onnx->op : SV("?"), name = n->onnx ? n->onnx->name : SV("");
    return err_rule(err, ERR_INPUT, "model-operator", "%.*s (node \"%.*s\"): %s.", (int)op.n, op.p, (int)name.n,
                    name.p, why);
}
