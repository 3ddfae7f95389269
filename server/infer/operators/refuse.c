/* refuse.c - says which operator of a model the engine cannot run, and why. */
#include "infer/plan/ops.h"

enum err_code op_refuse(const struct node *n, const char *why, struct err *err)
{
    struct sv op = n->onnx ? n->onnx->op : SV("?"), name = n->onnx ? n->onnx->name : SV("");
    return err_rule(err, ERR_INPUT, "model-operator", "%.*s (node \"%.*s\"): %s.", (int)op.n, op.p,
                    (int)name.n, name.p, why);
}
