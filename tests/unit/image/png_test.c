/* png_test.c - PNG files of every color type through image_decode. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/samples.h"

enum { GRAY = 0, RGB = 2, PALETTE = 3, GRAY_ALPHA = 4, RGBA = 6 };

static struct image decode(const struct str *file)
{
    struct image im = {0};
    struct err err = {0};
    if (image_decode(file->p, file->n, IMAGE_FOR_PEOPLE, 10, &sample_limits, &im, &err) != OK) {
        fail_msg("refused: %s", err.msg);
    }
    return im;
}

TEST(round_trip)
{
    struct image photo = sample_photo(123, 77, 1);
    struct str file;
    struct err err = {0};
    str_init(&file, 1 << 20);
    assert_int_equal(image_encode_png(&photo, &file, &err), OK);
    assert_int_equal(image_sniff(file.p, file.n), IMAGE_PNG);
    struct image im = decode(&file);
    assert_int_equal(im.width, 123);
    assert_int_equal(im.height, 77);
    assert_memory_equal(im.data, photo.data, 123 * 77 * 3);
    image_release(&im);
    image_release(&photo);
    str_release(&file);
}

/* One row of pixels in, one row of RGB out. */
static void expect(const void *samples, size_t n, const struct sample_png *o, const void *rgb)
{
    struct str file = sample_png(samples, n, o);
    struct image im = decode(&file);
    assert_int_equal(im.width, o->width);
    assert_int_equal(im.height, o->height);
    assert_memory_equal(im.data, rgb, (size_t)o->width * o->height * 3);
    image_release(&im);
    str_release(&file);
}

TEST(color_types)
{
    struct sample_png o = {.width = 3, .height = 1, .depth = 8, .color_type = GRAY};
    expect("\x00\x80\xff", 3, &o, "\x00\x00\x00\x80\x80\x80\xff\xff\xff");
    o.depth = 16;
    expect("\x00\x00\x80\x80\xff\xff", 6, &o, "\x00\x00\x00\x80\x80\x80\xff\xff\xff");
    o.depth = 1;
    expect("\xa0", 1, &o, "\xff\xff\xff\x00\x00\x00\xff\xff\xff");
    o.depth = 8;
    o.color_type = GRAY_ALPHA; /* half of black on white is 127 */
    expect("\x00\x80\x40\xff\x00\x00", 6, &o, "\x7f\x7f\x7f\x40\x40\x40\xff\xff\xff");
    o.color_type = RGBA;
    expect("\x01\x02\x03\xff\x01\x02\x03\x00\xff\x00\x00\x80", 12, &o,
           "\x01\x02\x03\xff\xff\xff\xff\x7f\x7f");
    o.color_type = PALETTE;
    o.palette = (const unsigned char *)"\x0a\x0b\x0c\x00\x00\x00\xc8\x64\x32";
    o.n_palette = 3;
    expect("\x02\x00\x01", 3, &o, "\xc8\x64\x32\x0a\x0b\x0c\x00\x00\x00");
    o.palette_alpha = (const unsigned char *)"\xff\x00\xff";
    expect("\x02\x00\x01", 3, &o, "\xc8\x64\x32\x0a\x0b\x0c\xff\xff\xff");
}

TEST(orientation)
{
    struct image q = sample_quarters(20, 10);
    struct sample_png o = {
        .width = 20, .height = 10, .depth = 8, .color_type = RGB, .orientation = 6};
    struct str file = sample_png(q.data, 600, &o);
    struct image im = decode(&file);
    struct image_info info;
    struct err err = {0};
    assert_int_equal(image_info(file.p, file.n, &sample_limits, &info, &err), OK);
    assert_int_equal(info.type, IMAGE_PNG);
    assert_int_equal(info.orientation, 6);
    assert_int_equal(info.width, 10);
    assert_int_equal(info.height, 20);
    assert_int_equal(im.width, 10);
    assert_pixel(&im, 0, 0, 20, 20, 250, 0); /* the stored lower left corner */
    assert_pixel(&im, 9, 0, 250, 20, 20, 0);
    image_release(&im);
    image_release(&q);
    str_release(&file);
}

/* Every 97th length and every 97th byte changed: an answer, never a crash. */
TEST(broken)
{
    struct image photo = sample_photo(90, 70, 2), im;
    struct sample_png o = {
        .width = 90, .height = 70, .depth = 8, .color_type = RGB, .orientation = 3};
    struct str file = sample_png(photo.data, 90 * 70 * 3, &o);
    size_t refused = 0, tried = 0;
    for (size_t at = 8; at < file.n - 16; at += 97, tried++) {
        struct err err = {0};
        char *copy = xmalloc(at);
        memcpy(copy, file.p, at);
        assert_int_equal(image_decode(copy, at, IMAGE_FOR_PEOPLE, 0, &sample_limits, &im, &err),
                         ERR_INPUT);
        assert_string_equal(err.rule, "image-truncated");
        free(copy);
        err_clear(&err);
        file.p[at] = (char)(file.p[at] ^ 0xff);
        enum err_code rc =
            image_decode(file.p, file.n, IMAGE_FOR_PEOPLE, 0, &sample_limits, &im, &err);
        file.p[at] = (char)(file.p[at] ^ 0xff);
        if (rc == OK) {
            image_release(&im);
        } else {
            assert_true(rc == ERR_INPUT || rc == ERR_LIMIT);
            refused++;
        }
    }
    assert_true(refused > tried / 2); /* checksums see nearly everything */
    image_release(&photo);
    str_release(&file);
}
