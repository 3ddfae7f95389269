/* resample.c - weights and weighted sums as Pillow computes them.
 *
 * Doubles appear in the weights alone, in Pillow's order of operations. The sums are whole numbers:
 * plain C and AVX2 give the same bytes. */
#include "image/resample.h"

#include <math.h>
#include <string.h>

enum {
    PRECISION = 32 - 8 - 2,     /* bits of a weight below the point: the sums fit in 32 bits */
    HALF = 1 << (PRECISION - 1) /* what sums begin with, so that shifting rounds */
};

/* ---- weights ---- */

static double bilinear(double x)
{
    x = fabs(x);
    return x < 1 ? 1 - x : 0;
}

static double bicubic(double x)
{
    static const double a = -0.5;
    x = fabs(x);
    if (x < 1) {
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static double sinc(double x)
{
    x *= 3.14159265358979323846;
    return x == 0 ? 1 : sin(x) / x;
}

static double lanczos(double x)
{
    return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

static const struct {
    double support; /* in inputs, when nothing is reduced */
    double (*at)(double x);
} filters[] = {[FILTER_BILINEAR] = {1, bilinear},
               [FILTER_BICUBIC] = {2, bicubic},
               [FILTER_LANCZOS] = {3, lanczos}};

/* Reduction widens the filter by the factor, so that every input counts. */
static double widened(uint32_t from, uint32_t to)
{
    double scale = (double)from / to;
    return scale < 1 ? 1 : scale;
}

static uint32_t taps_of(enum preprocess_filter filter, uint32_t from, uint32_t to)
{
    if (filter == FILTER_NEAREST) {
        return 1;
    }
    return (uint32_t)ceil(filters[filter].support * widened(from, to)) * 2 + 1;
}

size_t resample_room(enum preprocess_filter filter, uint32_t from, uint32_t to, uint32_t n)
{
    return (size_t)n * (1 + (size_t)taps_of(filter, from, to));
}

static int32_t to_fixed(double weight)
{
    double v = weight * (1 << PRECISION);
    return (int32_t)(v < 0 ? v - 0.5 : v + 0.5);
}

/* Output x of the whole axis: its weights, which were zeros, and where they begin. Gives how many
 * they are. */
static uint32_t weights_of(enum preprocess_filter filter, uint32_t from, uint32_t to, uint32_t x,
                           int32_t *weights, int32_t *begin)
{
    double wide = widened(from, to), support = filters[filter].support * wide;
    double center = (x + 0.5) * ((double)from / to), inverse = 1 / wide, total = 0;
    int32_t first = (int32_t)(center - support + 0.5), end = (int32_t)(center + support + 0.5);
    first = first < 0 ? 0 : first;
    end = end > (int32_t)from ? (int32_t)from : end;
    for (int32_t k = 0; k < end - first; k++) {
        total += filters[filter].at((k + first - center + 0.5) * inverse);
    }
    for (int32_t k = 0; k < end - first; k++) {
        double w = filters[filter].at((k + first - center + 0.5) * inverse);
        weights[k] = to_fixed(total != 0 ? w / total : w);
    }
    *begin = first;
    return (uint32_t)(end - first);
}

/* Lets every output have a->count inputs, so that the inner loops always run equally often: a
 * branch that cannot be predicted costs more than a product with zero. At the end of the axis
 * weights move up. */
static void even_out(struct resample_axis *a, uint32_t from)
{
    for (uint32_t i = 0; i < a->n; i++) {
        int32_t *weights = a->weights + (size_t)i * a->taps;
        int32_t over = a->first[i] + (int32_t)a->count - (int32_t)from;
        if (over > 0) {
            memmove(weights + over, weights, (a->count - (uint32_t)over) * sizeof *weights);
            memset(weights, 0, (uint32_t)over * sizeof *weights);
            a->first[i] -= over;
        }
    }
}

/* Pillow adds up the position from pixel to pixel instead of multiplying: the roundings are part of
 * it. */
static void nearest(struct resample_axis *a, uint32_t from, uint32_t to, uint32_t first)
{
    double step = (double)from / to, at = step * 0.5;
    for (uint32_t x = 0; x < first + a->n; x++, at += step) {
        if (x >= first) {
            uint32_t in = (uint32_t)at;
            a->first[x - first] = (int32_t)(in < from ? in : from - 1);
            a->weights[x - first] = 1 << PRECISION;
        }
    }
}

void resample_axis(struct resample_axis *a, enum preprocess_filter filter, uint32_t from,
                   uint32_t to, uint32_t first, uint32_t n, int32_t *room)
{
    BUG_IF(n == 0 || first + n > to || from == 0);
    *a = (struct resample_axis){.n = n, .taps = taps_of(filter, from, to)};
    a->first = room;
    a->weights = room + n;
    if (filter == FILTER_NEAREST) {
        a->count = 1;
        nearest(a, from, to, first);
    } else {
        memset(a->weights, 0, (size_t)n * a->taps * sizeof *a->weights);
        for (uint32_t i = 0; i < n; i++) {
            int32_t *weights = a->weights + (size_t)i * a->taps;
            uint32_t count = weights_of(filter, from, to, first + i, weights, &a->first[i]);
            a->count = count > a->count ? count : a->count;
        }
        even_out(a, from);
    }
    a->start = (uint32_t)a->first[0];
    a->end = (uint32_t)a->first[n - 1] + a->count;
    for (uint32_t i = 0; i < n; i++) {
        a->first[i] -= (int32_t)a->start;
    }
}

/* ---- sums ---- */

static unsigned char to_byte(int32_t sum)
{
    int32_t v = sum >> PRECISION;
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void row_plain(const struct resample_axis *a, const unsigned char *row, unsigned char *out)
{
    const int32_t *weights = a->weights;
    for (uint32_t x = 0; x < a->n; x++, weights += a->taps, out += 3) {
        const unsigned char *p = row + (size_t)a->first[x] * 3;
        int32_t red = HALF, green = HALF, blue = HALF;
        for (uint32_t k = 0; k < a->count; k++, p += 3) {
            red += p[0] * weights[k];
            green += p[1] * weights[k];
            blue += p[2] * weights[k];
        }
        out[0] = to_byte(red);
        out[1] = to_byte(green);
        out[2] = to_byte(blue);
    }
}

static void rows_plain(const struct resample_axis *a, const unsigned char *rows, size_t stride,
                       unsigned char *out, size_t out_stride)
{
    for (size_t y = 0; y < RESAMPLE_ROWS; y++) {
        row_plain(a, rows + y * stride, out + y * out_stride);
    }
}

/* RESAMPLE_BLOCK bytes of an output row. */
static void block_plain(const unsigned char *p, size_t stride, const int32_t *weights,
                        uint32_t count, unsigned char *out)
{
    int32_t sums[RESAMPLE_BLOCK];
    for (int i = 0; i < RESAMPLE_BLOCK; i++) {
        sums[i] = HALF;
    }
    for (uint32_t k = 0; k < count; k++, p += stride) {
        for (int i = 0; i < RESAMPLE_BLOCK; i++) {
            sums[i] += p[i] * weights[k];
        }
    }
    for (int i = 0; i < RESAMPLE_BLOCK; i++) {
        out[i] = to_byte(sums[i]);
    }
}

#ifdef __x86_64__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* Three channels and the byte behind them: the fourth sum is thrown away. */
AVX2 static inline __m128i add_pixel(__m128i sum, const unsigned char *p, __m128i weight)
{
    return _mm_add_epi32(sum, _mm_mullo_epi32(_mm_cvtepu8_epi32(_mm_loadu_si32(p)), weight));
}

AVX2 static inline void store_pixel(__m128i sum, unsigned char *out)
{
    sum = _mm_srai_epi32(sum, PRECISION);
    sum = _mm_packs_epi32(sum, sum);
    int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
    memcpy(out, &bytes, 3);
}

AVX2 static void rows_avx2(const struct resample_axis *a, const unsigned char *rows, size_t stride,
                           unsigned char *out, size_t out_stride)
{
    const int32_t *weights = a->weights;
    uint32_t n = a->n, count = a->count;
    for (uint32_t x = 0; x < n; x++, weights += a->taps, out += 3) {
        const unsigned char *p = rows + (size_t)a->first[x] * 3;
        __m128i s0 = _mm_set1_epi32(HALF), s1 = s0, s2 = s0, s3 = s0;
        for (uint32_t k = 0; k < count; k++, p += 3) {
            __m128i w = _mm_set1_epi32(weights[k]);
            s0 = add_pixel(s0, p, w);
            s1 = add_pixel(s1, p + stride, w);
            s2 = add_pixel(s2, p + 2 * stride, w);
            s3 = add_pixel(s3, p + 3 * stride, w);
        }
        store_pixel(s0, out);
        store_pixel(s1, out + out_stride);
        store_pixel(s2, out + 2 * out_stride);
        store_pixel(s3, out + 3 * out_stride);
    }
}

AVX2 static inline __m256i add_bytes(__m256i sum, const unsigned char *p, __m256i weight)
{
    __m256i bytes = _mm256_cvtepu8_epi32(_mm_loadu_si64(p));
    return _mm256_add_epi32(sum, _mm256_mullo_epi32(bytes, weight));
}

/* Packing works within halves of 128 bits: the last step puts the quarters in their order. */
AVX2 static void block_avx2(const unsigned char *p, size_t stride, const int32_t *weights,
                            uint32_t count, unsigned char *out)
{
    __m256i s0 = _mm256_set1_epi32(HALF), s1 = s0, s2 = s0, s3 = s0;
    for (uint32_t k = 0; k < count; k++, p += stride) {
        __m256i w = _mm256_set1_epi32(weights[k]);
        s0 = add_bytes(s0, p, w);
        s1 = add_bytes(s1, p + 8, w);
        s2 = add_bytes(s2, p + 16, w);
        s3 = add_bytes(s3, p + 24, w);
    }
    __m256i low =
        _mm256_packs_epi32(_mm256_srai_epi32(s0, PRECISION), _mm256_srai_epi32(s1, PRECISION));
    __m256i high =
        _mm256_packs_epi32(_mm256_srai_epi32(s2, PRECISION), _mm256_srai_epi32(s3, PRECISION));
    __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
    _mm256_storeu_si256((void *)out, bytes);
}

#define CHOOSE(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name##_plain)
#else
#define CHOOSE(name) name##_plain
#endif

void resample_rows(const struct resample_axis *a, const unsigned char *rows, size_t stride,
                   unsigned char *out, size_t out_stride)
{
    CHOOSE(rows)(a, rows, stride, out, out_stride);
}

void resample_column(const struct resample_axis *a, uint32_t i, const unsigned char *rows,
                     size_t stride, size_t n, unsigned char *out)
{
    void (*block)(const unsigned char *, size_t, const int32_t *, uint32_t, unsigned char *) =
        CHOOSE(block);
    const unsigned char *p = rows + (size_t)a->first[i] * stride;
    const int32_t *weights = a->weights + (size_t)i * a->taps;
    size_t at = 0;
    for (; at + RESAMPLE_BLOCK <= n; at += RESAMPLE_BLOCK) {
        block(p + at, stride, weights, a->count, out + at);
    }
    if (at < n) {
        unsigned char last[RESAMPLE_BLOCK];
        block(p + at, stride, weights, a->count, last);
        memcpy(out + at, last, n - at);
    }
}
