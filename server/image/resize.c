/* resize.c - another size of a picture by a separable Lanczos3 filter. Integers only, in one fixed
 * order: the same picture gives the same bytes on every machine.
 *
 * Both passes filter down the columns and write their result turned on its side, so that after the
 * second the picture is upright again. In that form the inner loop (sums.c) runs along a row with
 * one weight for all of it, which suits vector instructions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/codec.h"
#include "image/sums.h"

enum { LOBES = 3 };

/* The largest buffer between the passes: 1 GiB. */
static const size_t BETWEEN_MAX = (size_t)1 << 30;

/* For each output position: which inputs count, and how much. */
struct taps {
    uint32_t *first, *count;
    int16_t *weights; /* `stride` of them per output, zeros after the last that counts */
    size_t stride;
};

/* sin(3t) = 3 sin(t) - 4 sin(t)^3 saves the second sine. */
static double lanczos(double x)
{
    double t = 3.14159265358979323846 / LOBES * x;
    if (fabs(x) < 1e-9) {
        return 1;
    }
    if (fabs(x) >= LOBES) {
        return 0;
    }
    double s = sin(t);
    return (3 - 4 * s * s) * s * s / (LOBES * t * t);
}

static void taps_release(struct taps *t)
{
    free(t->first);
    free(t->count);
    free(t->weights);
}

/* Turns the `count` filter values into weights. Rounding the running sum instead of each value
 * makes them add up to exactly one, also when each is tiny. */
static void to_weights(const double *values, uint32_t count, int16_t *out)
{
    double total = 0, sum = 0;
    long given = 0;
    for (uint32_t k = 0; k < count; k++) {
        total += values[k];
    }
    for (uint32_t k = 0; k < count; k++) {
        sum += values[k];
        long upto = lrint(sum / total * (1 << WEIGHT_BITS));
        out[k] = (int16_t)(upto - given);
        given = upto;
    }
}

/* Reduction widens the filter by the factor, so that every input pixel counts. */
static enum err_code taps_make(struct taps *t, uint32_t from, uint32_t to, struct err *err)
{
    double step = (double)from / to, scale = step > 1 ? step : 1, support = LOBES * scale;
    void *weights;
    *t = (struct taps){.stride = (size_t)ceil(support) * 2 + 2};
    enum err_code rc = xalloc_checked(to, t->stride * sizeof *t->weights, BETWEEN_MAX,
                                      "the weights of a filter", &weights, err);
    if (rc != OK) {
        return rc;
    }
    t->weights = weights;
    t->first = xcalloc(to, sizeof *t->first);
    t->count = xcalloc(to, sizeof *t->count);
    double *values = xcalloc(t->stride, sizeof *values);
    for (uint32_t i = 0; i < to; i++) {
        double center = (i + 0.5) * step;
        uint32_t first = (uint32_t)fmax(0, floor(center - support + 0.5));
        uint32_t end = (uint32_t)fmin(from, floor(center + support + 0.5));
        BUG_IF(end <= first || end - first >= t->stride);
        for (uint32_t k = first; k < end; k++) {
            values[k - first] = lanczos((k + 0.5 - center) / scale);
        }
        to_weights(values, end - first, t->weights + i * t->stride);
        t->first[i] = first;
        t->count[i] = end - first;
    }
    free(values);
    return OK;
}

/* The picture between the passes, on its side: a row of it is one column of the source. Rows are
 * padded to whole blocks. */
struct between {
    int16_t *data;
    size_t stride;
};

static enum err_code between_make(struct between *b, uint32_t rows, uint32_t columns,
                                  struct err *err)
{
    void *data;
    b->stride = ((size_t)columns * 3 + SUMS_BLOCK - 1) / SUMS_BLOCK * SUMS_BLOCK;
    enum err_code rc = xalloc_checked(rows, b->stride * sizeof *b->data, BETWEEN_MAX,
                                      "a picture that is being resized", &data, err);
    b->data = rc == OK ? data : NULL;
    return rc;
}

/* Lines of a pass are turned on their side BAND at a time: written one by one, each pixel would
 * touch a cache line of its own. */
enum { BAND = 8 };

/* First pass: output row y of the picture becomes column y of `b`. */
static void filter_rows(const struct image *im, const struct taps *t, uint32_t height,
                        struct between *b)
{
    size_t n = (size_t)im->width * 3, whole = n / SUMS_BLOCK * SUMS_BLOCK;
    int16_t *lines = xcalloc(n * BAND, sizeof *lines);
    for (uint32_t y = 0; y < height; y += BAND) {
        uint32_t band = height - y < BAND ? height - y : BAND;
        for (uint32_t k = 0; k < band; k++) {
            const unsigned char *from = im->data + t->first[y + k] * n;
            const int16_t *w = t->weights + (y + k) * t->stride;
            uint32_t count = t->count[y + k];
            int16_t *line = lines + k * n;
            for (size_t i = 0; i < whole; i += SUMS_BLOCK) {
                sums_of_bytes(from + i, n, w, count, line + i);
            }
            sums_of_tail(from + whole, n - whole, n, w, count, line + whole);
        }
        int16_t *to = b->data + (size_t)y * 3;
        for (size_t x = 0; x < n; x += 3, to += b->stride) {
            for (uint32_t k = 0; k < band; k++) {
                memcpy(to + (size_t)k * 3, lines + k * n + x, 3 * sizeof *to);
            }
        }
    }
    free(lines);
}

/* Second pass: output row x of `b` becomes column x of the picture. */
static void filter_columns(const struct between *b, const struct taps *t, struct image *out)
{
    size_t n = (size_t)out->height * 3, row = (size_t)out->width * 3;
    unsigned char *lines = xcalloc(b->stride, BAND);
    for (uint32_t x = 0; x < out->width; x += BAND) {
        uint32_t band = out->width - x < BAND ? out->width - x : BAND;
        for (uint32_t k = 0; k < band; k++) {
            const int16_t *from = b->data + t->first[x + k] * b->stride;
            const int16_t *w = t->weights + (x + k) * t->stride;
            unsigned char *line = lines + k * b->stride;
            for (size_t i = 0; i < n; i += SUMS_BLOCK) {
                sums_of_samples(from + i, b->stride, w, t->count[x + k], line + i);
            }
        }
        unsigned char *to = out->data + (size_t)x * 3;
        for (size_t y = 0; y < n; y += 3, to += row) {
            for (uint32_t k = 0; k < band; k++) {
                memcpy(to + (size_t)k * 3, lines + k * b->stride + y, 3);
            }
        }
    }
    free(lines);
}

static enum err_code copy(const struct image *im, struct image *out, struct err *err)
{
    struct image made = *im;
    enum err_code rc = image_alloc(&made, err);
    if (rc == OK) {
        memcpy(made.data, im->data, (size_t)im->width * im->height * 3);
        *out = made;
    }
    return rc;
}

enum err_code image_resize(const struct image *im, uint32_t width, uint32_t height,
                           struct image *out, struct err *err)
{
    BUG_IF(width == 0 || height == 0 || im->width == 0 || im->height == 0);
    if (width == im->width && height == im->height) {
        return copy(im, out, err);
    }
    struct taps down = {0}, across = {0};
    struct between b = {0};
    struct image made = {.width = width, .height = height, .warnings = im->warnings};
    enum err_code rc = taps_make(&down, im->height, height, err);
    rc = rc == OK ? taps_make(&across, im->width, width, err) : rc;
    rc = rc == OK ? between_make(&b, im->width, height, err) : rc;
    rc = rc == OK ? image_alloc(&made, err) : rc;
    if (rc == OK) {
        filter_rows(im, &down, height, &b);
        filter_columns(&b, &across, &made);
        *out = made;
    }
    free(b.data);
    taps_release(&down);
    taps_release(&across);
    return rc;
}
