/* preprocess_test.c - against a plain version in doubles, and the way row by row through a JPEG against the way
 * through the whole picture. That the bytes are Pillow's own is tests/golden's. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "image/preprocess.h"
#include "image/samples.h"

static const struct preprocess plain = {.scale = 255, .std = {1, 1, 1}};

static unsigned char *run(const struct str *file, const struct preprocess *how)
{
    struct preprocess_room room = {0};
    struct err err = {0};
    unsigned char *out = xmalloc((size_t)how->crop * how->crop * 3);
    if (preprocess_bytes(file->p, file->n, how, &sample_limits, &room, out, &err) != OK) {
        fail_msg("refused: %s", err.msg);
    }
    preprocess_room_release(&room);
    return out;
}

static enum err_code refusal(const struct str *file, const struct preprocess *how, struct err *err)
{
    struct preprocess_room room = {0};
    unsigned char *out = xmalloc((size_t)how->crop * how->crop * 3);
    enum err_code rc = preprocess_bytes(file->p, file->n, how, &sample_limits, &room, out, err);
    preprocess_room_release(&room);
    free(out);
    return rc;
}

static struct str png_of(const struct image *im)
{
    struct str out;
    struct err err = {0};
    str_init(&out, 64 << 20);
    assert_int_equal(image_encode_png(im, &out, &err), OK);
    return out;
}

/* ---- the filters ---- */

static double weight(enum preprocess_filter f, double x)
{
    const double pi = acos(-1), a = fabs(x);
    switch (f) {
    case FILTER_BILINEAR: return a < 1 ? 1 - a : 0;
    case FILTER_BICUBIC:
        return a < 1 ? 1.5 * a * a * a - 2.5 * a * a + 1 : a < 2 ? -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2 : 0;
    case FILTER_LANCZOS: return a < 1e-9 ? 1 : a < 3 ? 3 * sin(pi * a) * sin(pi * a / 3) / (pi * pi * a * a) : 0;
    case FILTER_NEAREST: break;
    }
    return a <= 0.5;
}

/* One output of an axis of `from` inputs that become `to`, rounded to a byte. */
static double filtered(enum preprocess_filter f, uint32_t from, uint32_t to, uint32_t at, const double *in)
{
    double step = (double)from / to, wide = step > 1 ? step : 1, sum = 0, total = 0;
    if (f == FILTER_NEAREST) {
        return in[(uint32_t)((at + 0.5) * step)];
    }
    for (uint32_t k = 0; k < from; k++) {
        double w = weight(f, (k + 0.5 - (at + 0.5) * step) / wide);
        sum += w * in[k];
        total += w;
    }
    return fmin(255, fmax(0, floor(sum / total + 0.5)));
}

/* Pixel (x, y), channel c of the picture resized to w x h: across first, in bytes, then down. */
static double reference(const struct image *im, enum preprocess_filter f, uint32_t w, uint32_t h, uint32_t x,
                        uint32_t y, int c)
{
    double *row = xcalloc(im->width, sizeof *row), *column = xcalloc(im->height, sizeof *column);
    for (uint32_t v = 0; v < im->height; v++) {
        for (uint32_t u = 0; u < im->width; u++) {
            row[u] = sample_pixel(im, u, v)[c];
        }
        column[v] = filtered(f, im->width, w, x, row);
    }
    double out = filtered(f, im->height, h, y, column);
    free(row);
    free(column);
    return out;
}

TEST(filters)
{
    static const uint32_t sizes[][4] = {/* width, height, resize, crop */
        {57, 40, 24, 20}, {40, 57, 24, 20}, {23, 31, 40, 32}, {90, 30, 30, 30}, {30, 30, 30, 17}, {200, 37, 9, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t w = sizes[i][0], h = sizes[i][1], r = sizes[i][2], crop = sizes[i][3];
        uint32_t to_w = w <= h ? r : r * w / h, to_h = w <= h ? r * h / w : r;
        uint32_t left = (uint32_t)nearbyint((to_w - crop) / 2.0), top = (uint32_t)nearbyint((to_h - crop) / 2.0);
        struct image im = sample_photo(w, h, i + 1);
        struct str file = png_of(&im);
        for (int f = FILTER_BILINEAR; f <= FILTER_LANCZOS; f++) {
            struct preprocess how = plain;
            how.resize = r;
            how.crop = crop;
            how.filter = (enum preprocess_filter)f;
            unsigned char *out = run(&file, &how);
            for (uint32_t k = 0; k < crop * crop; k += 23) {
                for (int c = 0; c < 3; c++) {
                    double want = reference(&im, how.filter, to_w, to_h, left + k % crop, top + k / crop, c);
                    assert_true(fabs(out[k * 3 + (uint32_t)c] - want) <= 1);
                }
            }
            free(out);
        }
        str_release(&file);
        image_release(&im);
    }
}

TEST(same_size_is_a_copy)
{
    struct image im = sample_photo(40, 40, 3);
    struct str file = png_of(&im);
    for (int f = FILTER_BILINEAR; f <= FILTER_LANCZOS; f++) {
        struct preprocess how = plain;
        how.crop = 40;
        how.resize = f == FILTER_NEAREST ? 0 : 40;
        how.filter = (enum preprocess_filter)f;
        unsigned char *out = run(&file, &how);
        assert_memory_equal(out, im.data, 40 * 40 * 3);
        free(out);
    }
    str_release(&file);
    image_release(&im);
}

/* ---- the crop ---- */

/* Python's round() goes to the even number: of 3 surplus pixels 2 are cut off at the left, of 1 none. */
TEST(crop_rounds_as_python)
{
    static const uint32_t surplus[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 2}, {7, 4}, {9, 4}, {11, 6}};
    for (size_t i = 0; i < sizeof surplus / sizeof *surplus; i++) {
        uint32_t crop = 8, side = crop + surplus[i][0];
        struct image im = sample_photo(side, side, 9);
        struct str file = png_of(&im);
        struct preprocess how = plain;
        how.crop = crop;
        unsigned char *out = run(&file, &how);
        assert_memory_equal(out, sample_pixel(&im, surplus[i][1], surplus[i][1]), (size_t)crop * 3);
        free(out);
        str_release(&file);
        image_release(&im);
    }
}

TEST(small_images_get_a_black_border)
{
    struct image im = sample_flat(5, 20, (const unsigned char *)"\x50\x60\x70");
    struct str file = png_of(&im);
    struct preprocess how = plain;
    how.crop = 12;
    unsigned char *out = run(&file, &how);
    for (uint32_t y = 0; y < 12; y++) {
        for (uint32_t x = 0; x < 12; x++) {
            bool inside = x >= 3 && x < 8; /* (12 - 5) / 2 on the left, the odd pixel on the right */
            assert_memory_equal(out + (y * 12 + x) * 3, inside ? "\x50\x60\x70" : "\0\0\0", 3);
        }
    }
    free(out);
    str_release(&file);
    image_release(&im);
}

TEST(exact_size)
{
    struct preprocess how = plain;
    how.crop = 32;
    how.exact = true;
    for (uint32_t side = 31; side <= 33; side++) {
        struct image im = sample_photo(side, 32, 1);
        struct str file = png_of(&im);
        struct err err = {0};
        assert_int_equal(refusal(&file, &how, &err), side == 32 ? OK : ERR_INPUT);
        assert_string_equal(err.rule, side == 32 ? "" : "image-exact");
        str_release(&file);
        image_release(&im);
    }
}

/* ---- JPEG row by row ---- */

static void same_both_ways(const struct str *jpeg, const struct preprocess *how)
{
    struct image whole = {0};
    struct err err = {0};
    assert_int_equal(image_decode(jpeg->p, jpeg->n, IMAGE_FOR_MODELS, 0, &sample_limits, &whole, &err), OK);
    struct str png = png_of(&whole);
    unsigned char *a = run(jpeg, how), *b = run(&png, how);
    assert_memory_equal(a, b, (size_t)how->crop * how->crop * 3);
    free(a);
    free(b);
    str_release(&png);
    image_release(&whole);
}

static struct preprocess any_way(struct rng *r)
{
    struct preprocess how = plain;
    how.resize = (uint32_t)rng_below(r, 3) ? 16 + (uint32_t)rng_below(r, 200) : 0;
    how.crop = 1 + (uint32_t)rng_below(r, how.resize ? how.resize + 20 : 150);
    how.filter = (enum preprocess_filter)rng_below(r, 4);
    return how;
}

TEST(rows_of_a_jpeg)
{
    static const int luma[][2] = {{2, 2}, {2, 1}, {1, 2}, {1, 1}, {4, 1}, {4, 2}};
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < 42; i++) {
        uint32_t w = 1 + (uint32_t)rng_below(&r, 300), h = 1 + (uint32_t)rng_below(&r, 300);
        struct image im = sample_photo(w, h, (uint64_t)i);
        struct sample_jpeg o = {.quality = 90,
                                .kind = i % 9 == 8 ? (enum sample_kind)(1 + i / 9 % 4) : SAMPLE_COLOR,
                                .progressive = i % 4 == 3,
                                .restart = i % 5 == 4 ? 7 : 0,
                                .luma_h = luma[i % 6][0],
                                .luma_v = luma[i % 6][1],
                                .orientation = i % 7 == 6 ? 1 + i / 7 % 8 : 0};
        if (o.kind != SAMPLE_COLOR) {
            o.luma_h = 0;
        }
        struct str jpeg = sample_jpeg(&im, &o);
        for (int k = 0; k < 3; k++) {
            struct preprocess how = any_way(&r);
            same_both_ways(&jpeg, &how);
        }
        str_release(&jpeg);
        image_release(&im);
    }
}

/* Whether a damaged file is an image may not depend on which part of it a model looks at. */
TEST(damage_is_found_everywhere)
{
    struct image im = sample_photo(150, 200, 4);
    struct preprocess how = plain;
    how.resize = 64;
    how.crop = 16; /* the very middle */
    for (int progressive = 0; progressive < 2; progressive++) {
        struct sample_jpeg o = {.quality = 80, .progressive = progressive != 0};
        struct str jpeg = sample_jpeg(&im, &o);
        size_t whole = jpeg.n, refused = 0;
        for (jpeg.n = whole; jpeg.n > 0; jpeg.n -= jpeg.n < 97 ? jpeg.n : 97) {
            struct image out = {0};
            struct err a = {0}, b = {0};
            enum err_code want = image_decode(jpeg.p, jpeg.n, IMAGE_FOR_MODELS, 0,
                                              &sample_limits, &out, &a);
            assert_int_equal(refusal(&jpeg, &how, &b), want);
            assert_string_equal(b.msg, a.msg);
            refused += want != OK;
            image_release(&out);
        }
        assert_true(refused > 10);
        jpeg.n = whole;
        str_release(&jpeg);
    }
    image_release(&im);
}

/* ---- planes ---- */

TEST(planes_are_normalised)
{
    struct image im = sample_photo(20, 20, 8);
    struct str file = png_of(&im);
    struct preprocess how = {.crop = 20, .scale = 255, .mean = {0.5F, 0.25F, 0.125F}, .std = {0.5F, 0.3F, 0.2F}};
    struct preprocess_room room = {0};
    struct err err = {0};
    float *out = xcalloc(20 * 20 * 3, sizeof *out);
    for (int bgr = 0; bgr < 2; bgr++) {
        how.bgr = bgr != 0;
        assert_int_equal(preprocess_planes(file.p, file.n, &how, &sample_limits, &room, out, &err), OK);
        for (uint32_t i = 0; i < 400; i++) {
            for (uint32_t c = 0; c < 3; c++) {
                float want = ((float)im.data[i * 3 + c] / 255 - how.mean[c]) / how.std[c];
                assert_true(out[(bgr ? 2 - c : c) * 400 + i] == want);
            }
        }
    }
    free(out);
    preprocess_room_release(&room);
    str_release(&file);
    image_release(&im);
}
