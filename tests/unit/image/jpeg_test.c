/* jpeg_test.c - JPEG files of every kind through image_decode: colors, sizes, scales, and what
 * happens to broken ones. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/samples.h"

static struct image decode(const struct str *file, uint32_t least_side)
{
    struct image im = {0};
    struct err err = {0};
    if (image_decode(file->p, file->n, IMAGE_FOR_PEOPLE, least_side, &sample_limits, &im, &err) !=
        OK) {
        fail_msg("refused: %s", err.msg);
    }
    return im;
}

TEST(colors)
{
    static const unsigned char rgb[] = {200, 120, 40};
    struct image flat = sample_flat(40, 24, rgb);
    for (int kind = SAMPLE_COLOR; kind <= SAMPLE_CMYK_PLAIN; kind++) {
        for (int progressive = 0; progressive < 2; progressive++) {
            struct sample_jpeg o = {
                .kind = (enum sample_kind)kind, .quality = 98, .progressive = progressive};
            struct str file = sample_jpeg(&flat, &o);
            struct image im = decode(&file, 0);
            assert_int_equal(im.width, 40);
            assert_int_equal(im.height, 24);
            assert_int_equal(im.warnings, 0);
            bool gray = kind == SAMPLE_GRAY;
            assert_pixel(&im, 0, 0, gray ? 120 : 200, 120, gray ? 120 : 40, 3);
            assert_pixel(&im, 39, 23, gray ? 120 : 200, 120, gray ? 120 : 40, 3);
            image_release(&im);
            str_release(&file);
        }
    }
    image_release(&flat);
}

/* What was decoded at full size is close to what was encoded, and an own file reads back. */
TEST(round_trip)
{
    struct image photo = sample_photo(333, 217, 1);
    struct sample_jpeg o = {.quality = 95, .full_chroma = true, .restart = 3};
    struct str file = sample_jpeg(&photo, &o);
    struct image im = decode(&file, 0);
    assert_true(sample_psnr(&photo, &im) > 40);
    struct str again;
    struct err err = {0};
    str_init(&again, 1 << 20);
    assert_int_equal(image_encode_jpeg(&im, 95, &again, &err), OK);
    struct image back = decode(&again, 0);
    assert_true(sample_psnr(&im, &back) > 38);
    image_release(&back);
    image_release(&im);
    image_release(&photo);
    str_release(&again);
    str_release(&file);
}

TEST(scales)
{
    static const struct {
        uint32_t least, width, height;
    } cases[] = {{0, 801, 601},   {1, 101, 76},    {101, 101, 76},  {102, 201, 151},
                 {400, 401, 301}, {402, 501, 376}, {501, 501, 376}, {701, 701, 526},
                 {702, 801, 601}, {801, 801, 601}, {5000, 801, 601}};
    struct image photo = sample_photo(801, 601, 2);
    struct sample_jpeg o = {.quality = 90};
    struct str file = sample_jpeg(&photo, &o);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image im = decode(&file, cases[i].least);
        assert_int_equal(im.width, cases[i].width);
        assert_int_equal(im.height, cases[i].height);
        image_release(&im);
    }
    image_release(&photo);
    str_release(&file);
}

TEST(encoded_form)
{
    struct image photo = sample_photo(64, 48, 3);
    struct str file;
    struct err err = {0};
    str_init(&file, 1 << 20);
    assert_int_equal(image_encode_jpeg(&photo, 80, &file, &err), OK);
    const unsigned char *p = (const unsigned char *)file.p;
    size_t at = 2;
    bool frame = false;
    while (p[at + 1] != 0xda) {
        unsigned char marker = p[at + 1];
        assert_int_equal(p[at], 0xff);
        /* JFIF, tables and the frame: no EXIF, no comment, no profile. */
        assert_true(marker == 0xe0 || marker == 0xdb || marker == 0xc0 || marker == 0xc4);
        if (marker == 0xc0) {
            frame = true;
            assert_int_equal(p[at + 11], 0x22); /* luma 2x2: 4:2:0 */
        }
        at += 2 + ((size_t)p[at + 2] << 8 | p[at + 3]);
    }
    assert_true(frame);
    struct str tiny;
    str_init(&tiny, 100);
    assert_int_equal(image_encode_jpeg(&photo, 80, &tiny, &err), ERR_LIMIT);
    str_release(&tiny);
    str_release(&file);
    image_release(&photo);
}

/* A copy in a block of its own, so that the sanitizer sees a read behind its end. */
static enum err_code decode_copy(const char *p, size_t n, struct image *out, struct err *err)
{
    char *copy = xmalloc(n);
    memcpy(copy, p, n);
    *err = (struct err){0};
    enum err_code rc = image_decode(copy, n, IMAGE_FOR_PEOPLE, 0, &sample_limits, out, err);
    struct image_info info;
    struct err other = {0};
    image_info(copy, n, &sample_limits, &info, &other);
    free(copy);
    return rc;
}

static const struct sample_jpeg broken_kinds[] = {
    {.quality = 85, .orientation = 6},
    {.quality = 85, .progressive = true},
    {.quality = 85, .restart = 4},
    {.quality = 85, .kind = SAMPLE_YCCK, .progressive = true, .orientation = 8, .big_endian = true},
};

TEST(truncated)
{
    struct image photo = sample_photo(190, 133, 4);
    for (size_t k = 0; k < sizeof broken_kinds / sizeof broken_kinds[0]; k++) {
        struct str file = sample_jpeg(&photo, &broken_kinds[k]);
        for (size_t n = 3; n < file.n - 8; n += 97) {
            struct image im;
            struct err err;
            assert_int_equal(decode_copy(file.p, n, &im, &err), ERR_INPUT);
            assert_string_equal(err.rule, "image-truncated");
            assert_non_null(strstr(err.msg, "truncated"));
        }
        str_release(&file);
    }
    image_release(&photo);
}

/* A missing end marker behind complete pixels is no reason to refuse a baseline picture. */
TEST(no_end_marker)
{
    struct image photo = sample_photo(64, 64, 5), im;
    struct str file = sample_jpeg(&photo, &broken_kinds[0]);
    struct err err;
    assert_int_equal(decode_copy(file.p, file.n - 2, &im, &err), OK);
    image_release(&im);
    image_release(&photo);
    str_release(&file);
}

TEST(corrupted)
{
    struct image photo = sample_photo(190, 133, 6);
    size_t read = 0, warned = 0, refused = 0;
    for (size_t k = 0; k < sizeof broken_kinds / sizeof broken_kinds[0]; k++) {
        struct str file = sample_jpeg(&photo, &broken_kinds[k]);
        for (size_t at = 3; at < file.n; at += 97) {
            char saved = file.p[at];
            struct image im;
            struct err err;
            file.p[at] = (char)(saved ^ 0xff);
            enum err_code rc = decode_copy(file.p, file.n, &im, &err);
            file.p[at] = saved;
            if (rc != OK) {
                assert_true(rc == ERR_INPUT || rc == ERR_LIMIT);
                assert_int_equal(err.code, rc);
                refused++;
                continue;
            }
            assert_non_null(sample_pixel(&im, im.width - 1, im.height - 1));
            read++;
            warned += im.warnings > 0;
            image_release(&im);
        }
        str_release(&file);
    }
    print_message("%zu read, %zu of them with warnings, %zu refused\n", read, warned, refused);
    assert_true(warned > 0 && refused > 0 && read > warned);
    image_release(&photo);
}

TEST(scan_limit)
{
    struct image photo = sample_photo(64, 64, 7), im;
    struct sample_jpeg o = {.quality = 80, .many_scans = true};
    struct str file = sample_jpeg(&photo, &o);
    struct err err;
    assert_int_equal(decode_copy(file.p, file.n, &im, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "more than 64 scans"));
    image_release(&photo);
    str_release(&file);
}
