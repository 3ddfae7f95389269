/* simd.h - one vocabulary for vectors of 16, 8 or 4 floats.
 *
 * Included by the bodies (act.h, depthwise.h, rows.h), once per instruction set: SIMD is 512 or 256 (x86-64 with
 * AVX-512 or AVX2 and FMA) or 128 (plain vectors of the compiler, which every processor has).
 * Compiled without contraction (-std=c11), so that only v_fma fuses: what a kernel computes does
 * not change with the compiler. v_min and v_max keep a NaN that is their second argument. */
#ifndef INFER_KERNELS_SIMD_H
#define INFER_KERNELS_SIMD_H

#include <stdint.h>
#include <string.h>

#ifndef SIMD
#define SIMD 128
#endif

#if SIMD > 128
#include <immintrin.h>
#endif

/* Before every function of a body; unused: one instruction set need not use all. */
#if SIMD == 512
#define KERNEL __attribute__((unused, target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#elif SIMD == 256
#define KERNEL __attribute__((unused, target("avx2,fma")))
#else
#define KERNEL __attribute__((unused))
#endif
#define KERNEL_INLINE KERNEL __attribute__((always_inline)) static inline

enum { VN = SIMD / 32 }; /* floats of a vector */
typedef float vf __attribute__((vector_size(SIMD / 8)));
typedef int32_t vi __attribute__((vector_size(SIMD / 8)));

KERNEL_INLINE vf v_load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

KERNEL_INLINE void v_store(float *p, vf v) { memcpy(p, &v, sizeof v); }

KERNEL_INLINE vf v_all(float x) { return x - (vf){0}; }

/* a where the mask's bits are set, else b; masks come from comparisons: all bits or none. */
KERNEL_INLINE vf v_pick(vi mask, vf a, vf b) { return (vf)((mask & (vi)a) | (~mask & (vi)b)); }

KERNEL_INLINE vf v_abs(vf v) { return (vf)((vi)v & 0x7fffffff); }

/* The size of a with the sign of b. */
KERNEL_INLINE vf v_sign_of(vf a, vf b)
{
    return (vf)(((vi)a & 0x7fffffff) | ((vi)b & ~0x7fffffff));
}

#if SIMD == 512
KERNEL_INLINE vf v_fma(vf a, vf b, vf c)
{
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
KERNEL_INLINE vf v_min(vf a, vf b) { return (vf)_mm512_min_ps((__m512)a, (__m512)b); }
KERNEL_INLINE vf v_max(vf a, vf b) { return (vf)_mm512_max_ps((__m512)a, (__m512)b); }
/* a * 2^n for whole n, rounded once. */
KERNEL_INLINE vf v_scale(vf a, vf n) { return (vf)_mm512_scalef_ps((__m512)a, (__m512)n); }
/* 1 / a for a in [1, 2^126): an estimate of 14 bits and one step of Newton's. */
KERNEL_INLINE vf v_recip(vf a)
{
    __m512 r = _mm512_rcp14_ps((__m512)a);
    return (vf)_mm512_fmadd_ps(r, _mm512_fnmadd_ps((__m512)a, r, _mm512_set1_ps(1.0f)), r);
}
/* The n <= VN floats at p, the other lanes as in `rest`. */
KERNEL_INLINE vf v_load_part(const float *p, int64_t n, vf rest)
{
    return (vf)_mm512_mask_loadu_ps((__m512)rest, (__mmask16)((1u << n) - 1), p);
}
KERNEL_INLINE void v_store_part(float *p, int64_t n, vf v)
{
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), (__m512)v);
}
#else
#if SIMD == 256
KERNEL_INLINE vf v_fma(vf a, vf b, vf c)
{
    return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
KERNEL_INLINE vf v_min(vf a, vf b) { return (vf)_mm256_min_ps((__m256)a, (__m256)b); }
KERNEL_INLINE vf v_max(vf a, vf b) { return (vf)_mm256_max_ps((__m256)a, (__m256)b); }
#else
KERNEL_INLINE vf v_fma(vf a, vf b, vf c) { return a * b + c; }
KERNEL_INLINE vf v_min(vf a, vf b) { return v_pick(a < b, a, b); }
KERNEL_INLINE vf v_max(vf a, vf b) { return v_pick(a > b, a, b); }
#endif
/* 2^n may not be a float where a * 2^n is one, so it is applied in two halves. */
KERNEL_INLINE vf v_scale(vf a, vf n)
{
    vi whole = __builtin_convertvector(n, vi), half = whole >> 1;
    return a * (vf)((half + 127) << 23) * (vf)((whole - half + 127) << 23);
}
KERNEL_INLINE vf v_recip(vf a) { return 1.0f / a; }
KERNEL_INLINE vf v_load_part(const float *p, int64_t n, vf rest)
{
    memcpy(&rest, p, (size_t)n * sizeof *p);
    return rest;
}
KERNEL_INLINE void v_store_part(float *p, int64_t n, vf v) { memcpy(p, &v, (size_t)n * sizeof *p); }
#endif

/* Across the lanes, halves onto halves: always in the same order. */
#if SIMD == 512
KERNEL_INLINE float v_sum(vf v)
{
    __m256 h = _mm512_castps512_ps256((__m512)v) + _mm512_extractf32x8_ps((__m512)v, 1);
    __m128 q = _mm256_castps256_ps128(h) + _mm256_extractf128_ps(h, 1);
    q += _mm_movehl_ps(q, q);
    return q[0] + q[1];
}
KERNEL_INLINE float v_largest(vf v)
{
    __m256 h =
        _mm256_max_ps(_mm512_castps512_ps256((__m512)v), _mm512_extractf32x8_ps((__m512)v, 1));
    __m128 q = _mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    q = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return q[0] > q[1] ? q[0] : q[1];
}
#else
KERNEL_INLINE float v_sum(vf v)
{
    for (int half = VN / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            v[i] += v[i + half];
        }
    }
    return v[0];
}
KERNEL_INLINE float v_largest(vf v)
{
    float largest = v[0];
    for (int i = 1; i < VN; i++) {
        largest = v[i] > largest ? v[i] : largest;
    }
    return largest;
}
#endif

#endif
