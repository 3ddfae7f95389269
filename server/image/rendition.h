/* rendition.h - the two pictures that pages show, made from the bytes of a source, and what is
 * measured on the way. */
#ifndef IMAGE_RENDITION_H
#define IMAGE_RENDITION_H

#include "image/statistics.h"

struct rendition_options {
    uint32_t view_side, grid_side;
    int quality;
    struct image_limits limits;
    /* A project of tiny images: both renditions are PNG files of the source's own pixels, and a
     * source may be at most grid_side long. */
    bool tiny;
};
struct rendition {
    struct image_info info; /* of the source */
    uint32_t warnings;      /* see struct image */
    struct image_statistics statistics; /* of the view's pixels, before they are encoded */
    struct str view, grid;  /* caller releases */
};
/* JPEG with a long side of exactly view_side and grid_side, also enlarged, so that no size tells
 * where an image came from. Both are encoded alike and carry no metadata. */
enum err_code rendition_make(const void *p, size_t n, const struct rendition_options *o,
                             struct rendition *out, struct err *err);
void rendition_release(struct rendition *r);

#endif
