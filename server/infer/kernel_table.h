/* kernel_table.h - the bodies of all kernels and their table; included by one file per instruction
 * set. */
#ifndef INFER_KERNEL_TABLE_H
#define INFER_KERNEL_TABLE_H

#include "infer/kernel_act.h"
#include "infer/kernel_depthwise.h"
#include "infer/kernel_rows.h"

#define KERNEL_TABLE(name)                                                                         \
    {                                                                                              \
        name, depthwise, activate, affine, binary, sum_rows, max_rows, min_rows, softmax,          \
            log_softmax, layer_norm, transpose                                                     \
    }

#endif
