/* ssim.c - windows are summed by sliding down (one row comes, one goes) and then across by sums from the left edge on,
 * whose differences they are. Written with the compiler's vectors in ssim_rows.h, for each width that processors have:
 * the compiler splits wider ones into single numbers. */
#include "neighbors/ssim.h"
#include "neighbors/ssim_rows.h" /* what all have in common, before anything is compiled for some */

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#define LANES 16
#define WIDE(name) name##_avx512
#include "neighbors/ssim_rows.h"
#undef LANES
#undef WIDE
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2")
#define LANES 8
#define WIDE(name) name##_avx2
#include "neighbors/ssim_rows.h"
#undef LANES
#undef WIDE
#pragma GCC pop_options
#endif
#define LANES 8
#define WIDE(name) name##_base
#include "neighbors/ssim_rows.h"

size_t ssim_size(const struct ssim_shape *s)
{
    return CHANNELS * (plane_size(s) + 2 * windows_size(s) * sizeof(int32_t));
}

size_t ssim_scratch(const struct ssim_shape *s)
{
    return 3 * row_room(s) * sizeof(int32_t);
}

double ssim_distance(const struct ssim_shape *s, const struct ssim_picture *a, const struct ssim_picture *b,
                     void *scratch)
{
    memset(scratch, 0, ssim_scratch(s));
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return distance_of_avx512(s, a, b, scratch);
    }
    if (__builtin_cpu_supports("avx2")) {
        return distance_of_avx2(s, a, b, scratch);
    }
#endif
    return distance_of_base(s, a, b, scratch);
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
        slide_base(columns, stride, a + (size_t)y * stride, b + (size_t)y * step_b, gone_a, gone_b);
        if (y >= s->window - 1) {
            across_base(columns, stride, s->window, columns + row_room(s),
                   out + (size_t)(y - s->window + 1) * stride);
        }
    }
}

void ssim_prepare(const struct ssim_shape *s, const unsigned char *rgb, void *room, struct ssim_picture *out)
{
    unsigned char ones[SSIM_SIDE_MOST + 2 * PADDED];
    int32_t scratch[2 * (SSIM_SIDE_MOST + 3 * PADDED)] = {0};
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
