/* resize_test.c - the filter against a plain double-precision one, and what must hold exactly. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "image/samples.h"

static struct image resize(const struct image *im, uint32_t width, uint32_t height)
{
    struct image out = {0};
    struct err err = {0};
    if (image_resize(im, width, height, &out, &err) != OK) {
        fail_msg("refused: %s", err.msg);
    }
    assert_int_equal(out.width, width);
    assert_int_equal(out.height, height);
    return out;
}

static double sinc(double x)
{
    const double pi = acos(-1);
    return fabs(x) < 1e-12 ? 1 : sin(pi * x) / (pi * x);
}

static double weight(uint32_t from, uint32_t to, uint32_t i, uint32_t k)
{
    double step = (double)from / to, scale = step > 1 ? step : 1;
    double x = (k + 0.5 - (i + 0.5) * step) / scale;
    return fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
}

/* The definition, pixel by pixel and without rounding between the directions. */
static double reference(const struct image *im, uint32_t w, uint32_t h, uint32_t x, uint32_t y,
                        int channel)
{
    double sum = 0, total = 0;
    for (uint32_t v = 0; v < im->height; v++) {
        double wv = weight(im->height, h, y, v);
        for (uint32_t u = 0; u < im->width && wv != 0; u++) {
            double both = wv * weight(im->width, w, x, u);
            sum += both * sample_pixel(im, u, v)[channel];
            total += both;
        }
    }
    return fmin(255, fmax(0, sum / total));
}

static void check_all(const struct image *im, uint32_t w, uint32_t h)
{
    struct image out = resize(im, w, h);
    for (uint32_t y = 0; y < h; y++) {
        for (uint32_t x = 0; x < w; x++) {
            for (int c = 0; c < 3; c++) {
                double want = reference(im, w, h, x, y, c), got = sample_pixel(&out, x, y)[c];
                if (fabs(got - want) > 0.65) {
                    fail_msg("%ux%u to %ux%u at %u,%u: %g, expected %.3f", im->width, im->height, w,
                             h, x, y, got, want);
                }
            }
        }
    }
    image_release(&out);
}

TEST(reference)
{
    static const uint32_t sizes[][4] = {{64, 48, 32, 24}, {61, 37, 20, 12}, {40, 30, 53, 41},
                                        {7, 5, 16, 16},   {90, 3, 8, 1},    {1, 1, 5, 4},
                                        {2, 50, 1, 3},    {33, 33, 33, 11}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct image photo = sample_photo(sizes[i][0], sizes[i][1], i);
        check_all(&photo, sizes[i][2], sizes[i][3]);
        image_release(&photo);
    }
}

/* Black and white beside each other: as far as the filter can overshoot. */
TEST(hard_edges)
{
    struct image im = sample_photo(48, 40, 1);
    for (size_t i = 0; i < 48 * 40 * 3; i++) {
        im.data[i] = (i / 3 / 4 + i / 3 / 48 / 5) % 2 ? 255 : 0;
    }
    check_all(&im, 31, 23);
    check_all(&im, 100, 57);
    image_release(&im);
}

TEST(same_size)
{
    struct image photo = sample_photo(71, 53, 1);
    struct image out = resize(&photo, 71, 53);
    assert_memory_equal(out.data, photo.data, 71 * 53 * 3);
    image_release(&out);
    image_release(&photo);
}

/* The weights add up to exactly one, so a plain surface keeps its color at any factor. */
TEST(flat)
{
    static const unsigned char rgb[] = {1, 128, 254};
    static const uint32_t sides[] = {1, 2, 3, 7, 100, 499, 3000};
    const size_t n = sizeof sides / sizeof sides[0];
    for (size_t i = 0; i < n * n; i++) {
        struct image flat = sample_flat(sides[i / n], 3, rgb);
        struct image out = resize(&flat, sides[i % n], 2);
        for (uint32_t x = 0; x < out.width; x++) {
            assert_pixel(&out, x, 1, 1, 128, 254, 0);
        }
        image_release(&out);
        image_release(&flat);
    }
}

/* A picture that is symmetric stays so, to the last bit. */
TEST(mirror)
{
    struct image im = sample_photo(64, 64, 1);
    for (uint32_t y = 0; y < 64; y++) {
        for (uint32_t x = 0; x < 96; x++) {
            uint32_t at = y * 192 + (63 - x / 3) * 3 + x % 3;
            im.data[at] = im.data[y * 192 + x];
        }
    }
    struct image out = resize(&im, 30, 30);
    for (uint32_t y = 0; y < 30; y++) {
        for (uint32_t x = 0; x < 15; x++) {
            const unsigned char *p = sample_pixel(&out, 29 - x, y);
            assert_pixel(&out, x, y, p[0], p[1], p[2], 1);
        }
    }
    image_release(&out);
    image_release(&im);
}

/* The same bytes on every machine: a checksum taken on x86-64 with gcc 12. */
TEST(stable)
{
    struct image im = sample_flat(200, 150, (const unsigned char[3]){0});
    for (uint32_t i = 0; i < 200 * 150 * 3; i++) {
        im.data[i] = (unsigned char)(i * 2654435761u >> 24);
    }
    struct image small = resize(&im, 83, 61), large = resize(&im, 301, 217);
    assert_true(hash_stable(small.data, 83 * 61 * 3) == 0x6b905756c3c5315b);
    assert_true(hash_stable(large.data, 301 * 217 * 3) == 0x42cf16df5710bb96);
    image_release(&large);
    image_release(&small);
    image_release(&im);
}
