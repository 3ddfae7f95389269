/* avx512.c - the kernels for processors with AVX-512: vectors of 16 floats. */
#if defined(__x86_64__)
#define SIMD 512
#include "infer/kernels/table.h"

const struct kernels kernels_avx512 = KERNEL_TABLE("avx512");
#else
typedef int kernel_avx512_is_for_x86;
#endif
