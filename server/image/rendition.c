/* rendition.c - the two pictures that pages show, made from a source file's bytes.
 * Called at import. */
#include "image/rendition.h"

/* A page never shows more; it keeps the sums here far from overflow. */
enum { SIDE_MAX = 16384 };

/* A JPEG of noise at full quality takes less than 4 bytes a pixel, a PNG little more than 3; tables
 * and headers take 1 KiB. */
static size_t largest_file(uint32_t side)
{
    return (size_t)side * side * 4 + 4096;
}

/* The short side to a long one of `target`, rounded, at least one pixel. */
static uint32_t short_side(uint32_t shorter, uint32_t longer, uint32_t target)
{
    uint64_t v = (2 * (uint64_t)shorter * target + longer) / (2 * (uint64_t)longer);
    return v ? (uint32_t)v : 1;
}

static enum err_code fit(const struct image *im, uint32_t side, struct image *out, struct err *err)
{
    bool wide = im->width >= im->height;
    uint32_t width = wide ? side : short_side(im->width, im->height, side);
    uint32_t height = wide ? short_side(im->height, im->width, side) : side;
    return image_resize(im, width, height, out, err);
}

/* Twice the size that is shown leaves the filter enough to work with: this much is decoded for the
 * view, and when the view itself has it for the grid, the grid is made from the view. */
static enum err_code make_both(const void *p, size_t n, const struct rendition_options *o,
                               struct rendition *out, struct err *err)
{
    struct image source = {0}, view = {0}, grid = {0};
    enum err_code rc = image_decode(p, n, IMAGE_FOR_PEOPLE, 2 * o->view_side, &o->limits, &source, err);
    if (rc == OK) {
        out->warnings = source.warnings;
        rc = fit(&source, o->view_side, &view, err);
    }
    if (rc == OK) {
        image_statistics(&view, &out->statistics);
        rc = fit(o->view_side >= 2 * o->grid_side ? &view : &source, o->grid_side, &grid, err);
    }
    rc = rc == OK ? image_encode_jpeg(&view, o->quality, &out->view, err) : rc;
    rc = rc == OK ? image_encode_jpeg(&grid, o->quality, &out->grid, err) : rc;
    image_release(&source);
    image_release(&view);
    image_release(&grid);
    return rc;
}

/* The source's own pixels, twice: pages ask for a view and a grid rendition in every project. */
static enum err_code make_tiny(const void *p, size_t n, const struct rendition_options *o,
                               struct rendition *out, struct err *err)
{
    struct image im = {0};
    const struct image_info *i = &out->info;
    if (i->width > o->grid_side || i->height > o->grid_side) {
        return err_rule(err, ERR_LIMIT, "image-tiny",
                        "the image has %u x %u pixels; in a project of tiny images (images.tiny) "
                        "no side is longer than images.grid_side, %u",
                        i->width, i->height, o->grid_side);
    }
    enum err_code rc = image_decode(p, n, IMAGE_FOR_PEOPLE, 0, &o->limits, &im, err);
    if (rc == OK) {
        out->warnings = im.warnings;
        image_statistics(&im, &out->statistics);
        rc = image_encode_png(&im, &out->view, err);
    }
    if (rc == OK) {
        str_add(&out->grid, out->view.p, out->view.n);
        rc = str_check(&out->grid, "a PNG file", err);
    }
    image_release(&im);
    return rc;
}

enum err_code rendition_make(const void *p, size_t n, const struct rendition_options *o,
                             struct rendition *out, struct err *err)
{
    BUG_IF(o->view_side == 0 || o->view_side > SIDE_MAX);
    BUG_IF(o->grid_side == 0 || o->grid_side > SIDE_MAX);
    struct rendition made = {0};
    uint32_t side = o->view_side > o->grid_side ? o->view_side : o->grid_side;
    str_init(&made.view, largest_file(side));
    str_init(&made.grid, largest_file(side));
    enum err_code rc = image_info(p, n, &o->limits, &made.info, err);
    rc = rc == OK ? (o->tiny ? make_tiny : make_both)(p, n, o, &made, err) : rc;
    if (rc == OK) {
        *out = made;
    } else {
        rendition_release(&made);
    }
    return rc;
}

void rendition_release(struct rendition *r)
{
    str_release(&r->view);
    str_release(&r->grid);
}
