/* rendition_test.c - the two pictures made at import: sizes, quality, and that nothing of the
 * source's metadata is left. */
#include "unit.h"

#include <string.h>

#include "base/clock.h"
#include "image/rendition.h"
#include "image/samples.h"

static const struct rendition_options options = {
    .view_side = 500, .grid_side = 160, .quality = 88, .limits = {20000, 100000000}};

static struct rendition make(const struct str *file, const struct rendition_options *o)
{
    struct rendition r = {0};
    struct err err = {0};
    if (rendition_make(file->p, file->n, o, &r, &err) != OK) {
        fail_msg("refused: %s", err.msg);
    }
    return r;
}

static void expect_size(const struct str *file, uint32_t width, uint32_t height)
{
    struct image_info info;
    struct err err = {0};
    assert_int_equal(image_info(file->p, file->n, &sample_limits, &info, &err), OK);
    assert_int_equal(info.type, IMAGE_JPEG);
    assert_int_equal(info.width, width);
    assert_int_equal(info.height, height);
    assert_int_equal(info.orientation, 1);
}

TEST(sizes)
{
    static const uint32_t cases[][6] = {
        {1600, 1200, 500, 375, 160, 120}, {1200, 1600, 375, 500, 120, 160},
        {500, 500, 500, 500, 160, 160},   {100, 80, 500, 400, 160, 128},
        {1, 1, 500, 500, 160, 160},       {3000, 2, 500, 1, 160, 1},
        {501, 333, 500, 332, 160, 106}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image photo = sample_photo(cases[i][0], cases[i][1], i);
        struct sample_jpeg o = {.quality = 90};
        struct str file = sample_jpeg(&photo, &o);
        struct rendition r = make(&file, &options);
        assert_int_equal(r.info.width, cases[i][0]);
        assert_int_equal(r.info.height, cases[i][1]);
        expect_size(&r.view, cases[i][2], cases[i][3]);
        expect_size(&r.grid, cases[i][4], cases[i][5]);
        rendition_release(&r);
        image_release(&photo);
        str_release(&file);
    }
}

TEST(no_metadata)
{
    struct image q = sample_quarters(640, 480), im;
    struct sample_jpeg o = {.quality = 90, .orientation = 6};
    struct str file = sample_jpeg(&q, &o);
    struct rendition r = make(&file, &options);
    struct err err = {0};
    assert_int_equal(r.info.orientation, 6);
    assert_int_equal(r.info.width, 480);
    expect_size(&r.view, 375, 500);
    assert_null(memmem(r.view.p, r.view.n, "Exif", 4));
    assert_null(memmem(r.grid.p, r.grid.n, "Exif", 4));
    assert_null(memmem(r.view.p, r.view.n, "adobe", 5));
    assert_int_equal(
        image_decode(r.view.p, r.view.n, IMAGE_FOR_PEOPLE, 0, &sample_limits, &im, &err), OK);
    assert_pixel(&im, 370, 5, 250, 20, 20, 12); /* stored top left, seen top right */
    image_release(&im);
    rendition_release(&r);
    image_release(&q);
    str_release(&file);
}

static struct image fit(const struct str *file, uint32_t least, uint32_t w, uint32_t h)
{
    struct image full, out;
    struct err err = {0};
    assert_int_equal(
        image_decode(file->p, file->n, IMAGE_FOR_PEOPLE, least, &sample_limits, &full, &err), OK);
    assert_int_equal(image_resize(&full, w, h, &out, &err), OK);
    image_release(&full);
    return out;
}

/* Decoding at a smaller DCT scale, and making the grid from the view, is not seen: at least 39 dB
 * against the same filter on all pixels. */
TEST(quality)
{
    static const uint32_t widths[] = {1001, 1142, 1400, 1600, 2000, 2664, 4000};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        uint32_t w = widths[i], h = w * 3 / 4, vh = (500 * h + w / 2) / w,
                 gh = (160 * h + w / 2) / w;
        struct image photo = sample_photo(w, h, i);
        struct sample_jpeg o = {.quality = 92};
        struct str file = sample_jpeg(&photo, &o);
        struct image full = fit(&file, 0, 500, vh), scaled = fit(&file, 1000, 500, vh);
        struct image grid = fit(&file, 0, 160, gh), from_view, by_rendition;
        struct err err = {0};
        assert_int_equal(image_resize(&scaled, 160, gh, &from_view, &err), OK);
        double view_db = sample_psnr(&full, &scaled), grid_db = sample_psnr(&grid, &from_view);
        print_message("%ux%u: view %.1f dB, grid %.1f dB\n", w, h, view_db, grid_db);
        assert_true(view_db >= 39);
        assert_true(grid_db >= 39);
        struct rendition r = make(&file, &options);
        assert_int_equal(image_decode(r.view.p, r.view.n, IMAGE_FOR_PEOPLE, 0, &sample_limits,
                                      &by_rendition, &err),
                         OK);
        assert_true(sample_psnr(&full, &by_rendition) > 33);
        rendition_release(&r);
        image_release(&by_rendition);
        image_release(&from_view);
        image_release(&grid);
        image_release(&full);
        image_release(&scaled);
        image_release(&photo);
        str_release(&file);
    }
}

TEST(refused)
{
    struct image photo = sample_photo(640, 480, 1);
    struct sample_jpeg o = {.quality = 90};
    struct str file = sample_jpeg(&photo, &o);
    struct rendition r = {0};
    struct err err = {0};
    assert_int_equal(rendition_make(file.p, file.n / 2, &options, &r, &err), ERR_INPUT);
    assert_string_equal(err.rule, "image-truncated");
    assert_null(r.view.p);
    struct rendition_options small = options;
    small.limits.max_side = 639;
    err_clear(&err);
    assert_int_equal(rendition_make(file.p, file.n, &small, &r, &err), ERR_LIMIT);
    image_release(&photo);
    str_release(&file);
}

/* Noise at the highest quality is the largest file there can be; the buffers have room. */
TEST(largest)
{
    struct image im = sample_photo(600, 600, 1);
    for (uint32_t i = 0; i < 600 * 600 * 3; i++) {
        im.data[i] = (i * 2654435761u >> 13 & 1) ? 255 : 0;
    }
    struct str file;
    struct err err = {0};
    str_init(&file, 8 << 20);
    assert_int_equal(image_encode_png(&im, &file, &err), OK);
    struct rendition_options o = options;
    o.view_side = o.grid_side = 600;
    o.quality = 100;
    struct rendition r = make(&file, &o);
    print_message("600x600 of noise: %zu bytes\n", r.view.n);
    assert_true(r.view.n > 100000);
    rendition_release(&r);
    image_release(&im);
    str_release(&file);
}

TEST(speed)
{
    struct image photo = sample_photo(2000, 1500, 1);
    struct sample_jpeg o = {.quality = 85};
    struct str file = sample_jpeg(&photo, &o);
    int64_t best = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        int64_t start = clock_mono_ns();
        struct rendition r = make(&file, &options);
        int64_t took = clock_mono_ns() - start;
        best = took < best ? took : best;
        rendition_release(&r);
    }
    print_message("2000x1500, %zu bytes: %.1f ms, %.0f/s\n", file.n, (double)best / 1e6,
                  1e9 / (double)best);
    /* The aim is 10 ms; this holds on a busy or instrumented machine too. */
    assert_true(best < 500000000);
    image_release(&photo);
    str_release(&file);
}
