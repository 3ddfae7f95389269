/* depthwise.h - convolution of each channel with its own small kernel, channels last.
 *
 * Part of the bodies that avx512.c, avx2.c and base.c compile. TILE results of
 * an output row are kept in registers while the inputs they share are read; a tile takes its
 * vectors of channels in their order in memory, which the prefetcher likes, and only so many
 * channels in one pass over the picture that the kernel's rows of input stay in the first cache.
 * Sides of ImageNet networks are multiples of 7, hence the tile. Where fewer than a tile or a
 * vector are left, the last one is moved back and computes some results again: the same values, no
 * tails. */
#ifndef INFER_KERNELS_DEPTHWISE_H
#define INFER_KERNELS_DEPTHWISE_H

#include "infer/kernels/act.h"
#include "infer/kernels/kernel.h"

enum {
    TILE = 7,
    SMALL_TILE = 4,
    WIDEST = 7,
    CACHE_FLOATS = 6000,
    GROUP = 64 /* channels, at least */
};

/* What is the same for all results of one output row. */
struct strip {
    const struct depthwise *d;
    const float *x, *w, *bias; /* x, w: of the first kernel row that lies in the picture */
    float *y;
    int64_t rows;                   /* kernel rows that do */
    int64_t x_row, w_row, from, to; /* channels */
    struct bounds bounds;
};

/* `tile` results from column `at` on of a kernel `wide` columns wide, for VN channels. `edge`: some
 * inputs lie outside. */
KERNEL_INLINE void tile_run(const int tile, const int wide, const int stride, bool edge,
                            const struct strip *s, int64_t at, int64_t channel)
{
    vf sum[TILE];
    const struct depthwise *d = s->d;
    const int64_t first = at * stride - d->before[1], width = d->width, rows = s->rows,
                  channels = d->channels;
    const int64_t x_pixel = d->x_pixel, y_pixel = d->y_pixel, x_row = s->x_row, w_row = s->w_row;
    const float *x = s->x + first * x_pixel + channel, *w = s->w + channel;
    const vf low = v_all(s->bounds.low), high = v_all(s->bounds.high);
    float *y = s->y + at * y_pixel + channel;
    sum[0] = s->bias ? v_load(s->bias + channel) : v_all(0.0f);
#pragma GCC unroll 8
    for (int t = 1; t < tile; t++) {
        sum[t] = sum[0];
    }
    for (int64_t r = 0; r < rows; r++, x += x_row, w += w_row) {
        vf weight[WIDEST];
#pragma GCC unroll 8
        for (int k = 0; k < wide; k++) {
            weight[k] = v_load(w + k * channels);
        }
#pragma GCC unroll 32
        for (int j = 0; j < (tile - 1) * stride + wide; j++) {
            if (edge && (uint64_t)(first + j) >= (uint64_t)width) {
                continue;
            }
            vf v = v_load(x + j * x_pixel);
#pragma GCC unroll 8
            for (int k = 0; k < wide; k++) {
                if (j >= k && (j - k) % stride == 0 && (j - k) / stride < tile) {
                    sum[(j - k) / stride] = v_fma(v, weight[k], sum[(j - k) / stride]);
                }
            }
        }
    }
#pragma GCC unroll 8
    for (int t = 0; t < tile; t++) {
        v_store(y + t * y_pixel, v_min(high, v_max(low, sum[t])));
    }
}

KERNEL_INLINE void strip_tiles(const int tile, const int wide, const int stride,
                               const struct strip *s)
{
    const int64_t width = s->d->out_width;
    for (int64_t at = 0; at < width; at += tile) {
        at = at + tile <= width ? at : width - tile;
        int64_t first = at * stride - s->d->before[1];
        bool edge = first < 0 || first + (tile - 1) * stride + wide > s->d->width;
        for (int64_t c = s->from; c < s->to; c += VN) {
            c = c + VN <= s->to ? c : s->to - VN;
            if (edge) {
                tile_run(tile, wide, stride, true, s, at, c);
            } else {
                tile_run(tile, wide, stride, false, s, at, c);
            }
        }
    }
}

#define STRIP(wide, stride)                                                                        \
    KERNEL static void strip_##wide##_##stride(const struct strip *s)                              \
    {                                                                                              \
        if (s->d->out_width % TILE == 0 || s->d->out_width > 4 * TILE) {                           \
            strip_tiles(TILE, wide, stride, s);                                                    \
        } else {                                                                                   \
            strip_tiles(SMALL_TILE, wide, stride, s);                                              \
        }                                                                                          \
    }
STRIP(3, 1)
STRIP(3, 2)
STRIP(5, 1)
STRIP(5, 2)
STRIP(7, 1)
#undef STRIP

/* n channels of one result, n at most VN; the others of the vector are computed from zeros. */
KERNEL_INLINE void pixel_run(const struct strip *s, int64_t at, int64_t channel, int64_t n)
{
    const struct depthwise *d = s->d;
    const vf none = v_all(0.0f);
    vf sum = s->bias ? v_load_part(s->bias + channel, n, none) : none;
    for (int64_t r = 0; r < s->rows; r++) {
        const float *x = s->x + r * s->x_row + channel, *w = s->w + r * s->w_row + channel;
        for (int64_t k = 0; k < d->kernel[1]; k++) {
            int64_t column = at * d->stride[1] - d->before[1] + k * d->dilation[1];
            if (column >= 0 && column < d->width) {
                vf v = v_load_part(x + column * d->x_pixel, n, none);
                sum = v_fma(v, v_load_part(w + k * d->channels, n, none), sum);
            }
        }
    }
    v_store_part(s->y + at * d->y_pixel + channel, n, v_bound(s->bounds, sum));
}

/* Any stride, width, dilation and number of channels. */
KERNEL static void strip_any(const struct strip *s)
{
    for (int64_t at = 0; at < s->d->out_width; at++) {
        int64_t c = s->from;
        for (; c + VN <= s->to; c += VN) {
            pixel_run(s, at, c, VN);
        }
        if (c < s->to) {
            pixel_run(s, at, c, s->to - c);
        }
    }
}

typedef void strip_fn(const struct strip *s);

KERNEL static strip_fn *strip_for(const struct depthwise *d)
{
    static const struct {
        int64_t wide, stride;
        strip_fn *fn;
    } made[] = {{3, 1, strip_3_1},
                {3, 2, strip_3_2},
                {5, 1, strip_5_1},
                {5, 2, strip_5_2},
                {7, 1, strip_7_1}};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        if (made[i].wide == d->kernel[1] && made[i].stride == d->stride[1] && d->dilation[1] == 1 &&
            d->channels >= VN && d->out_width >= SMALL_TILE) {
            return made[i].fn;
        }
    }
    return strip_any;
}

/* The kernel rows of output row `row` that lie in the picture. */
KERNEL static void strip_place(struct strip *s, int64_t row, const float *x, const float *weights,
                               float *y)
{
    const struct depthwise *d = s->d;
    int64_t top = row * d->stride[0] - d->before[0], skip = 0, end = d->kernel[0];
    while (skip < end && top + skip * d->dilation[0] < 0) {
        skip++;
    }
    while (end > skip && top + (end - 1) * d->dilation[0] >= d->height) {
        end--;
    }
    s->rows = end - skip;
    s->x = s->rows ? x + (top + skip * d->dilation[0]) * d->width * d->x_pixel : x;
    s->w = weights + skip * s->w_row;
    s->y = y + row * d->out_width * d->y_pixel;
}

KERNEL static void depthwise(const struct depthwise *d, const float *x, const float *weights,
                             const float *bias, float *y)
{
    strip_fn *fn = strip_for(d);
    struct strip s = {.d = d,
                      .bias = bias,
                      .x_row = d->dilation[0] * d->width * d->x_pixel,
                      .w_row = d->kernel[1] * d->channels,
                      .bounds = bounds_of(&d->act)};
    int64_t group = CACHE_FLOATS / (d->kernel[0] * d->width) / GROUP * GROUP;
    if (group == 0) {
        group = d->channels;
    }
    for (; s.from < d->channels; s.from = s.to) {
        s.to = d->channels - s.from < group + VN ? d->channels : s.from + group;
        for (int64_t row = 0; row < d->out_height; row++) {
            strip_place(&s, row, x, weights, y);
            fn(&s);
            if (s.bounds.more) {
                float *made = s.y + s.from;
                activate(d->out_width, s.to - s.from, made, d->y_pixel, made, d->y_pixel, &d->act);
            }
        }
    }
}

#endif
