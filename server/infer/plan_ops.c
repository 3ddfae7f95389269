/* plan_ops.c - THE operator table: which function plans which operator. */
#include "infer/ops.h"

const struct plan_op plan_ops[] = {
    {OP_CONV, op_conv},
    {OP_GEMM, op_gemm},
    {OP_MAX_POOL, op_pool},
    {OP_AVERAGE_POOL, op_pool},
    {OP_GLOBAL_AVERAGE_POOL, op_global_pool},
    {OP_GLOBAL_MAX_POOL, op_global_pool},
    {OP_CONCAT, op_concat},
    {OP_NONE, NULL},
};
