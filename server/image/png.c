/* png.c - reads and writes PNG with libspng; the only file that sees its header. The limits are set
 * before the first byte is decoded. */
#include <stdlib.h>
#include <string.h>

#include <spng.h>

#include "image/codec.h"

/* Remarks and profiles in a picture are small; a compressed one that swells above this is an
 * attack on memory. Pixel data is not subject to it. */
enum { CHUNK_MAX = 8 << 20, CHUNKS_MAX = 32 << 20 };

static enum err_code unreadable(int code, struct err *err)
{
    if (code == SPNG_IO_EOF || code == SPNG_EIDAT_TOO_SHORT) {
        return err_rule(err, ERR_INPUT, "image-truncated",
                        "not a readable PNG file: truncated: the file ends before its last pixels");
    }
    if (code == SPNG_EOVERFLOW) {
        return err_rule(err, ERR_LIMIT, "image-size",
                        "the PNG file claims more pixels than memory has addresses");
    }
    if (code == SPNG_EMEM) {
        return err_set(err, ERR_BUSY, "no memory for a PNG file");
    }
    return err_rule(err, ERR_INPUT, "image-png", "not a readable PNG file: %s",
                    spng_strerror(code));
}

static bool has_alpha(spng_ctx *png)
{
    struct spng_ihdr head;
    struct spng_trns trns;
    return spng_get_ihdr(png, &head) == 0 &&
           (head.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
            head.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA || spng_get_trns(png, &trns) == 0);
}

static bool is_deep_gray(spng_ctx *png)
{
    struct spng_ihdr head;
    return spng_get_ihdr(png, &head) == 0 && head.bit_depth == 16 &&
           head.color_type == SPNG_COLOR_TYPE_GRAYSCALE;
}

/* A reader for a file in memory, its size checked and its orientation read. */
static enum err_code open_reader(spng_ctx **png, const void *p, size_t n,
                                 const struct image_limits *lim, struct image_info *info,
                                 struct err *err)
{
    struct spng_ihdr head;
    struct spng_exif exif;
    spng_ctx *c = *png = spng_ctx_new(0);
    if (!c) {
        return unreadable(SPNG_EMEM, err);
    }
    /* The sides are checked below, in words that name them; libspng's own limit is the format's. */
    spng_set_image_limits(c, INT32_MAX, INT32_MAX);
    spng_set_chunk_limits(c, CHUNK_MAX, CHUNKS_MAX);
    int code = spng_set_png_buffer(c, p, n);
    if (code == 0) {
        code = spng_get_ihdr(c, &head);
    }
    if (code != 0) {
        return unreadable(code, err);
    }
    enum err_code rc = image_check_size(head.width, head.height, lim, err);
    if (rc != OK) {
        return rc;
    }
    info->width = head.width;
    info->height = head.height;
    info->orientation = 1;
    info->views_differ = has_alpha(c) || is_deep_gray(c);
    code = spng_get_exif(c, &exif);
    if (code == 0) {
        info->orientation = exif_orientation((const unsigned char *)exif.data, exif.length);
    } else if (code != SPNG_ECHUNKAVAIL) {
        return unreadable(code, err);
    }
    return OK;
}

enum err_code codec_png_info(const void *p, size_t n, const struct image_limits *lim,
                             struct image_info *out, struct err *err)
{
    spng_ctx *png;
    enum err_code rc = open_reader(&png, p, n, lim, out, err);
    spng_ctx_free(png);
    return rc;
}

/* Lays RGBA pixels on white and packs them to RGB in place: the writer stays behind the reader. */
static void flatten(unsigned char *data, size_t pixels)
{
    const unsigned char *from = data;
    unsigned char *to = data;
    for (size_t i = 0; i < pixels; i++, from += 4, to += 3) {
        unsigned alpha = from[3], white = 255 * (255 - alpha) + 127;
        for (int ch = 0; ch < 3; ch++) {
            to[ch] = (unsigned char)((from[ch] * alpha + white) / 255);
        }
    }
}

/* 16-bit gray as three bytes, clipped as Pillow does it. The samples are in the last two thirds
 * of the picture's room: the writer never overtakes the reader. */
static void clip(unsigned char *data, size_t pixels)
{
    const unsigned char *from = data + pixels;
    for (size_t i = 0; i < pixels; i++) {
        uint16_t sample;
        memcpy(&sample, from + i * 2, sizeof sample);
        memset(data + i * 3, sample < 255 ? sample : 255, 3);
    }
}

/* All pixels at `at` of the picture's room, `size` bytes each. */
static enum err_code decode(spng_ctx *png, const struct image *im, size_t at, int format,
                            size_t size, enum spng_decode_flags flags, struct err *err)
{
    size_t bytes;
    int code = spng_decoded_image_size(png, format, &bytes);
    if (code == 0) {
        BUG_IF(bytes != (size_t)im->width * im->height * size);
        code = spng_decode_image(png, im->data + at, bytes, format, flags);
    }
    return code == 0 ? OK : unreadable(code, err);
}

static enum err_code read_pixels(spng_ctx *png, enum image_view view, struct image *im,
                                 struct err *err)
{
    size_t pixels = (size_t)im->width * im->height;
    bool paper = view == IMAGE_FOR_PEOPLE && has_alpha(png);
    im->data = malloc(pixels * (paper ? 4 : 3));
    if (!im->data) {
        return unreadable(SPNG_EMEM, err);
    }
    if (view == IMAGE_FOR_MODELS && is_deep_gray(png)) {
        enum err_code rc = decode(png, im, pixels, SPNG_FMT_PNG, 2, 0, err);
        if (rc == OK) {
            clip(im->data, pixels);
        }
        return rc;
    }
    if (!paper) {
        return decode(png, im, 0, SPNG_FMT_RGB8, 3, 0, err);
    }
    enum err_code rc = decode(png, im, 0, SPNG_FMT_RGBA8, 4, SPNG_DECODE_TRNS, err);
    if (rc == OK) {
        flatten(im->data, pixels);
        void *smaller = realloc(im->data, pixels * 3);
        im->data = smaller ? smaller : im->data;
    }
    return rc;
}

enum err_code codec_png_decode(const void *p, size_t n, enum image_view view,
                               const struct image_limits *lim, struct image_info *info,
                               struct image *out, struct err *err)
{
    spng_ctx *png;
    struct image im = {0};
    enum err_code rc = open_reader(&png, p, n, lim, info, err);
    if (rc == OK) {
        im.width = info->width;
        im.height = info->height;
        rc = read_pixels(png, view, &im, err);
    }
    if (rc == OK) {
        *out = im;
    } else {
        image_release(&im);
    }
    spng_ctx_free(png);
    return rc;
}

enum err_code image_encode_png(const struct image *im, struct str *out, struct err *err)
{
    BUG_IF(im->width == 0 || im->height == 0);
    struct spng_ihdr head = {.width = im->width,
                             .height = im->height,
                             .bit_depth = 8,
                             .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    size_t pixels = (size_t)im->width * im->height, n = 0;
    void *bytes = NULL;
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    int code = png ? spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1) : SPNG_EMEM;
    if (code == 0) {
        code = spng_set_ihdr(png, &head);
    }
    if (code == 0) {
        code = spng_encode_image(png, im->data, pixels * 3, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    }
    if (code == 0) {
        bytes = spng_get_png_buffer(png, &n, &code);
    }
    enum err_code rc;
    if (code == 0) {
        str_add(out, bytes, n);
        rc = str_check(out, "a PNG file", err);
    } else {
        rc = err_set(err, ERR_BUSY, "a PNG file could not be written: %s", spng_strerror(code));
    }
    free(bytes);
    spng_ctx_free(png);
    return rc;
}
