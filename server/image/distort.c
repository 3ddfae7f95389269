/* distort.c - one function for each row of the table at the end. All work on whole pictures, so that a picture is changed
 * as much as another one of other size. */
#include "image/distort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "image/codec.h"

enum { CHANNELS = 3, QUALITY = 30, KEPT = 85, SHIFTED = 3, GAIN = 20, BRIGHTER = 25, BLURRED = 100, BLURS = 3 };

static unsigned char byte_of(double v)
{
    return v <= 0 ? 0 : v >= 255 ? 255 : (unsigned char)(v + 0.5);
}

static enum err_code room(uint32_t width, uint32_t height, struct image *out, struct err *err)
{
    out->width = width;
    out->height = height;
    return image_alloc(out, err);
}

static const unsigned char *pixel(const struct image *im, uint32_t x, uint32_t y)
{
    return im->data + ((size_t)y * im->width + x) * CHANNELS;
}

/* out(x, y) = in(x + dx, y + dy), with what lies outside repeated from the edge; mirror: from right to left instead. */
static enum err_code moved(const struct image *in, uint32_t width, uint32_t height, int64_t dx, int64_t dy, bool mirror,
                           struct image *out, struct err *err)
{
    enum err_code rc = room(width, height, out, err);
    for (uint32_t y = 0; y < height && rc == OK; y++) {
        int64_t fy = (int64_t)y + dy;
        fy = fy < 0 ? 0 : fy >= in->height ? in->height - 1 : fy;
        for (uint32_t x = 0; x < width; x++) {
            int64_t fx = mirror ? (int64_t)width - 1 - x : (int64_t)x + dx;
            fx = fx < 0 ? 0 : fx >= in->width ? in->width - 1 : fx;
            memcpy(out->data + ((size_t)y * width + x) * CHANNELS, pixel(in, (uint32_t)fx, (uint32_t)fy), CHANNELS);
        }
    }
    return rc;
}

static uint32_t part_of(uint32_t side, uint32_t percent)
{
    uint32_t part = (uint32_t)((uint64_t)side * percent / 100);
    return part ? part : 1;
}

/* ---- in the order of the table ---- */

/* One line of one channel through a box: the mean of what lies within the radius. `line`: room for it. */
static void blur_line(unsigned char *at, size_t step, uint32_t n, uint32_t radius, unsigned char *line)
{
    uint32_t sum = 0, inside = 0;
    for (uint32_t i = 0; i < n; i++) {
        line[i] = at[i * step];
    }
    for (; inside < radius && inside < n; inside++) {
        sum += line[inside];
    }
    for (uint32_t i = 0; i < n; i++) {
        if (n - i > radius) {
            sum += line[i + radius];
            inside++;
        }
        if (i > radius) {
            sum -= line[i - radius - 1];
            inside--;
        }
        at[i * step] = (unsigned char)((sum + inside / 2) / inside);
    }
}

/* Boxes one after the other are close to a Gaussian; sums are whole numbers. */
static enum err_code blur(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    uint32_t longer = in->width > in->height ? in->width : in->height, radius = longer / (2 * BLURRED) + 1;
    size_t across = (size_t)in->width * CHANNELS;
    enum err_code rc = moved(in, in->width, in->height, 0, 0, false, out, err);
    unsigned char *line = xmalloc(longer);
    (void)r;
    for (int pass = 0; pass < BLURS && rc == OK; pass++) {
        for (size_t y = 0; y < in->height; y++) {
            for (size_t c = 0; c < CHANNELS; c++) {
                blur_line(out->data + y * across + c, CHANNELS, in->width, radius, line);
            }
        }
        for (size_t x = 0; x < across; x++) {
            blur_line(out->data + x, across, in->height, radius, line);
        }
    }
    free(line);
    return rc;
}

static enum err_code gains(const struct image *in, const double *gain, double more, struct image *out, struct err *err)
{
    enum err_code rc = room(in->width, in->height, out, err);
    size_t n = (size_t)in->width * in->height * CHANNELS;
    for (size_t i = 0; i < n && rc == OK; i++) {
        out->data[i] = byte_of(gain[i % CHANNELS] * in->data[i] + more);
    }
    return rc;
}

static enum err_code brighten(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    const double same[CHANNELS] = {1, 1, 1};
    return gains(in, same, rng_below(r, 2) ? BRIGHTER : -BRIGHTER, out, err);
}

static enum err_code recolour(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    double gain[CHANNELS];
    for (int c = 0; c < CHANNELS; c++) {
        gain[c] = 1 + GAIN * (2 * rng_unit(r) - 1) / 100;
    }
    return gains(in, gain, 0, out, err);
}

static enum err_code crop(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    uint32_t width = part_of(in->width, KEPT), height = part_of(in->height, KEPT);
    int64_t x = (int64_t)rng_below(r, in->width - width + 1), y = (int64_t)rng_below(r, in->height - height + 1);
    return moved(in, width, height, x, y, false, out, err);
}

static enum err_code gray(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    enum err_code rc = room(in->width, in->height, out, err);
    size_t n = (size_t)in->width * in->height;
    (void)r;
    for (size_t i = 0; i < n && rc == OK; i++) {
        const unsigned char *p = in->data + i * CHANNELS;
        memset(out->data + i * CHANNELS, (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8, CHANNELS);
    }
    return rc;
}

static enum err_code recompress(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    const struct image_limits limits = {.max_side = UINT32_MAX, .max_pixels = UINT64_MAX};
    struct str bytes;
    (void)r;
    str_init(&bytes, SIZE_MAX);
    enum err_code rc = image_encode_jpeg(in, QUALITY, &bytes, err);
    rc = rc == OK ? image_decode(bytes.p, bytes.n, IMAGE_FOR_PEOPLE, 0, &limits, out, err) : rc;
    str_release(&bytes);
    return rc;
}

static enum err_code mirror(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    (void)r;
    return moved(in, in->width, in->height, 0, 0, true, out, err);
}

static enum err_code resize(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    (void)r;
    return image_resize(in, part_of(in->width, 50), part_of(in->height, 50), out, err);
}

static enum err_code shift(const struct image *in, struct rng *r, struct image *out, struct err *err)
{
    int64_t dx = part_of(in->width, SHIFTED), dy = part_of(in->height, SHIFTED);
    return moved(in, in->width, in->height, rng_below(r, 2) ? dx : -dx, rng_below(r, 2) ? dy : -dy, false, out, err);
}

const struct distortion distortions[DISTORTIONS] = {
    {"blur", "blurred over about 1 % of its longer side", blur},
    {"brightness", "25 of 255 steps brighter or darker", brighten},
    {"colour", "each channel up to 20 % stronger or weaker", recolour},
    {"crop", "85 % of its width and height, cut out anywhere", crop},
    {"gray", "without its colours", gray},
    {"jpeg", "saved as JPEG with quality 30", recompress},
    {"mirror", "left and right exchanged", mirror},
    {"resize", "at half its size", resize},
    {"shift", "moved by 3 % of its width and height", shift},
};
