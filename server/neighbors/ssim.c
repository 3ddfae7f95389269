/* ssim.c - windows are summed by sliding down (one row comes, one goes) and then across by doubling: sums of 2, 4, 8
 * ... neighbours, of which the window's side picks some. Written with the compiler's vectors, compiled for several
 * instruction sets; lanes are the same in all of them, so that sums of doubles are too. */
#include "neighbors/ssim.h"

#include <stdbool.h>
#include <string.h>

enum { CHANNELS = 3, LANES = 16, HALF = LANES / 2 };
typedef uint8_t bytes __attribute__((vector_size(LANES)));
typedef int32_t ints __attribute__((vector_size(LANES * 4)));
typedef int32_t half_ints __attribute__((vector_size(HALF * 4)));
typedef double doubles __attribute__((vector_size(HALF * 8)));

#define INLINE __attribute__((always_inline)) static inline

/* A row of a plane or of sums: what lies behind its end is read, and is 0 or does not count. */
static uint32_t stride_of(const struct ssim_shape *s)
{
    return (s->width + LANES - 1) / LANES * LANES + LANES;
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

size_t ssim_size(const struct ssim_shape *s)
{
    return CHANNELS * (plane_size(s) + 2 * windows_size(s) * sizeof(int32_t));
}

/* The sums down the columns of the rows on show, and the buffer in which they are added across; room for reading a
 * window behind the end of each. */
static size_t row_room(const struct ssim_shape *s)
{
    return stride_of(s) + (s->window + LANES) / LANES * LANES;
}

size_t ssim_scratch(const struct ssim_shape *s)
{
    return 3 * row_room(s) * sizeof(int32_t);
}

INLINE void load_products(const unsigned char *a, const unsigned char *b, ints *out)
{
    bytes x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    *out = __builtin_convertvector(x, ints) * __builtin_convertvector(y, ints);
}

/* Adds the products of a row, or takes those of another one away (NULL: none). */
INLINE void slide(int32_t *columns, uint32_t stride, const unsigned char *a, const unsigned char *b,
                  const unsigned char *gone_a, const unsigned char *gone_b)
{
    for (uint32_t x = 0; x < stride; x += LANES) {
        ints sum, come, gone;
        memcpy(&sum, columns + x, sizeof sum);
        load_products(a + x, b + x, &come);
        sum += come;
        if (gone_a) {
            load_products(gone_a + x, gone_b + x, &gone);
            sum -= gone;
        }
        memcpy(columns + x, &sum, sizeof sum);
    }
}

/* out[x] = columns[x] + ... + columns[x + window - 1]. `twice` holds the sums of 1, 2, 4 ... neighbours in turn. */
INLINE void across(const int32_t *columns, uint32_t stride, uint32_t window, int32_t *twice, int32_t *out)
{
    uint32_t at = 0;
    memcpy(twice, columns, stride * sizeof *twice);
    for (uint32_t span = 1; span <= window; span *= 2) {
        bool first = at == 0, more = span * 2 <= window;
        bool takes = window & span;
        for (uint32_t x = 0; x < stride; x += LANES) {
            ints sum, next;
            if (takes) {
                memcpy(&sum, twice + x + at, sizeof sum);
                if (!first) {
                    memcpy(&next, out + x, sizeof next);
                    sum += next;
                }
                memcpy(out + x, &sum, sizeof sum);
            }
        }
        at += takes ? span : 0;
        for (uint32_t x = 0; more && x < stride; x += LANES) {
            ints sum, next;
            memcpy(&sum, twice + x, sizeof sum);
            memcpy(&next, twice + x + span, sizeof next);
            sum += next;
            memcpy(twice + x, &sum, sizeof sum);
        }
    }
}

/* Of one row of windows. All but the division is exact: sums of squares stay below 2^31, what is made of them below
 * 2^53. What of the row is behind its last window counts 0 times. */
struct terms {
    double n, mean, spread, c1, c2; /* windows' bytes; what makes means of products of sums, and covariances of them */
};

static struct terms terms_of(const struct ssim_shape *s)
{
    double n = (double)s->window * s->window;
    return (struct terms){.n = n, .mean = 1 / (n * n), .spread = 1 / (n * (n - 1)),
                          .c1 = (.01 * 255) * (.01 * 255), .c2 = (.03 * 255) * (.03 * 255)};
}

INLINE void load_half(const int32_t *p, doubles *out)
{
    half_ints v;
    memcpy(&v, p, sizeof v);
    *out = __builtin_convertvector(v, doubles);
}

INLINE void add_row(const struct terms *t, uint32_t n, const int32_t *a, const int32_t *b, const int32_t *aa,
                    const int32_t *bb, const int32_t *ab, doubles *total)
{
    static const double counts[2 * HALF] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (uint32_t x = 0; x < n; x += HALF) {
        doubles sa, sb, saa, sbb, sab, counted;
        load_half(a + x, &sa);
        load_half(b + x, &sb);
        load_half(aa + x, &saa);
        load_half(bb + x, &sbb);
        load_half(ab + x, &sab);
        doubles product = sa * sb, both = sa * sa + sb * sb;
        doubles up = (2 * product * t->mean + t->c1) * (2 * (t->n * sab - product) * t->spread + t->c2);
        doubles down = (both * t->mean + t->c1) * ((t->n * (saa + sbb) - both) * t->spread + t->c2);
        memcpy(&counted, counts + (n - x < HALF ? HALF - (n - x) : 0), sizeof counted);
        *total += up / down * counted;
    }
}

INLINE double mean_of(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                      unsigned channel, int32_t *columns)
{
    const uint32_t stride = stride_of(s), n = s->width - s->window + 1, rows = windows_down(s);
    const unsigned char *pa = a->planes + channel * plane_size(s), *pb = b->planes + channel * plane_size(s);
    int32_t *twice = columns + row_room(s), *sums = twice + row_room(s);
    const struct terms terms = terms_of(s);
    doubles total = {0};
    memset(columns, 0, stride * sizeof *columns);
    for (uint32_t y = 0; y < s->window - 1; y++) {
        slide(columns, stride, pa + (size_t)y * stride, pb + (size_t)y * stride, NULL, NULL);
    }
    for (uint32_t y = 0; y < rows; y++) {
        size_t comes = (size_t)(y + s->window - 1) * stride, at = channel * windows_size(s) + (size_t)y * stride;
        const unsigned char *gone_a = y ? pa + (size_t)(y - 1) * stride : NULL;
        const unsigned char *gone_b = y ? pb + (size_t)(y - 1) * stride : NULL;
        slide(columns, stride, pa + comes, pb + comes, gone_a, gone_b);
        across(columns, stride, s->window, twice, sums);
        add_row(&terms, n, a->sums + at, b->sums + at, a->squares + at, b->squares + at, sums, &total);
    }
    double sum = 0;
    for (int i = 0; i < HALF; i++) {
        sum += total[i];
    }
    return sum / ((double)n * rows);
}

INLINE double distance_of(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                          int32_t *scratch)
{
    double sum = 0;
    for (unsigned channel = 0; channel < CHANNELS; channel++) {
        sum += mean_of(s, a, b, channel, scratch);
    }
    return (1 - sum / CHANNELS) / 2;
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static double
distance_avx512(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b, int32_t *scratch)
{
    return distance_of(s, a, b, scratch);
}

__attribute__((target("avx2"))) static double
distance_avx2(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b, int32_t *scratch)
{
    return distance_of(s, a, b, scratch);
}
#endif

double ssim_distance(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                     void *scratch)
{
    memset(scratch, 0, ssim_scratch(s));
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return distance_avx512(s, a, b, scratch);
    }
    if (__builtin_cpu_supports("avx2")) {
        return distance_avx2(s, a, b, scratch);
    }
#endif
    return distance_of(s, a, b, scratch);
}

/* ------------------------------------------------------------------ before pairs */

static void sum_windows(const struct ssim_shape *s, const unsigned char *a, const unsigned char *b, size_t step_b,
                        int32_t *columns, int32_t *out)
{
    const uint32_t stride = stride_of(s);
    memset(columns, 0, row_room(s) * sizeof *columns);
    for (uint32_t y = 0; y < s->height; y++) {
        const unsigned char *gone_a = NULL, *gone_b = NULL;
        if (y >= s->window) {
            gone_a = a + (size_t)(y - s->window) * stride;
            gone_b = b + (size_t)(y - s->window) * step_b;
        }
        slide(columns, stride, a + (size_t)y * stride, b + (size_t)y * step_b, gone_a, gone_b);
        if (y >= s->window - 1) {
            across(columns, stride, s->window, columns + row_room(s),
                   out + (size_t)(y - s->window + 1) * stride);
        }
    }
}

void ssim_prepare(const struct ssim_shape *s, const unsigned char *rgb, void *room, struct ssim_picture *out)
{
    unsigned char ones[SSIM_SIDE_MOST + 2 * LANES];
    int32_t scratch[2 * (SSIM_SIDE_MOST + 2 * LANES + SSIM_WINDOW_MOST + LANES)] = {0};
    const uint32_t stride = stride_of(s);
    int32_t *sums = room, *squares = sums + CHANNELS * windows_size(s);
    unsigned char *planes = (unsigned char *)(squares + CHANNELS * windows_size(s));
    memset(planes, 0, CHANNELS * plane_size(s));
    memset(ones, 1, sizeof ones);
    for (unsigned channel = 0; channel < CHANNELS; channel++) {
        unsigned char *plane = planes + channel * plane_size(s);
        for (uint32_t y = 0; y < s->height; y++) {
            for (uint32_t x = 0; x < s->width; x++) {
                plane[(size_t)y * stride + x] = rgb[((size_t)y * s->width + x) * CHANNELS + channel];
            }
        }
        sum_windows(s, plane, ones, 0, scratch, sums + channel * windows_size(s));
        sum_windows(s, plane, plane, stride, scratch, squares + channel * windows_size(s));
    }
    *out = (struct ssim_picture){planes, sums, squares};
}
