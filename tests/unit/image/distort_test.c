/* distort_test.c - image/distort.h: what each change does to a picture of known pixels, and that chance comes from the
 * generator alone. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "image/distort.h"

enum { WIDTH = 200, HEIGHT = 100 };

static struct image ramp(void)
{
    struct image im = {.width = WIDTH, .height = HEIGHT, .data = malloc((size_t)WIDTH * HEIGHT * 3)};
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        im.data[3 * i] = (unsigned char)(40 + i % WIDTH / 2);
        im.data[3 * i + 1] = (unsigned char)(40 + i / WIDTH);
        im.data[3 * i + 2] = 100;
    }
    return im;
}

static struct image changed(const char *name, const struct image *in, uint64_t seed)
{
    struct image out = {0};
    struct err err = {0};
    struct rng r;
    size_t d = 0;
    rng_seed(&r, seed);
    while (strcmp(distortions[d].name, name) != 0) {
        d++;
        assert_true(d < DISTORTIONS);
    }
    assert_int_equal(distortions[d].make(in, &r, &out, &err), OK);
    return out;
}

static const unsigned char *at(const struct image *im, uint32_t x, uint32_t y)
{
    return im->data + ((size_t)y * im->width + x) * 3;
}

TEST(every_change_has_a_name_and_repeats)
{
    struct image in = ramp();
    for (size_t d = 0; d < DISTORTIONS; d++) {
        assert_true(d == 0 || strcmp(distortions[d - 1].name, distortions[d].name) < 0);
        struct image a = changed(distortions[d].name, &in, 5), b = changed(distortions[d].name, &in, 5);
        assert_int_equal(a.width, b.width);
        assert_int_equal(a.height, b.height);
        assert_memory_equal(a.data, b.data, (size_t)a.width * a.height * 3);
        assert_true(a.width != in.width || memcmp(a.data, in.data, (size_t)WIDTH * HEIGHT * 3) != 0);
        image_release(&a);
        image_release(&b);
    }
    image_release(&in);
}

TEST(moves)
{
    struct image in = ramp(), out = changed("mirror", &in, 1);
    assert_memory_equal(at(&out, 0, 7), at(&in, WIDTH - 1, 7), 3);
    assert_memory_equal(at(&out, WIDTH - 1, 99), at(&in, 0, 99), 3);
    image_release(&out);

    out = changed("crop", &in, 3);
    assert_int_equal(out.width, 170);
    assert_int_equal(out.height, 85);
    /* Somewhere in the picture, all of it: the ramps say where. */
    uint32_t x = (uint32_t)(at(&out, 0, 0)[0] - 40) * 2, y = at(&out, 0, 0)[1] - 40U;
    assert_true(x <= 30 && y <= 15);
    assert_int_equal(at(&out, 160, 84)[1], 40 + y + 84);
    image_release(&out);

    out = changed("shift", &in, 1);
    int down = at(&out, 100, 50)[1] - at(&in, 100, 50)[1], right = at(&out, 100, 50)[0] - at(&in, 100, 50)[0];
    assert_true((down == 3 || down == -3) && (right == 3 || right == -3));
    image_release(&out);

    out = changed("resize", &in, 1);
    assert_int_equal(out.width, 100);
    assert_int_equal(out.height, 50);
    image_release(&out);
    image_release(&in);
}

TEST(colours)
{
    struct image in = ramp(), out = changed("gray", &in, 1);
    const unsigned char *p = at(&in, 30, 40);
    for (int c = 0; c < 3; c++) {
        assert_int_equal(at(&out, 30, 40)[c], (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8);
    }
    image_release(&out);
    out = changed("brightness", &in, 1);
    int by = at(&out, 30, 40)[0] - p[0];
    assert_true(by == 25 || by == -25);
    assert_int_equal(at(&out, 150, 90)[1] - at(&in, 150, 90)[1], by);
    image_release(&out);
    out = changed("colour", &in, 2);
    for (int c = 0; c < 3; c++) {
        double gain = (double)at(&out, 150, 90)[c] / at(&in, 150, 90)[c];
        assert_true(gain > 0.79 && gain < 1.21);
    }
    image_release(&out);
    image_release(&in);
}

TEST(a_blur_keeps_the_mean)
{
    struct image in = {.width = 101, .height = 1, .data = calloc(101, 3)};
    memset(in.data + 50 * 3, 255, 3);
    struct image out = changed("blur", &in, 1);
    unsigned sum = 0;
    for (uint32_t x = 0; x < 101; x++) {
        sum += at(&out, x, 0)[0];
        assert_int_equal(at(&out, x, 0)[0], at(&out, 100 - x, 0)[0]);
    }
    assert_true(at(&out, 50, 0)[0] < 100 && at(&out, 50, 0)[0] > at(&out, 52, 0)[0]);
    assert_in_range(sum, 240, 270);
    image_release(&out);
    image_release(&in);
}

TEST(the_smallest_pictures)
{
    for (uint32_t side = 1; side <= 3; side++) {
        struct image in = {.width = side, .height = 1, .data = calloc(side, 3)};
        for (size_t d = 0; d < DISTORTIONS; d++) {
            struct image out = changed(distortions[d].name, &in, 1);
            assert_true(out.width >= 1 && out.height >= 1);
            image_release(&out);
        }
        image_release(&in);
    }
}
