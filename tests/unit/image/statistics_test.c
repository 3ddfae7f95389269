/* statistics_test.c - image/statistics.h against values computed by hand, and against a plain
 * computation in floating point. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/samples.h"
#include "image/statistics.h"

static void near(double got, double want, double slack)
{
    if (fabs(got - want) > slack) {
        fail_msg("%.9g, expected %.9g", got, want);
    }
}

static struct image_statistics of(struct image *im)
{
    struct image_statistics s;
    image_statistics(im, &s);
    image_release(im);
    return s;
}

TEST(flat)
{
    /* rgb, gray, saturation, luma of 0..255 */
    static const struct {
        unsigned char rgb[3];
        bool gray;
        double saturation, luma;
    } cases[] = {
        {{0, 0, 0}, true, 0, 0},           {{255, 255, 255}, true, 0, 255},
        {{100, 100, 100}, true, 0, 100},   {{108, 100, 104}, true, 8.0 / 108, 103},
        {{109, 100, 104}, false, 9.0 / 109, 103}, {{200, 100, 50}, false, 0.75, 124},
        {{255, 0, 0}, false, 1, 77},       {{0, 255, 0}, false, 1, 149},
        {{0, 0, 255}, false, 1, 29},       {{14, 0, 0}, false, 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct image im = sample_flat(31, 17, cases[i].rgb);
        struct image_statistics s = of(&im);
        assert_int_equal(s.gray, cases[i].gray);
        near(s.saturation, cases[i].saturation, 1e-7);
        assert_true(s.saturation <= 1);
        near(s.brightness, cases[i].luma / 255, 1e-12);
        near(s.sharpness, 0, 1e-12);
    }
}

static struct image gray_picture(uint32_t width, uint32_t height, const unsigned char *luma)
{
    struct image im = sample_flat(width, height, (const unsigned char *)"\0\0");
    for (size_t i = 0; i < (size_t)width * height; i++) {
        memset(im.data + i * 3, luma[i], 3);
    }
    return im;
}

/* The Laplacian of a lone 10 is -40 on it and 10 on its four neighbours. */
TEST(sharpness)
{
    static const unsigned char dot[5 * 5] = {[12] = 10}, one[3 * 3] = {[4] = 10},
                               ramp[4 * 3] = {0, 10, 20, 30, 0, 10, 20, 30, 0, 10, 20, 30},
                               wide[2 * 4] = {0, 255, 0, 255, 0, 255, 0, 255};
    struct image im = gray_picture(5, 5, dot);
    near(of(&im).sharpness, (1600 + 4 * 100) / 9.0, 1e-9); /* the nine add up to 0 */
    im = gray_picture(3, 3, one);
    near(of(&im).sharpness, 0, 1e-9); /* one value has no variance */
    im = gray_picture(4, 3, ramp);
    near(of(&im).sharpness, 0, 1e-9);
    im = gray_picture(2, 4, wide);
    near(of(&im).sharpness, 0, 1e-9); /* nothing lies inside the border */
    im = gray_picture(4, 2, wide);
    near(of(&im).sharpness, 0, 1e-9);
}

static double luma_at(const struct image *im, uint32_t x, uint32_t y)
{
    const unsigned char *p = sample_pixel(im, x, y);
    return floor((77.0 * p[0] + 150.0 * p[1] + 29.0 * p[2] + 128) / 256);
}

TEST(photo)
{
    struct image im = sample_photo(211, 97, 3);
    double saturation = 0, luma = 0, sum = 0, squares = 0, n = 211 * 97, inside = 209 * 95;
    for (uint32_t y = 0; y < im.height; y++) {
        for (uint32_t x = 0; x < im.width; x++) {
            const unsigned char *p = sample_pixel(&im, x, y);
            double most = fmax(fmax(p[0], p[1]), p[2]), least = fmin(fmin(p[0], p[1]), p[2]);
            saturation += most > 0 ? (most - least) / most : 0;
            luma += luma_at(&im, x, y);
            if (x && y && x + 1 < im.width && y + 1 < im.height) {
                double v = luma_at(&im, x - 1, y) + luma_at(&im, x + 1, y) +
                           luma_at(&im, x, y - 1) + luma_at(&im, x, y + 1) -
                           4 * luma_at(&im, x, y);
                sum += v;
                squares += v * v;
            }
        }
    }
    struct image_statistics s = of(&im);
    assert_false(s.gray);
    near(s.saturation, saturation / n, 1e-6);
    near(s.brightness, luma / n / 255, 1e-12);
    near(s.sharpness, squares / inside - sum / inside * (sum / inside), 1e-6);
}

/* Black and white stripes of one pixel have the largest values there are; no sum overflows. */
TEST(extremes)
{
    uint32_t width = 4096, height = 64;
    struct image im = sample_flat(width, height, (const unsigned char *)"\0\0");
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            memset(im.data + ((size_t)y * width + x) * 3, (x + y) % 2 ? 255 : 0, 3);
        }
    }
    struct image_statistics s = of(&im);
    assert_true(s.gray);
    near(s.sharpness, 1020.0 * 1020, 1e-6);
    near(s.brightness, 0.5, 1e-12);
}
