/* sums.c - weighted sums of rows, for SSE2 (every x86-64) and in plain C for the rest. Integers
 * throughout: both ways give the same bytes. */
#include "image/sums.h"

static int32_t shift_round(int32_t v, int bits)
{
    return (v + (1 << (bits - 1))) >> bits;
}

static int16_t to_sample(int32_t sum)
{
    return (int16_t)shift_round(sum, WEIGHT_BITS - SAMPLE_BITS);
}

#ifdef __SSE2__

#include <emmintrin.h>

/* One instruction multiplies eight pairs of 16-bit numbers and adds each pair, so two rows are
 * taken at a time, interleaved. An odd last row is paired with itself and the weight 0. */
static __m128i pair_of(const int16_t *w)
{
    int32_t both;
    memcpy(&both, w, sizeof both);
    return _mm_set1_epi32(both);
}

static __m128i load(const void *p)
{
    return _mm_loadu_si128(p);
}

static __m128i add_products(__m128i acc, __m128i interleaved, __m128i weights)
{
    return _mm_add_epi32(acc, _mm_madd_epi16(interleaved, weights));
}

/* Eight sums rounded to 16 bits. */
static __m128i narrow(__m128i low, __m128i high, int bits)
{
    __m128i half = _mm_set1_epi32(1 << (bits - 1));
    return _mm_packs_epi32(_mm_srai_epi32(_mm_add_epi32(low, half), bits),
                           _mm_srai_epi32(_mm_add_epi32(high, half), bits));
}

void sums_of_bytes(const unsigned char *p, size_t stride, const int16_t *w, uint32_t count,
                   int16_t *out)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    for (uint32_t k = 0; k < count; k += 2, p += 2 * stride) {
        __m128i weights = pair_of(w + k), a = load(p), b = load(k + 1 < count ? p + stride : p);
        __m128i low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
        s0 = add_products(s0, _mm_unpacklo_epi8(low, zero), weights);
        s1 = add_products(s1, _mm_unpackhi_epi8(low, zero), weights);
        s2 = add_products(s2, _mm_unpacklo_epi8(high, zero), weights);
        s3 = add_products(s3, _mm_unpackhi_epi8(high, zero), weights);
    }
    _mm_storeu_si128((void *)out, narrow(s0, s1, WEIGHT_BITS - SAMPLE_BITS));
    _mm_storeu_si128((void *)(out + 8), narrow(s2, s3, WEIGHT_BITS - SAMPLE_BITS));
}

void sums_of_samples(const int16_t *p, size_t stride, const int16_t *w, uint32_t count,
                     unsigned char *out)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    for (uint32_t k = 0; k < count; k += 2, p += 2 * stride) {
        const int16_t *q = k + 1 < count ? p + stride : p;
        __m128i weights = pair_of(w + k), a = load(p), b = load(q);
        s0 = add_products(s0, _mm_unpacklo_epi16(a, b), weights);
        s1 = add_products(s1, _mm_unpackhi_epi16(a, b), weights);
        a = load(p + 8);
        b = load(q + 8);
        s2 = add_products(s2, _mm_unpacklo_epi16(a, b), weights);
        s3 = add_products(s3, _mm_unpackhi_epi16(a, b), weights);
    }
    __m128i low = narrow(s0, s1, WEIGHT_BITS + SAMPLE_BITS);
    __m128i high = narrow(s2, s3, WEIGHT_BITS + SAMPLE_BITS);
    _mm_storeu_si128((void *)out, _mm_packus_epi16(low, high));
}

#else

/* Constant trip counts let compilers use whatever vector instructions there are. */
void sums_of_bytes(const unsigned char *p, size_t stride, const int16_t *w, uint32_t count,
                   int16_t *out)
{
    int32_t sums[SUMS_BLOCK] = {0};
    for (uint32_t k = 0; k < count; k++, p += stride) {
        for (int i = 0; i < SUMS_BLOCK; i++) {
            sums[i] += (int16_t)p[i] * w[k];
        }
    }
    for (int i = 0; i < SUMS_BLOCK; i++) {
        out[i] = to_sample(sums[i]);
    }
}

static unsigned char to_byte(int32_t sum)
{
    int32_t v = shift_round(sum, WEIGHT_BITS + SAMPLE_BITS);
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

void sums_of_samples(const int16_t *p, size_t stride, const int16_t *w, uint32_t count,
                     unsigned char *out)
{
    int32_t sums[SUMS_BLOCK] = {0};
    for (uint32_t k = 0; k < count; k++, p += stride) {
        for (int i = 0; i < SUMS_BLOCK; i++) {
            sums[i] += p[i] * w[k];
        }
    }
    for (int i = 0; i < SUMS_BLOCK; i++) {
        out[i] = to_byte(sums[i]);
    }
}

#endif

void sums_of_tail(const unsigned char *p, size_t n, size_t stride, const int16_t *w, uint32_t count,
                  int16_t *out)
{
    for (size_t i = 0; i < n; i++) {
        int32_t sum = 0;
        for (uint32_t k = 0; k < count; k++) {
            sum += p[i + k * stride] * w[k];
        }
        out[i] = to_sample(sum);
    }
}
