/* picture.h - what the targets for JPEG and PNG do with a file: every way to read it agrees about its
 * size, and what was decoded can be shown. */
#ifndef TESTS_FUZZ_PICTURE_H
#define TESTS_FUZZ_PICTURE_H

#include <string.h>

#include "image/preprocess.h"
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

/* What a model looks at: a part of the picture, read row by row where that is possible. Damage counts in all of
 * it: who takes the file as a whole takes it here too, and sees the same pixels. */
static inline void picture_model(const void *p, size_t n, const struct image *whole)
{
    enum { CROP = 16 };
    struct preprocess how = {.crop = CROP, .scale = 1, .std = {1, 1, 1}};
    struct preprocess_room room = {0};
    struct err err = {OK, "", ""};
    unsigned char out[CROP * CROP * 3];
    enum err_code rc = preprocess_bytes(p, n, &how, &picture_limits, &room, out, &err);
    BUG_IF((rc == OK) != (whole != NULL));
    if (rc == OK && whole->width >= CROP && whole->height >= CROP) {
        uint32_t dx = whole->width - CROP, dy = whole->height - CROP;
        uint32_t x = dx / 2 + (dx % 4 == 3), y = dy / 2 + (dy % 4 == 3);
        for (uint32_t row = 0; row < CROP; row++) {
            const unsigned char *from = whole->data + ((size_t)(y + row) * whole->width + x) * 3;
            BUG_IF(memcmp(out + row * CROP * 3, from, CROP * 3) != 0);
        }
    }
    how.resize = 40;
    how.filter = FILTER_BICUBIC;
    BUG_IF((preprocess_bytes(p, n, &how, &picture_limits, &room, out, &err) == OK) != (whole != NULL));
    preprocess_room_release(&room);
}

/* People can look at what models can, and see the same unless the header says otherwise. */
static inline void picture_people(const void *p, size_t n, const struct image *models, bool differ)
{
    struct image im;
    struct err err = {OK, "", ""};
    BUG_IF(image_decode(p, n, IMAGE_FOR_PEOPLE, 0, &picture_limits, &im, &err) != OK);
    picture_check(&im, models->width, models->height);
    BUG_IF(!differ && memcmp(im.data, models->data, (size_t)im.width * im.height * 3) != 0);
    image_release(&im);
}

static inline void picture_read(const void *p, size_t n)
{
    struct image_info info;
    struct image im;
    struct err err = {OK, "", ""};
    enum err_code rc = image_info(p, n, &picture_limits, &info, &err);
    BUG_IF(rc != err.code);
    err_clear(&err);
    if (image_decode(p, n, IMAGE_FOR_MODELS, 0, &picture_limits, &im, &err) == OK) {
        BUG_IF(rc != OK);
        picture_check(&im, info.width, info.height);
        picture_model(p, n, &im);
        picture_people(p, n, &im, info.views_differ);
        image_release(&im);
    } else {
        picture_model(p, n, NULL);
    }
    picture_rendition(p, n, false);
    picture_rendition(p, n, true);
}

#endif
