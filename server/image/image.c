/* image.c - the type of an image file, its limits, and the way to the codec that reads it. Knows no codec header. */
#include "image/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/codec.h"

enum image_type image_sniff(const void *p, size_t n)
{
    if (n >= 3 && memcmp(p, "\xff\xd8\xff", 3) == 0) {
        return IMAGE_JPEG;
    }
    if (n >= 8 && memcmp(p, "\x89PNG\r\n\x1a\n", 8) == 0) {
        return IMAGE_PNG;
    }
    return IMAGE_UNKNOWN;
}

void image_release(struct image *im)
{
    free(im->data);
    *im = (struct image){0};
}

enum err_code image_check_size(uint64_t width, uint64_t height, const struct image_limits *lim,
                               struct err *err)
{
    if (width == 0 || height == 0) {
        return err_set(err, ERR_INPUT, "the image has no pixels");
    }
    if (width > lim->max_side || height > lim->max_side || width > lim->max_pixels / height) {
        return err_rule(err, ERR_LIMIT, "image-size",
                        "the image has %" PRIu64 " x %" PRIu64 " pixels; the limits are %" PRIu32
                        " on a side and %" PRIu64 " in all",
                        width, height, lim->max_side, lim->max_pixels);
    }
    return OK;
}

enum err_code image_alloc(struct image *out, struct err *err)
{
    void *data;
    size_t pixels = (size_t)out->width * out->height;
    enum err_code rc = xalloc_checked(pixels, 3, SIZE_MAX / 2, "an image", &data, err);
    if (rc == OK) {
        out->data = data;
    }
    return rc;
}

static enum err_code unknown_type(struct err *err)
{
    return err_rule(err, ERR_INPUT, "image-type",
                    "its first bytes are neither those of a JPEG file nor those of a PNG file");
}

static bool sideways(int orientation)
{
    return orientation >= 5;
}

/* Width and height as they are seen. */
static void turn_info(struct image_info *info)
{
    if (sideways(info->orientation)) {
        uint32_t w = info->width;
        info->width = info->height;
        info->height = w;
    }
}

enum err_code image_info(const void *p, size_t n, const struct image_limits *lim,
                         struct image_info *out, struct err *err)
{
    struct image_info info = {.type = image_sniff(p, n)};
    enum err_code rc;
    switch (info.type) {
    case IMAGE_JPEG:
        rc = codec_jpeg_info(p, n, lim, &info, err);
        break;
    case IMAGE_PNG:
        rc = codec_png_info(p, n, lim, &info, err);
        break;
    case IMAGE_UNKNOWN:
    default:
        return unknown_type(err);
    }
    if (rc == OK) {
        turn_info(&info);
        *out = info;
    }
    return rc;
}

enum err_code image_decode(const void *p, size_t n, enum image_view view, uint32_t least_side,
                           const struct image_limits *lim, struct image *out, struct err *err)
{
    struct image_info info = {.type = image_sniff(p, n)};
    struct image im = {0};
    enum err_code rc;
    switch (info.type) {
    case IMAGE_JPEG:
        rc = codec_jpeg_decode(p, n, view, least_side, lim, &info, &im, err);
        break;
    case IMAGE_PNG:
        rc = codec_png_decode(p, n, view, lim, &info, &im, err);
        break;
    case IMAGE_UNKNOWN:
    default:
        return unknown_type(err);
    }
    rc = rc == OK ? image_orient(&im, info.orientation, err) : rc;
    if (rc != OK) {
        image_release(&im);
        return rc;
    }
    *out = im;
    return OK;
}
