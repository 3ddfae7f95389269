/* operators.c - THE operator table: which ONNX names the engine has, and what they are called
 * here.
 *
 * A model with another operator is refused when it is added. A new row wants dimensions (shapes.c),
 * a plan (plan/ops.c) unless it becomes an operator that is there, and a line in tests/unit/infer.
 * A row of OP_NONE does nothing while a model is used: its result is another name of its input.
 */
#include <stdlib.h>
#include <string.h>

#include "infer/graph/prepare.h"
#include "infer/onnx/wire.h"

enum { ANY = ONNX_INPUTS };

/* Sorted by name (bytewise). */
static const struct operator operators[] = {
    /* name, op, inputs, outputs made, kind, prepare, fold */
    {"Abs", OP_UNARY, 1, 1, 1, FN_ABS, prepare_unary, NULL},
    {"Add", OP_BINARY, 2, 2, 1, BIN_ADD, prepare_binary, NULL},
    {"And", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_logic},
    {"AveragePool", OP_AVERAGE_POOL, 1, 1, 1, 0, NULL, NULL},
    {"BatchNormalization", OP_BATCH_NORM, 5, 5, 1, 0, prepare_batch_norm, NULL},
    {"Cast", OP_CAST, 1, 1, 1, 0, prepare_cast, NULL},
    {"Ceil", OP_UNARY, 1, 1, 1, FN_CEIL, prepare_unary, NULL},
    {"Clip", OP_UNARY, 1, 3, 1, FN_CLIP, prepare_clip, NULL},
    {"Concat", OP_CONCAT, 1, ANY, 1, 0, prepare_concat, NULL},
    {"Constant", OP_FOLD_ONLY, 0, 0, 1, 0, NULL, fold_constant},
    {"ConstantOfShape", OP_FOLD_ONLY, 1, 1, 1, 0, NULL, fold_constant_of_shape},
    {"Conv", OP_CONV, 2, 3, 1, 0, prepare_three_inputs, NULL},
    {"DepthToSpace", OP_DEPTH_TO_SPACE, 1, 1, 1, 0, NULL, NULL},
    {"Div", OP_BINARY, 2, 2, 1, BIN_DIV, prepare_binary, NULL},
    {"Dropout", OP_NONE, 1, 3, 1, 0, prepare_dropout, NULL},
    {"Elu", OP_UNARY, 1, 1, 1, FN_ELU, prepare_unary, NULL},
    {"Equal", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_compare},
    {"Erf", OP_UNARY, 1, 1, 1, FN_ERF, prepare_unary, NULL},
    {"Exp", OP_UNARY, 1, 1, 1, FN_EXP, prepare_unary, NULL},
    {"Expand", OP_EXPAND, 2, 2, 1, 0, NULL, NULL},
    {"Flatten", OP_RESHAPE, 1, 1, 1, 0, NULL, NULL},
    {"Floor", OP_UNARY, 1, 1, 1, FN_FLOOR, prepare_unary, NULL},
    {"Gather", OP_GATHER, 2, 2, 1, 0, NULL, NULL},
    {"Gemm", OP_GEMM, 2, 3, 1, 0, prepare_three_inputs, NULL},
    {"GlobalAveragePool", OP_GLOBAL_AVERAGE_POOL, 1, 1, 1, 0, NULL, NULL},
    {"GlobalMaxPool", OP_GLOBAL_MAX_POOL, 1, 1, 1, 0, NULL, NULL},
    {"Greater", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_compare},
    {"GreaterOrEqual", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_compare},
    {"HardSigmoid", OP_UNARY, 1, 1, 1, FN_HARD_SIGMOID, prepare_unary, NULL},
    {"HardSwish", OP_UNARY, 1, 1, 1, FN_HARD_SWISH, prepare_unary, NULL},
    {"Identity", OP_NONE, 1, 1, 1, 0, NULL, NULL},
    {"InstanceNormalization", OP_BATCH_NORM, 3, 3, 1, 0, prepare_instance_norm, NULL},
    {"LRN", OP_LRN, 1, 1, 1, 0, NULL, NULL},
    {"LayerNormalization", OP_LAYER_NORM, 2, 3, 1, 0, prepare_layer_norm, NULL},
    {"LeakyRelu", OP_UNARY, 1, 1, 1, FN_LEAKY_RELU, prepare_unary, NULL},
    {"Less", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_compare},
    {"LessOrEqual", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_compare},
    {"Log", OP_UNARY, 1, 1, 1, FN_LOG, prepare_unary, NULL},
    {"LogSoftmax", OP_LOG_SOFTMAX, 1, 1, 1, 0, NULL, NULL},
    {"MatMul", OP_MATMUL, 2, 2, 1, 0, NULL, NULL},
    {"Max", OP_BINARY, 1, ANY, 1, BIN_MAX, prepare_chain, NULL},
    {"MaxPool", OP_MAX_POOL, 1, 1, 1, 0, NULL, NULL},
    {"Mean", OP_BINARY, 1, ANY, 1, BIN_ADD, prepare_mean, NULL},
    {"Min", OP_BINARY, 1, ANY, 1, BIN_MIN, prepare_chain, NULL},
    {"Mod", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_mod},
    {"Mul", OP_BINARY, 2, 2, 1, BIN_MUL, prepare_binary, NULL},
    {"Neg", OP_UNARY, 1, 1, 1, FN_NEG, prepare_unary, NULL},
    {"Not", OP_FOLD_ONLY, 1, 1, 1, 0, NULL, fold_not},
    {"Or", OP_FOLD_ONLY, 2, 2, 1, 0, NULL, fold_logic},
    {"PRelu", OP_BINARY, 2, 2, 1, BIN_PRELU, prepare_binary, NULL},
    {"Pad", OP_PAD, 1, 4, 1, 0, NULL, NULL},
    {"Pow", OP_BINARY, 2, 2, 1, BIN_POW, prepare_pow, NULL},
    {"Range", OP_FOLD_ONLY, 3, 3, 1, 0, NULL, fold_range},
    {"Reciprocal", OP_UNARY, 1, 1, 1, FN_RECIPROCAL, prepare_unary, NULL},
    {"ReduceMax", OP_REDUCE, 1, 2, 1, REDUCE_MAX, prepare_reduce, NULL},
    {"ReduceMean", OP_REDUCE, 1, 2, 1, REDUCE_MEAN, prepare_reduce, NULL},
    {"ReduceMin", OP_REDUCE, 1, 2, 1, REDUCE_MIN, prepare_reduce, NULL},
    {"ReduceSum", OP_REDUCE, 1, 2, 1, REDUCE_SUM, prepare_reduce, NULL},
    {"Relu", OP_UNARY, 1, 1, 1, FN_RELU, prepare_unary, NULL},
    {"Reshape", OP_RESHAPE, 1, 2, 1, 0, NULL, NULL},
    {"Resize", OP_RESIZE, 1, 4, 1, 0, NULL, NULL},
    {"Selu", OP_UNARY, 1, 1, 1, FN_SELU, prepare_selu, NULL},
    {"Shape", OP_SHAPE, 1, 1, 1, 0, prepare_shape, NULL},
    {"Sigmoid", OP_UNARY, 1, 1, 1, FN_SIGMOID, prepare_unary, NULL},
    {"Slice", OP_SLICE, 1, 5, 1, 0, NULL, NULL},
    {"Softmax", OP_SOFTMAX, 1, 1, 1, 0, NULL, NULL},
    {"Softplus", OP_UNARY, 1, 1, 1, FN_SOFTPLUS, prepare_unary, NULL},
    {"Softsign", OP_UNARY, 1, 1, 1, FN_SOFTSIGN, prepare_unary, NULL},
    {"Split", OP_SPLIT, 1, 2, ANY, 0, NULL, NULL},
    {"Sqrt", OP_UNARY, 1, 1, 1, FN_SQRT, prepare_unary, NULL},
    {"Squeeze", OP_RESHAPE, 1, 2, 1, 0, NULL, NULL},
    {"Sub", OP_BINARY, 2, 2, 1, BIN_SUB, prepare_binary, NULL},
    {"Sum", OP_BINARY, 1, ANY, 1, BIN_ADD, prepare_chain, NULL},
    {"Tanh", OP_UNARY, 1, 1, 1, FN_TANH, prepare_unary, NULL},
    {"Tile", OP_CONCAT, 2, 2, 1, 0, prepare_tile, NULL},
    {"Transpose", OP_TRANSPOSE, 1, 1, 1, 0, NULL, NULL},
    {"Unsqueeze", OP_RESHAPE, 1, 2, 1, 0, NULL, NULL},
    {"Upsample", OP_RESIZE, 1, 2, 1, 0, NULL, NULL},
    {"Where", OP_FOLD_ONLY, 3, 3, 1, 0, NULL, fold_where},
};

static int compare(const void *key, const void *row)
{
    const struct sv *name = key;
    const struct operator* op = row;
    return sv_cmp(*name, sv_of(op->name));
}

const struct operator* operator_find(struct sv name)
{
    return bsearch(&name, operators, sizeof operators / sizeof *operators, sizeof *operators,
                   compare);
}

bool operator_is_alias(const struct operator* op)
{
    return op->op == OP_NONE;
}
