/* orient_test.c - EXIF blocks, sound and broken, and the eight orientations of a picture. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/codec.h"
#include "image/samples.h"

TEST(blocks)
{
    unsigned char block[64];
    for (int orientation = 0; orientation <= 9; orientation++) {
        int want = orientation >= 1 && orientation <= 8 ? orientation : 1;
        for (int big = 0; big < 2; big++) {
            size_t n = sample_exif(block, orientation, big);
            assert_int_equal(exif_orientation(block, n), want);
        }
    }
    assert_int_equal(exif_orientation(NULL, 0), 1);
}

/* The value stands in bytes 30 and 31 of the sample: every shorter block has none. */
TEST(cut_short)
{
    unsigned char block[64];
    sample_exif(block, 6, false);
    for (size_t n = 0; n <= 40; n++) {
        unsigned char *copy = xmalloc(n);
        memcpy(copy, block, n);
        assert_int_equal(exif_orientation(copy, n), n < 32 ? 1 : 6);
        free(copy);
    }
}

TEST(malformed)
{
    static const struct {
        size_t at;
        unsigned char byte;
    } cases[] = {{0, 'X'},   {2, 43},   {4, 0xff}, {7, 0xff}, /* mark, number, place of the list */
                 {8, 1},     {9, 0xff},                       /* entries: too few, too many */
                 {22, 0x13}, {24, 4},   {26, 2},   {31, 1}};  /* tag, type, count, value */
    unsigned char block[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t n = sample_exif(block, 6, false);
        block[cases[i].at] = cases[i].byte;
        /* More entries than there are is no harm: the tag comes before their end. */
        assert_int_equal(exif_orientation(block, n), cases[i].at == 9 ? 6 : 1);
    }
}

/* Pixel (x, y) of what is seen, in coordinates of the stored w x h picture (EXIF 2.3, 4.6.4). */
static void seen_from(int orientation, uint32_t w, uint32_t h, uint32_t x, uint32_t y, uint32_t *sx,
                      uint32_t *sy)
{
    uint32_t u = orientation >= 5 ? y : x, v = orientation >= 5 ? x : y;
    bool right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    bool bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    *sx = right ? w - 1 - u : u;
    *sy = bottom ? h - 1 - v : v;
}

TEST(turning)
{
    for (int orientation = 1; orientation <= 8; orientation++) {
        struct image stored = sample_photo(13, 7, 1), im = sample_photo(13, 7, 1);
        struct err err = {0};
        assert_int_equal(image_orient(&im, orientation, &err), OK);
        assert_int_equal(im.width, orientation >= 5 ? 7 : 13);
        assert_int_equal(im.height, orientation >= 5 ? 13 : 7);
        for (uint32_t y = 0; y < im.height; y++) {
            for (uint32_t x = 0; x < im.width; x++) {
                uint32_t sx, sy;
                seen_from(orientation, 13, 7, x, y, &sx, &sy);
                assert_memory_equal(sample_pixel(&im, x, y), sample_pixel(&stored, sx, sy), 3);
            }
        }
        image_release(&stored);
        image_release(&im);
    }
}

/* The corner that shows red, from the top left in reading order, as a JPEG with that tag is seen:
 * what cameras and browsers do, apart from the formula above. */
TEST(files)
{
    static const int red_at[9] = {0, 0, 1, 3, 2, 0, 1, 3, 2};
    struct image q = sample_quarters(48, 32);
    for (int orientation = 1; orientation <= 8; orientation++) {
        struct sample_jpeg o = {.quality = 95, .orientation = orientation, .big_endian = true};
        struct str file = sample_jpeg(&q, &o);
        struct image im;
        struct image_info info;
        struct err err = {0};
        assert_int_equal(image_info(file.p, file.n, &sample_limits, &info, &err), OK);
        assert_int_equal(
            image_decode(file.p, file.n, IMAGE_FOR_PEOPLE, 0, &sample_limits, &im, &err), OK);
        assert_int_equal(info.orientation, orientation);
        assert_int_equal(info.width, im.width);
        assert_int_equal(info.height, im.height);
        assert_int_equal(im.width, orientation >= 5 ? 32 : 48);
        uint32_t x = red_at[orientation] % 2 ? im.width - 3 : 2;
        uint32_t y = red_at[orientation] / 2 ? im.height - 3 : 2;
        assert_pixel(&im, x, y, 250, 20, 20, 12);
        image_release(&im);
        str_release(&file);
    }
    image_release(&q);
}
