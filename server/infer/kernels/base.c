/* base.c - the kernels for every processor, with the compiler's own vectors of 4 floats. */
#define SIMD 128
#include "infer/kernels/table.h"

const struct kernels kernels_base = KERNEL_TABLE("base");
