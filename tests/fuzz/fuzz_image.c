/* fuzz_image.c - any bytes as a picture: every way to read it agrees about its size, and what was
 * decoded can be shown. */
#include <stdint.h>

#include "image/rendition.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct image_limits limits = {.max_side = 1024, .max_pixels = 1 << 18};

/* The last pixel of each picture is read, so that a short buffer is seen. */
static void check(const struct image *im, uint32_t width, uint32_t height)
{
    BUG_IF(im->width != width || im->height != height);
    volatile unsigned char last = im->data[(size_t)width * height * 3 - 1];
    (void)last;
}

static void check_rendition(const uint8_t *data, size_t n)
{
    struct rendition_options o = {
        .view_side = 24, .grid_side = 12, .quality = 80, .limits = limits};
    struct rendition r;
    struct err err = {0};
    enum err_code rc = rendition_make(data, n, &o, &r, &err);
    BUG_IF(rc != err.code);
    if (rc == OK) {
        struct image_info view;
        BUG_IF(image_info(r.view.p, r.view.n, &limits, &view, &err) != OK);
        BUG_IF(view.width != 24 && view.height != 24);
        rendition_release(&r);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct image_info info;
    struct image im;
    struct err err = {0};
    enum err_code rc = image_info(data, n, &limits, &info, &err);
    BUG_IF(rc != err.code);
    err_clear(&err);
    if (image_decode(data, n, 0, &limits, &im, &err) == OK) {
        BUG_IF(rc != OK);
        check(&im, info.width, info.height);
        image_release(&im);
    }
    check_rendition(data, n);
    return 0;
}
