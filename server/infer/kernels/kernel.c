/* kernel.c - which kernels this processor runs, and what all of them share. */
#include "infer/kernels/kernel.h"

#include <math.h>
#include <stdbool.h>

static bool runs_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool runs_avx512(void)
{
#if defined(__x86_64__)
    return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

size_t kernels_all(const struct kernels *const **list)
{
#if defined(__x86_64__)
    static const struct kernels *const all[] = {&kernels_avx512, &kernels_avx2, &kernels_base};
#else
    static const struct kernels *const all[] = {&kernels_base};
#endif
    const size_t n = sizeof all / sizeof all[0];
    size_t skip = runs_avx512() || n == 1 ? 0 : runs_avx2() ? 1 : n - 1;
    *list = all + skip;
    return n - skip;
}

const struct kernels *kernels(void)
{
    const struct kernels *const *list;
    kernels_all(&list);
    return list[0];
}

void kernel_depthwise_weights(int64_t channels, int64_t size, const float *w, float *out)
{
    kernels_base.transpose(channels, size, w, size, out, channels);
}

float kernel_function(const struct activation *act, float x)
{
    const enum function fn = act->fn;
    /* Of large x, e^x alone would overflow. */
    return fn == FN_LOG     ? logf(x)
           : fn == FN_SQRT  ? sqrtf(x)
           : fn == FN_FLOOR ? floorf(x)
           : fn == FN_CEIL  ? ceilf(x)
           : fn == FN_POW   ? powf(x, act->a)
                            : fmaxf(x, 0) + log1pf(expf(-fabsf(x))); /* softplus */
}
