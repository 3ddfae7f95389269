/* table.h - the bodies of all kernels and their table; included by one file per instruction
 * set. */
#ifndef INFER_KERNELS_TABLE_H
#define INFER_KERNELS_TABLE_H

#include "infer/kernels/act.h"
#include "infer/kernels/depthwise.h"
#include "infer/kernels/rows.h"

#define KERNEL_TABLE(name)                                                                         \
    {                                                                                              \
        name, depthwise, activate, affine, binary, sum_rows, max_rows, min_rows, softmax,          \
            log_softmax, layer_norm, transpose                                                     \
    }

#endif
