/* ssim_rows.h - how ssim.c adds rows, in vectors of LANES whole numbers; WIDE makes the names of that width. Included by it
 * alone, once for each kind of processor: what all have in common comes first. */
#ifndef NEIGHBORS_SSIM_ROWS_H
#define NEIGHBORS_SSIM_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "neighbors/ssim.h"

enum { CHANNELS = 3, PADDED = 16, SUMS = 8 /* doubles that rows are summed in, side by side */ };

#define INLINE __attribute__((always_inline)) static inline

/* A row of a plane or of sums: what lies behind its end is read, and is 0 or does not count. */
static uint32_t stride_of(const struct ssim_shape *s)
{
    return (s->width + PADDED - 1) / PADDED * PADDED + PADDED;
}

static size_t plane_size(const struct ssim_shape *s)
{
    return (size_t)stride_of(s) * s->height;
}

static uint32_t windows_down(const struct ssim_shape *s)
{
    return s->height - s->window + 1;
}

static size_t windows_size(const struct ssim_shape *s)
{
    return (size_t)stride_of(s) * windows_down(s);
}

/* Of the sums down the columns of the rows on show, and of those in which they are added across: read and written a
 * vector behind the end. */
static size_t row_room(const struct ssim_shape *s)
{
    return stride_of(s) + PADDED;
}

/* Of one row of windows. All but the division is exact: sums of squares stay below 2^31, what is made of them below
 * 2^53. What of the row is behind its last window counts 0 times. */
struct terms {
    double n, mean, spread; /* windows' bytes; what makes means of products of sums, and covariances of them */
    double mean2, spread2;  /* twice these: doubles are doubled without rounding */
    double c1, c2;
};

static struct terms terms_of(const struct ssim_shape *s)
{
    double n = (double)s->window * s->window;
    return (struct terms){.n = n, .mean = 1 / (n * n), .spread = 1 / (n * (n - 1)),
                          .mean2 = 2 / (n * n), .spread2 = 2 / (n * (n - 1)),
                          .c1 = (.01 * 255) * (.01 * 255), .c2 = (.03 * 255) * (.03 * 255)};
}

#endif

#ifdef LANES

typedef uint8_t WIDE(bytes) __attribute__((vector_size(LANES)));
typedef int32_t WIDE(ints) __attribute__((vector_size(LANES * 4)));
typedef uint32_t WIDE(words) __attribute__((vector_size(LANES * 4)));
typedef int32_t WIDE(part) __attribute__((vector_size(LANES / 2 * 4)));
typedef double WIDE(doubles) __attribute__((vector_size(LANES / 2 * 8)));

/* The compiler converts vectors number by number where it has no such instruction for all of them, or does not see it. */
INLINE void WIDE(load_bytes)(const unsigned char *p, WIDE(ints) *out)
{
#if defined(__AVX512F__)
    *out = (WIDE(ints))_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)p));
#elif defined(__AVX2__)
    *out = (WIDE(ints))_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
#else
    WIDE(bytes) v;
    memcpy(&v, p, sizeof v);
    *out = __builtin_convertvector(v, WIDE(ints));
#endif
}

INLINE void WIDE(load_part)(const int32_t *p, WIDE(doubles) *out)
{
#if defined(__AVX512F__)
    *out = (WIDE(doubles))_mm512_cvtepi32_pd(_mm256_loadu_si256((const void *)p));
#elif defined(__AVX2__)
    *out = (WIDE(doubles))_mm256_cvtepi32_pd(_mm_loadu_si128((const void *)p));
#else
    WIDE(part) v;
    memcpy(&v, p, sizeof v);
    *out = __builtin_convertvector(v, WIDE(doubles));
#endif
}

/* The same of two sums of squares together, which stay below 2^31 too. */
INLINE void WIDE(load_sum)(const int32_t *p, const int32_t *q, WIDE(doubles) *out)
{
    int32_t sum[LANES / 2];
    WIDE(part) v, w;
    memcpy(&v, p, sizeof v);
    memcpy(&w, q, sizeof w);
    v += w;
    memcpy(sum, &v, sizeof sum);
    WIDE(load_part)(sum, out);
}

INLINE void WIDE(load_products)(const unsigned char *a, const unsigned char *b, WIDE(ints) *out)
{
    WIDE(ints) x, y;
    WIDE(load_bytes)(a, &x);
    WIDE(load_bytes)(b, &y);
    *out = x * y;
}

/* Adds the products of a row, or takes those of another one away (NULL: none). */
INLINE void WIDE(slide)(int32_t *columns, uint32_t stride, const unsigned char *a, const unsigned char *b,
                  const unsigned char *gone_a, const unsigned char *gone_b)
{
    for (uint32_t x = 0; x < stride; x += LANES) {
        WIDE(ints) sum, come, gone;
        memcpy(&sum, columns + x, sizeof sum);
        WIDE(load_products)(a + x, b + x, &come);
        sum += come;
        if (gone_a) {
            WIDE(load_products)(gone_a + x, gone_b + x, &gone);
            sum -= gone;
        }
        memcpy(columns + x, &sum, sizeof sum);
    }
}

/* Each number becomes the sum of itself and all before it, modulo 2^32. */
INLINE void WIDE(scan)(WIDE(words) *v)
{
#if defined(__AVX2__)
    __m256i part[LANES / 8];
    memcpy(part, v, sizeof part);
    for (int k = 0; k < LANES / 8; k++) {
        __m256i s = part[k];
        s = _mm256_add_epi32(s, _mm256_slli_si256(s, 4));
        s = _mm256_add_epi32(s, _mm256_slli_si256(s, 8));
        __m256i halves = _mm256_shuffle_epi32(s, 0xff); /* the sum of each half */
        part[k] = _mm256_add_epi32(s, _mm256_permute2x128_si256(halves, halves, 0x08));
        if (k > 0) {
            part[k] = _mm256_add_epi32(part[k], _mm256_set1_epi32(_mm256_extract_epi32(part[k - 1], 7)));
        }
    }
    memcpy(v, part, sizeof part);
#else
    for (int k = 1; k < LANES; k++) {
        (*v)[k] += (*v)[k - 1];
    }
#endif
}

/* out[x] = columns[x] + ... + columns[x + window - 1]: the difference of two sums from the left edge on, which `running`
 * holds modulo 2^32. Up to the last window and PADDED / 2 behind it. */
INLINE void WIDE(across)(const int32_t *columns, uint32_t stride, uint32_t window, int32_t *running, int32_t *out)
{
    uint32_t before = 0;
    running[0] = 0;
    for (uint32_t x = 0; x < stride; x += LANES) {
        WIDE(words) v;
        memcpy(&v, columns + x, sizeof v);
        WIDE(scan)(&v);
        uint32_t all = v[LANES - 1];
        v += before;
        before += all;
        memcpy(running + x + 1, &v, sizeof v);
    }
    for (uint32_t x = 0; x + window <= stride; x += LANES) {
        WIDE(words) v, less;
        memcpy(&v, running + x + window, sizeof v);
        memcpy(&less, running + x, sizeof less);
        v -= less;
        memcpy(out + x, &v, sizeof v);
    }
}

/* SSIM of the windows from `x` on, as many as a vector of doubles holds. */
INLINE void WIDE(ssim_of)(const struct terms *t, uint32_t x, const int32_t *a, const int32_t *b, const int32_t *aa,
                          const int32_t *bb, const int32_t *ab, WIDE(doubles) *out)
{
    WIDE(doubles) sa, sb, squares, sab;
    WIDE(load_part)(a + x, &sa);
    WIDE(load_part)(b + x, &sb);
    WIDE(load_sum)(aa + x, bb + x, &squares);
    WIDE(load_part)(ab + x, &sab);
    WIDE(doubles) product = sa * sb, both = sa * sa + sb * sb;
    WIDE(doubles) up = (product * t->mean2 + t->c1) * ((t->n * sab - product) * t->spread2 + t->c2);
    WIDE(doubles) down = (both * t->mean + t->c1) * ((t->n * squares - both) * t->spread + t->c2);
    *out = up / down;
}

/* A window goes to the sum of its number modulo SUMS, however wide vectors are; those from `n` on count 0 times. */
INLINE void WIDE(add_row)(const struct terms *t, uint32_t n, const int32_t *a, const int32_t *b, const int32_t *aa,
                          const int32_t *bb, const int32_t *ab, WIDE(doubles) *totals)
{
    static const double counts[2 * SUMS] = {1, 1, 1, 1, 1, 1, 1, 1};
    WIDE(doubles) ssim, counted;
    uint32_t x = 0;
    for (; x + SUMS <= n; x += SUMS) {
        for (uint32_t k = 0; k < SUMS / (LANES / 2); k++) {
            WIDE(ssim_of)(t, x + k * (LANES / 2), a, b, aa, bb, ab, &ssim);
            totals[k] += ssim;
        }
    }
    for (uint32_t k = 0; x < n && k < SUMS / (LANES / 2); k++, x += LANES / 2) {
        WIDE(ssim_of)(t, x, a, b, aa, bb, ab, &ssim);
        memcpy(&counted, counts + SUMS - (n - x < LANES / 2 ? n - x : LANES / 2), sizeof counted);
        totals[k] += ssim * counted;
    }
}

INLINE double WIDE(mean_of)(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                      unsigned channel, int32_t *columns)
{
    const uint32_t stride = stride_of(s), n = s->width - s->window + 1, rows = windows_down(s);
    const unsigned char *pa = a->planes + channel * plane_size(s), *pb = b->planes + channel * plane_size(s);
    int32_t *running = columns + row_room(s), *sums = running + row_room(s);
    const struct terms terms = terms_of(s);
    WIDE(doubles) totals[SUMS / (LANES / 2)] = {{0}};
    memset(columns, 0, stride * sizeof *columns);
    for (uint32_t y = 0; y < s->window - 1; y++) {
        WIDE(slide)(columns, stride, pa + (size_t)y * stride, pb + (size_t)y * stride, NULL, NULL);
    }
    for (uint32_t y = 0; y < rows; y++) {
        size_t comes = (size_t)(y + s->window - 1) * stride, at = channel * windows_size(s) + (size_t)y * stride;
        const unsigned char *gone_a = y ? pa + (size_t)(y - 1) * stride : NULL;
        const unsigned char *gone_b = y ? pb + (size_t)(y - 1) * stride : NULL;
        WIDE(slide)(columns, stride, pa + comes, pb + comes, gone_a, gone_b);
        WIDE(across)(columns, stride, s->window, running, sums);
        WIDE(add_row)(&terms, n, a->sums + at, b->sums + at, a->squares + at, b->squares + at, sums, totals);
    }
    double sum = 0;
    for (int i = 0; i < SUMS; i++) {
        sum += totals[i / (LANES / 2)][i % (LANES / 2)];
    }
    return sum / ((double)n * rows);
}

static double WIDE(distance_of)(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                          int32_t *scratch)
{
    double sum = 0;
    for (unsigned channel = 0; channel < CHANNELS; channel++) {
        sum += WIDE(mean_of)(s, a, b, channel, scratch);
    }
    return (1 - sum / CHANNELS) / 2;
}

#endif
