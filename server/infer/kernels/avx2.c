/* avx2.c - the kernels for processors with AVX2 and FMA: vectors of 8 floats. */
#if defined(__x86_64__)
#define SIMD 256
#include "infer/kernels/table.h"

const struct kernels kernels_avx2 = KERNEL_TABLE("avx2");
#else
typedef int kernel_avx2_is_for_x86;
#endif
