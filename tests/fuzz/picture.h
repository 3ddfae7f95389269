/* picture.h - what the targets for JPEG and PNG do with a file: every way to read it agrees about its
 * size, and what was decoded can be shown. */
#ifndef TESTS_FUZZ_PICTURE_H
#define TESTS_FUZZ_PICTURE_H

#include "image/rendition.h"

static const struct image_limits picture_limits = {.max_side = 1024, .max_pixels = 1 << 18};

/* The last pixel of each picture is read, so that a short buffer is seen. */
static inline void picture_check(const struct image *im, uint32_t width, uint32_t height)
{
    BUG_IF(im->width != width || im->height != height);
    volatile unsigned char last = im->data[(size_t)width * height * 3 - 1];
    (void)last;
}

static inline void picture_rendition(const void *p, size_t n, bool tiny)
{
    struct rendition_options o = {.view_side = tiny ? 1024 : 24,
                                  .grid_side = tiny ? 1024 : 12,
                                  .quality = 80,
                                  .limits = picture_limits,
                                  .tiny = tiny};
    struct rendition r;
    struct err err = {OK, "", ""};
    enum err_code rc = rendition_make(p, n, &o, &r, &err);
    BUG_IF(rc != err.code);
    if (rc == OK) {
        struct image_info view;
        BUG_IF(image_info(r.view.p, r.view.n, &picture_limits, &view, &err) != OK);
        BUG_IF(!tiny && view.width != 24 && view.height != 24);
        BUG_IF(tiny && (view.width != r.info.width || view.height != r.info.height));
        BUG_IF(!(r.statistics.sharpness >= 0 && r.statistics.saturation >= 0 &&
                 r.statistics.saturation <= 1 && r.statistics.brightness <= 1));
        rendition_release(&r);
    }
}

static inline void picture_read(const void *p, size_t n)
{
    struct image_info info;
    struct image im;
    struct err err = {OK, "", ""};
    enum err_code rc = image_info(p, n, &picture_limits, &info, &err);
    BUG_IF(rc != err.code);
    err_clear(&err);
    if (image_decode(p, n, 0, &picture_limits, &im, &err) == OK) {
        BUG_IF(rc != OK);
        picture_check(&im, info.width, info.height);
        image_release(&im);
    }
    picture_rendition(p, n, false);
    picture_rendition(p, n, true);
}

#endif
