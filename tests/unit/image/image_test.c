/* image_test.c - types by first bytes, limits, and what image_info says. */
#include "unit.h"

#include <string.h>

#include "image/samples.h"

TEST(sniff)
{
    assert_int_equal(image_sniff("\xff\xd8\xff", 3), IMAGE_JPEG);
    assert_int_equal(image_sniff("\xff\xd8", 2), IMAGE_UNKNOWN);
    assert_int_equal(image_sniff("\x89PNG\r\n\x1a\n", 8), IMAGE_PNG);
    assert_int_equal(image_sniff("\x89PNG\n\x1a\n\n", 8), IMAGE_UNKNOWN);
    assert_int_equal(image_sniff("GIF89a..", 8), IMAGE_UNKNOWN);
    assert_int_equal(image_sniff("", 0), IMAGE_UNKNOWN);
}

TEST(unknown)
{
    struct image im;
    struct image_info info;
    struct err err = {0};
    assert_int_equal(image_decode("GIF89a", 6, IMAGE_FOR_PEOPLE, 0, &sample_limits, &im, &err),
                     ERR_INPUT);
    assert_string_equal(err.rule, "image-type");
    err_clear(&err);
    assert_int_equal(image_info("", 0, &sample_limits, &info, &err), ERR_INPUT);
    assert_string_equal(err.rule, "image-type");
}

static void expect_limit(const struct str *file, uint32_t side, uint64_t pixels, enum err_code want)
{
    struct image_limits lim = {.max_side = side, .max_pixels = pixels};
    struct image im;
    struct image_info info;
    struct err err = {0};
    assert_int_equal(image_info(file->p, file->n, &lim, &info, &err), want);
    err_clear(&err);
    /* Decoding to less does not get round the limit of what the file holds. */
    assert_int_equal(image_decode(file->p, file->n, IMAGE_FOR_PEOPLE, 10, &lim, &im, &err), want);
    if (want == OK) {
        image_release(&im);
    } else {
        assert_string_equal(err.rule, "image-size");
        assert_non_null(strstr(err.msg, "120 x 80"));
    }
}

TEST(limits)
{
    struct image photo = sample_photo(120, 80, 1);
    struct err err = {0};
    struct sample_jpeg o = {.quality = 80};
    struct str files[2] = {sample_jpeg(&photo, &o)};
    str_init(&files[1], 1 << 20);
    assert_int_equal(image_encode_png(&photo, &files[1], &err), OK);
    for (int i = 0; i < 2; i++) {
        expect_limit(&files[i], 120, 9600, OK);
        expect_limit(&files[i], 119, 9600, ERR_LIMIT);
        expect_limit(&files[i], 120, 9599, ERR_LIMIT);
        str_release(&files[i]);
    }
    image_release(&photo);
}

/* A PNG header that promises 2^31 - 1 pixels on each side costs no memory. */
TEST(promised_size)
{
    static const char bomb[] =
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x02"
        "\0\0\0\x9b\xab\x9c\x31";
    struct image im;
    struct err err = {0};
    assert_int_equal(
        image_decode(bomb, sizeof bomb - 1, IMAGE_FOR_PEOPLE, 0, &sample_limits, &im, &err),
        ERR_LIMIT);
    assert_string_equal(err.rule, "image-size");
}
