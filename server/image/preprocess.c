/* preprocess.c - the part of an image that a model looks at: which rows and columns of the file it
 * needs, resized by resample.c. A JPEG that is held upright is resized row by row as it is decoded,
 * without a copy of the whole picture; everything else is decoded whole first. */
#include "image/preprocess.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/codec.h"
#include "image/resample.h"

enum { MOST_ROOM = 1 << 30 };

/* One direction of the way from the file to the crop. */
struct span {
    uint32_t from, to; /* size in the file, and after the resize */
    uint32_t first, n; /* what of that is in the crop */
    uint32_t before;   /* black pixels in front of it */
};

struct pass {
    const struct preprocess *how;
    struct span x, y;
    struct resample_axis across, down;
    struct codec_window window; /* what of the file is needed */
    unsigned char
        *waiting;        /* rows of the window: RESAMPLE_ROWS go through the first pass together */
    unsigned char *rows; /* after it, from row window.top on */
    size_t waiting_stride, stride;
};

void preprocess_room_release(struct preprocess_room *room)
{
    free(room->rows);
    free(room->bytes);
    free(room->weights);
    *room = (struct preprocess_room){0};
}

/* Room for at least that much; what was in it is gone. */
static enum err_code make_room(void *items, size_t *have, size_t want, size_t size, struct err *err)
{
    void **p = items;
    if (want <= *have) {
        return OK;
    }
    free(*p);
    *p = NULL;
    *have = 0;
    enum err_code rc =
        xalloc_checked(want, size, MOST_ROOM, "an image that is being resized", p, err);
    if (rc == OK) {
        *have = want;
    }
    return rc;
}

/* Python's round() of (side - crop) / 2: halves go to the even number. */
static uint32_t crop_offset(uint32_t side, uint32_t crop)
{
    uint32_t d = side - crop;
    return d % 4 == 3 ? d / 2 + 1 : d / 2;
}

static struct span span_of(uint32_t from, uint64_t to, uint32_t crop)
{
    struct span s = {.from = from, .to = (uint32_t)to, .n = crop};
    if (s.to < crop) {
        s.n = s.to;
        s.before = (crop - s.to) / 2;
    } else {
        s.first = crop_offset(s.to, crop);
    }
    return s;
}

/* torchvision: the shorter side becomes `resize`, the longer int(resize * long / short). */
static enum err_code plan_spans(struct pass *p, const struct image_info *info, struct err *err)
{
    const struct preprocess *how = p->how;
    uint64_t w = info->width, h = info->height, r = how->resize;
    if (how->exact && (w != how->crop || h != how->crop)) {
        return err_rule(err, ERR_INPUT, "image-exact",
                        "the image has %u x %u pixels; the model takes images of exactly %u x %u",
                        info->width, info->height, how->crop, how->crop);
    }
    uint64_t to_w = r == 0 ? w : w <= h ? r : r * w / h;
    uint64_t to_h = r == 0 ? h : w <= h ? r * h / w : r;
    if (to_w > INT32_MAX || to_h > INT32_MAX) {
        return err_rule(err, ERR_LIMIT, "image-shape",
                        "the image of %u x %u pixels is too narrow to be resized", info->width,
                        info->height);
    }
    p->x = span_of(info->width, to_w, how->crop);
    p->y = span_of(info->height, to_h, how->crop);
    return OK;
}

static size_t whole_blocks(size_t n)
{
    return (n + RESAMPLE_BLOCK - 1) / RESAMPLE_BLOCK * RESAMPLE_BLOCK;
}

static enum err_code plan_passes(struct pass *p, struct preprocess_room *room, struct err *err)
{
    const struct span *x = &p->x, *y = &p->y;
    enum preprocess_filter f = p->how->filter;
    size_t n = resample_room(f, x->from, x->to, x->n);
    size_t both = n + resample_room(f, y->from, y->to, y->n);
    enum err_code rc =
        make_room(&room->weights, &room->weights_size, both, sizeof *room->weights, err);
    if (rc != OK) {
        return rc;
    }
    resample_axis(&p->across, f, x->from, x->to, x->first, x->n, room->weights);
    resample_axis(&p->down, f, y->from, y->to, y->first, y->n, room->weights + n);
    p->window = (struct codec_window){.left = p->across.start,
                                      .top = p->down.start,
                                      .width = p->across.end - p->across.start,
                                      .height = p->down.end - p->down.start};
    p->stride = whole_blocks((size_t)x->n * 3);
    p->waiting_stride = whole_blocks((size_t)p->window.width * 3 + 1);
    size_t rows = p->stride * ((size_t)p->window.height + RESAMPLE_ROWS);
    rc = make_room(&room->rows, &room->rows_size, rows + p->waiting_stride * RESAMPLE_ROWS, 1, err);
    p->rows = room->rows;
    p->waiting = rc == OK ? room->rows + rows : NULL;
    return rc;
}

/* The last rows may be fewer than go together: what stands in the places of the others is worked on
 * too, and comes out after the last row, where there is room. */
static void take_row(void *arg, uint32_t y, const unsigned char *row)
{
    struct pass *p = arg;
    uint32_t at = y - p->window.top, slot = at % RESAMPLE_ROWS;
    memcpy(p->waiting + slot * p->waiting_stride, row, (size_t)p->window.width * 3);
    if (slot == RESAMPLE_ROWS - 1 || at + 1 == p->window.height) {
        resample_rows(&p->across, p->waiting, p->waiting_stride, p->rows + (at - slot) * p->stride,
                      p->stride);
    }
}

/* The rows of a picture that is there as a whole. */
static void take_image(struct pass *p, const struct image *im)
{
    const struct codec_window *w = &p->window;
    BUG_IF(im->width != p->x.from || im->height != p->y.from);
    for (uint32_t y = w->top; y < w->top + w->height; y++) {
        take_row(p, y, im->data + ((size_t)y * im->width + w->left) * 3);
    }
}

static enum err_code first_pass(struct pass *p, const void *file, size_t n,
                                const struct image_info *info, const struct image_limits *lim,
                                struct err *err)
{
    if (info->type == IMAGE_JPEG && info->orientation == 1) {
        return codec_jpeg_rows(file, n, lim, &p->window, take_row, p, err);
    }
    struct image im = {0};
    enum err_code rc = image_decode(file, n, IMAGE_FOR_MODELS, 0, lim, &im, err);
    if (rc == OK) {
        take_image(p, &im);
    }
    image_release(&im);
    return rc;
}

static void second_pass(const struct pass *p, unsigned char *out)
{
    size_t row = (size_t)p->how->crop * 3, n = (size_t)p->x.n * 3;
    if (n < row || p->y.n < p->how->crop) {
        memset(out, 0, row * p->how->crop);
    }
    unsigned char *to = out + p->y.before * row + (size_t)p->x.before * 3;
    for (uint32_t y = 0; y < p->y.n; y++, to += row) {
        resample_column(&p->down, y, p->rows, p->stride, n, to);
    }
}

enum err_code preprocess_bytes(const void *p, size_t n, const struct preprocess *how,
                               const struct image_limits *lim, struct preprocess_room *room,
                               unsigned char *out, struct err *err)
{
    BUG_IF(how->crop == 0 || how->crop > PREPROCESS_SIDE || how->resize > PREPROCESS_SIDE);
    struct image_info info;
    struct pass pass = {.how = how};
    enum err_code rc = image_info(p, n, lim, &info, err);
    rc = rc == OK ? plan_spans(&pass, &info, err) : rc;
    rc = rc == OK ? plan_passes(&pass, room, err) : rc;
    rc = rc == OK ? first_pass(&pass, p, n, &info, lim, err) : rc;
    if (rc == OK) {
        second_pass(&pass, out);
    }
    return rc;
}

/* There are only 256 values a channel can have. */
static void fill_table(const struct preprocess *how, float table[3][256])
{
    for (int c = 0; c < 3; c++) {
        for (int v = 0; v < 256; v++) {
            table[c][v] = ((float)v / how->scale - how->mean[c]) / how->std[c];
        }
    }
}

enum err_code preprocess_planes(const void *p, size_t n, const struct preprocess *how,
                                const struct image_limits *lim, struct preprocess_room *room,
                                float *out, struct err *err)
{
    size_t pixels = (size_t)how->crop * how->crop;
    enum err_code rc = make_room(&room->bytes, &room->bytes_size, pixels * 3, 1, err);
    rc = rc == OK ? preprocess_bytes(p, n, how, lim, room, room->bytes, err) : rc;
    if (rc != OK) {
        return rc;
    }
    float table[3][256];
    fill_table(how, table);
    float *red = out + (how->bgr ? 2 * pixels : 0), *green = out + pixels;
    float *blue = out + (how->bgr ? 0 : 2 * pixels);
    const unsigned char *from = room->bytes;
    for (size_t i = 0; i < pixels; i++, from += 3) {
        red[i] = table[0][from[0]];
        green[i] = table[1][from[1]];
        blue[i] = table[2][from[2]];
    }
    return OK;
}
