/* orient.c - how a camera was held: finds the orientation in an EXIF block and undoes it. Reads the
 * one tag it needs and nothing else of EXIF. */
#include <string.h>

#include "image/codec.h"

/* A TIFF structure in either byte order; every read is checked against its end. */
struct tiff {
    const unsigned char *p;
    size_t n;
    bool big;
};

static bool get16(const struct tiff *t, size_t at, uint32_t *out)
{
    if (t->n < 2 || at > t->n - 2) {
        return false;
    }
    const unsigned char *q = t->p + at;
    *out = t->big ? (uint32_t)q[0] << 8 | q[1] : (uint32_t)q[1] << 8 | q[0];
    return true;
}

static bool get32(const struct tiff *t, size_t at, uint32_t *out)
{
    uint32_t first, second;
    if (t->n < 4 || at > t->n - 4 || !get16(t, at, &first) || !get16(t, at + 2, &second)) {
        return false;
    }
    *out = t->big ? first << 16 | second : second << 16 | first;
    return true;
}

int exif_orientation(const unsigned char *p, size_t n)
{
    enum { TAG_ORIENTATION = 0x112, TYPE_SHORT = 3, ENTRY = 12 };
    struct tiff t = {.p = p, .n = n};
    uint32_t ifd, count, tag, type, values, v;
    if (n < 8 || (memcmp(p, "II*\0", 4) != 0 && memcmp(p, "MM\0*", 4) != 0)) {
        return 1;
    }
    t.big = p[0] == 'M';
    if (!get32(&t, 4, &ifd) || !get16(&t, ifd, &count)) {
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t at = (size_t)ifd + 2 + (size_t)i * ENTRY;
        if (!get16(&t, at, &tag) || !get16(&t, at + 2, &type) || !get32(&t, at + 4, &values) ||
            !get16(&t, at + 8, &v)) {
            return 1;
        }
        if (tag == TAG_ORIENTATION) {
            return type == TYPE_SHORT && values == 1 && v >= 1 && v <= 8 ? (int)v : 1;
        }
    }
    return 1;
}

enum err_code image_orient(struct image *im, int orientation, struct err *err)
{
    /* Which corner of the stored picture is seen at the top left, and whether rows are columns. */
    static const struct {
        bool from_right, from_bottom, swap;
    } how[9] = {[2] = {true, false, false}, [3] = {true, true, false}, [4] = {false, true, false},
                [5] = {false, false, true}, [6] = {false, true, true}, [7] = {true, true, true},
                [8] = {true, false, true}};
    BUG_IF(orientation < 1 || orientation > 8);
    if (orientation == 1) {
        return OK;
    }
    bool swap = how[orientation].swap;
    struct image out = *im;
    out.width = swap ? im->height : im->width;
    out.height = swap ? im->width : im->height;
    enum err_code rc = image_alloc(&out, err);
    if (rc != OK) {
        return rc;
    }
    ptrdiff_t right = how[orientation].from_right ? -3 : 3;
    ptrdiff_t stride = (ptrdiff_t)im->width * 3;
    ptrdiff_t down = how[orientation].from_bottom ? -stride : stride;
    const unsigned char *corner = im->data;
    corner += how[orientation].from_right ? stride - 3 : 0;
    corner += how[orientation].from_bottom ? stride * ((ptrdiff_t)im->height - 1) : 0;
    ptrdiff_t dx = swap ? down : right, dy = swap ? right : down;
    unsigned char *to = out.data;
    for (uint32_t y = 0; y < out.height; y++) {
        const unsigned char *row = corner + (ptrdiff_t)y * dy;
        for (uint32_t x = 0; x < out.width; x++, to += 3) {
            const unsigned char *from = row + (ptrdiff_t)x * dx;
            to[0] = from[0];
            to[1] = from[1];
            to[2] = from[2];
        }
    }
    image_release(im);
    *im = out;
    return OK;
}
