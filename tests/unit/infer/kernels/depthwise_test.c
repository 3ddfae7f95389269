/* depthwise_test.c - depthwise convolution of every instruction set against plain loops in
 * doubles: kernel sizes with and without a form of their own, strides, padding on each side,
 * dilation, channels that fill no vector, pixels with room between them, and the same bits at every
 * place of a batch. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "infer/kernels/kernel.h"

enum { GUARD = 32 };
static const float GUARD_VALUE = 12345.5f;
static const struct kernels *const *list;
static size_t n_list;
static struct rng rng;

static float *random_floats(int64_t n)
{
    float *x = malloc((size_t)(n + 1) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)(rng_unit(&rng) * 2 - 1);
    }
    return x;
}

static double after(const struct activation *act, double v)
{
    return act->fn == FN_CLIP         ? fmin(fmax(v, (double)act->a), (double)act->b)
           : act->fn == FN_RELU       ? fmax(v, 0)
           : act->fn == FN_SWISH      ? v / (1 + exp(-v))
           : act->fn == FN_HARD_SWISH ? v * fmin(1, fmax(0, v / 6 + 0.5))
                                      : v;
}

/* Channel c of the result at (row, column); weights as in ONNX: channels x kernel. */
static double reference(const struct depthwise *d, const float *x, const float *w,
                        const float *bias, int64_t row, int64_t column, int64_t c)
{
    double sum = bias ? (double)bias[c] : 0;
    for (int64_t i = 0; i < d->kernel[0]; i++) {
        for (int64_t k = 0; k < d->kernel[1]; k++) {
            int64_t y = row * d->stride[0] - d->before[0] + i * d->dilation[0];
            int64_t z = column * d->stride[1] - d->before[1] + k * d->dilation[1];
            if (y >= 0 && y < d->height && z >= 0 && z < d->width) {
                sum += (double)x[(y * d->width + z) * d->x_pixel + c] *
                       (double)w[(c * d->kernel[0] + i) * d->kernel[1] + k];
            }
        }
    }
    return after(&d->act, sum);
}

static void check(const struct depthwise *d, bool with_bias)
{
    int64_t size = d->kernel[0] * d->kernel[1], made = d->out_height * d->out_width * d->y_pixel;
    float *x = random_floats(d->height * d->width * d->x_pixel),
          *w = random_floats(d->channels * size);
    float *turned = random_floats(d->channels * size), *some = random_floats(d->channels);
    float *y = random_floats(made + 2 * GUARD), *bias = with_bias ? some : NULL;
    kernel_depthwise_weights(d->channels, size, w, turned);
    for (size_t i = 0; i < n_list; i++) {
        for (int64_t k = 0; k < made + 2 * GUARD; k++) {
            y[k] = GUARD_VALUE;
        }
        list[i]->depthwise(d, x, turned, bias, y + GUARD);
        for (int64_t k = -GUARD; k < made + GUARD; k++) {
            int64_t pixel = k / d->y_pixel, c = k % d->y_pixel;
            bool mine = k >= 0 && k < made && c < d->channels;
            double want =
                mine ? reference(d, x, w, bias, pixel / d->out_width, pixel % d->out_width, c)
                     : (double)GUARD_VALUE;
            if (!(fabs((double)y[GUARD + k] - want) <= (mine ? 1e-5 : 0))) {
                fail_msg("%s: %ld channels, %ld x %ld, kernel %ld x %ld, stride %ld, dilation %ld: "
                         "[%ld] is %g, not %g",
                         list[i]->name, (long)d->channels, (long)d->height, (long)d->width,
                         (long)d->kernel[0], (long)d->kernel[1], (long)d->stride[0],
                         (long)d->dilation[0], (long)k, (double)y[GUARD + k], want);
            }
        }
    }
    free(x);
    free(w);
    free(turned);
    free(some);
    free(y);
}

static int64_t below(int64_t n)
{
    return (int64_t)rng_below(&rng, (uint64_t)n);
}

/* The result's size for random padding on both sides; false: nothing is left. */
static bool place(struct depthwise *d, int axis, int64_t size, int64_t *out)
{
    int64_t reach = (d->kernel[axis] - 1) * d->dilation[axis] + 1, most = d->kernel[axis];
    d->before[axis] = below(most + 1);
    int64_t room = size + d->before[axis] + below(most + 1) - reach;
    *out = room / d->stride[axis] + 1;
    return room >= 0;
}

TEST(random_windows)
{
    static const int64_t channels[] = {1, 3, 4, 7, 8, 16, 17, 24, 32, 40, 116};
    static const int64_t kernels_made[] = {3, 5, 7, 1, 2, 4};
    static const struct activation acts[] = {{FN_NONE, 0, 0},
                                             {FN_RELU, 0, 0},
                                             {FN_CLIP, 0, 0.5f},
                                             {FN_SWISH, 0, 0},
                                             {FN_HARD_SWISH, 0, 0}};
    for (int i = 0; i < 400; i++) {
        int64_t k = kernels_made[i % 6], s = 1 + i / 6 % 2;
        struct depthwise d = {.channels = channels[below(11)],
                              .height = 1 + below(13),
                              .width = 1 + below(33),
                              .kernel = {k, i % 11 ? k : 1 + below(4)},
                              .stride = {s, i % 13 ? s : 3},
                              .dilation = {1 + (i % 5 == 0), 1 + (i % 7 == 0)},
                              .act = acts[i % 5]};
        d.x_pixel = d.channels + (i % 3 ? 0 : 5);
        d.y_pixel = d.channels + (i % 4 ? 0 : 9);
        if (place(&d, 0, d.height, &d.out_height) && place(&d, 1, d.width, &d.out_width)) {
            check(&d, i % 8 != 0);
        }
    }
}

/* Layers as they are in networks: whole tiles, groups of channels, a last group that is no vector.
 */
TEST(layers)
{
    static const int64_t layers[][4] = {/* channels, side, kernel, stride */
                                        {32, 28, 3, 1},  {24, 56, 3, 2}, {144, 14, 5, 1},
                                        {240, 14, 5, 2}, {96, 14, 7, 1}, {672, 7, 5, 1},
                                        {260, 8, 3, 1},  {201, 15, 3, 2}};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        int64_t c = layers[i][0], side = layers[i][1], k = layers[i][2], s = layers[i][3];
        int64_t out = (side + k / 2 * 2 - k) / s + 1;
        struct depthwise d = {c,      side,   side,           out, out, {k, k},
                              {s, s}, {1, 1}, {k / 2, k / 2}, c,   c,   {FN_CLIP, 0, 6}};
        check(&d, true);
    }
}

TEST(same_bits)
{
    struct depthwise d = {40,     9,      11,     9,  11, {3, 3},
                          {1, 1}, {1, 1}, {1, 1}, 40, 40, {FN_SWISH, 0, 0}};
    enum { SIZE = 9 * 11 * 40 };
    float *x = random_floats(SIZE + 8), *w = random_floats(9 * 40), *y = random_floats(SIZE),
          *again = random_floats(SIZE + 8), *moved = random_floats(SIZE + 8);
    for (size_t i = 0; i < n_list; i++) {
        list[i]->depthwise(&d, x, w, NULL, y);
        for (int at = 0; at < 8; at++) {
            memcpy(moved + at, x, SIZE * sizeof *x);
            list[i]->depthwise(&d, moved + at, w, NULL, again + at);
            assert_memory_equal(again + at, y, SIZE * sizeof *y);
        }
    }
    free(x);
    free(w);
    free(y);
    free(again);
    free(moved);
}

static int setup(void **state)
{
    (void)state;
    n_list = kernels_all(&list);
    rng_seed(&rng, 6);
    return 0;
}

TESTS_SHARE(setup, NULL)
