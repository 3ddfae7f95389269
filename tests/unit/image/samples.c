/* samples.c - pictures and files for the tests of image/. Uses the codec libraries directly, so
 * that what the product reads was not written by itself. */
#include "unit.h"

#include "image/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <spng.h>

#include "base/rng.h"
#include "base/xalloc.h"

const struct image_limits sample_limits = {.max_side = 20000, .max_pixels = 100000000};

static struct image blank(uint32_t width, uint32_t height)
{
    return (struct image){
        .width = width, .height = height, .data = xmalloc((size_t)width * height * 3)};
}

static unsigned char to_byte(double v)
{
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : lrint(v));
}

struct image sample_photo(uint32_t width, uint32_t height, uint64_t seed)
{
    struct image im = blank(width, height);
    struct rng r;
    rng_seed(&r, seed);
    unsigned char *to = im.data;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            double wave = 110 + 50 * sin(x * 0.013 + y * 0.004) + 40 * cos(y * 0.019);
            double texture = 9 * sin(x * 0.31) * sin(y * 0.27);
            double edge = hypot(x - width * 0.6, y - height * 0.4) < height * 0.25 ? 40 : 0;
            double noise = 6 * (rng_unit(&r) - 0.5);
            *to++ = to_byte(wave + texture + edge + noise);
            *to++ = to_byte(wave * 0.8 + texture + 20 + noise);
            *to++ = to_byte(220 - wave * 0.7 + texture - edge + noise);
        }
    }
    return im;
}

struct image sample_flat(uint32_t width, uint32_t height, const unsigned char *rgb)
{
    struct image im = blank(width, height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        memcpy(im.data + i * 3, rgb, 3);
    }
    return im;
}

struct image sample_quarters(uint32_t width, uint32_t height)
{
    static const unsigned char colors[4][3] = {
        {250, 20, 20}, {20, 250, 20}, {20, 20, 250}, {250, 250, 250}};
    struct image im = blank(width, height);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const unsigned char *c = colors[(y >= height / 2 ? 2 : 0) + (x >= width / 2 ? 1 : 0)];
            memcpy(im.data + ((size_t)y * width + x) * 3, c, 3);
        }
    }
    return im;
}

static unsigned char *put(unsigned char *to, uint32_t v, int bytes, bool big)
{
    for (int i = 0; i < bytes; i++) {
        *to++ = (unsigned char)(v >> 8 * (big ? bytes - 1 - i : i));
    }
    return to;
}

size_t sample_exif(unsigned char *out, int orientation, bool big)
{
    unsigned char *to = out;
    memcpy(to, big ? "MM\0*" : "II*\0", 4);
    to = put(to + 4, 8, 4, big);
    to = put(to, 2, 2, big);
    to = put(put(put(put(to, 0x100, 2, big), 4, 2, big), 1, 4, big), 77, 4, big);
    to = put(put(put(to, 0x112, 2, big), 3, 2, big), 1, 4, big);
    to = put(put(to, (uint32_t)orientation, 2, big), 0, 2, big);
    to = put(to, 0, 4, big);
    return (size_t)(to - out);
}

/* One row of the picture in the color space that is written. */
static void convert_row(const unsigned char *from, uint32_t n, enum sample_kind kind,
                        unsigned char *to)
{
    for (uint32_t i = 0; i < n; i++, from += 3) {
        unsigned max = from[0] > from[1] ? from[0] : from[1];
        max = max > from[2] ? max : from[2];
        max = max ? max : 1;
        if (kind == SAMPLE_GRAY) {
            *to++ = from[1];
            continue;
        }
        if (kind == SAMPLE_COLOR) {
            memcpy(to, from, 3);
            to += 3;
            continue;
        }
        unsigned flip = kind == SAMPLE_CMYK_PLAIN ? 255 : 0;
        for (int c = 0; c < 3; c++) {
            *to++ = (unsigned char)((from[c] * 255 / max) ^ flip);
        }
        *to++ = (unsigned char)(max ^ flip);
    }
}

static void write_exif(struct jpeg_compress_struct *c, const struct sample_jpeg *o)
{
    unsigned char block[80] = "Exif\0";
    if (o->orientation) {
        size_t n = 6 + sample_exif(block + 6, o->orientation, o->big_endian);
        jpeg_write_marker(c, JPEG_APP0 + 1, (const JOCTET *)"http://ns.adobe.com/xap/1.0/", 29);
        jpeg_write_marker(c, JPEG_APP0 + 1, block, (unsigned)n);
    }
}

/* A scan for each coefficient of each channel: 190 of them. */
static int list_scans(jpeg_scan_info *scans)
{
    int n = 0;
    scans[n++] = (jpeg_scan_info){.comps_in_scan = 3, .component_index = {0, 1, 2}};
    for (int c = 0; c < 3; c++) {
        for (int k = 1; k < 64; k++) {
            scans[n++] =
                (jpeg_scan_info){.comps_in_scan = 1, .component_index = {c}, .Ss = k, .Se = k};
        }
    }
    return n;
}

struct str sample_jpeg(const struct image *im, const struct sample_jpeg *o)
{
    static jpeg_scan_info scans[256];
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr e;
    unsigned char *bytes = NULL;
    unsigned long n = 0;
    bool four = o->kind >= SAMPLE_CMYK;
    c.err = jpeg_std_error(&e);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &bytes, &n);
    c.image_width = im->width;
    c.image_height = im->height;
    c.input_components = o->kind == SAMPLE_GRAY ? 1 : four ? 4 : 3;
    c.in_color_space = o->kind == SAMPLE_GRAY ? JCS_GRAYSCALE : four ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&c);
    if (four) {
        jpeg_set_colorspace(&c, o->kind == SAMPLE_YCCK ? JCS_YCCK : JCS_CMYK);
        c.write_Adobe_marker = o->kind != SAMPLE_CMYK_PLAIN;
    }
    jpeg_set_quality(&c, o->quality, TRUE);
    c.restart_interval = o->restart;
    if (o->full_chroma) {
        c.comp_info[0].h_samp_factor = c.comp_info[0].v_samp_factor = 1;
    }
    if (o->luma_h) {
        c.comp_info[0].h_samp_factor = o->luma_h;
        c.comp_info[0].v_samp_factor = o->luma_v;
    }
    if (o->many_scans) {
        c.num_scans = list_scans(scans);
        c.scan_info = scans;
    } else if (o->progressive) {
        jpeg_simple_progression(&c);
    }
    jpeg_start_compress(&c, TRUE);
    write_exif(&c, o);
    JSAMPROW row = xmalloc((size_t)im->width * 4);
    for (uint32_t y = 0; y < im->height; y++) {
        convert_row(im->data + (size_t)y * im->width * 3, im->width, o->kind, row);
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    struct str out;
    str_init(&out, SIZE_MAX / 2);
    str_add(&out, bytes, n);
    free(row);
    free(bytes);
    return out;
}

struct str sample_png(const void *samples, size_t n, const struct sample_png *o)
{
    struct spng_ihdr head = {.width = o->width,
                             .height = o->height,
                             .bit_depth = o->depth,
                             .color_type = o->color_type,
                             .interlace_method = o->interlaced};
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    assert_int_equal(spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1), 0);
    assert_int_equal(spng_set_ihdr(png, &head), 0);
    if (o->palette) {
        struct spng_plte plte = {.n_entries = (uint32_t)o->n_palette};
        for (size_t i = 0; i < o->n_palette; i++) {
            const unsigned char *q = o->palette + i * 3;
            plte.entries[i] = (struct spng_plte_entry){q[0], q[1], q[2], 255};
        }
        assert_int_equal(spng_set_plte(png, &plte), 0);
    }
    if (o->palette_alpha) {
        struct spng_trns trns = {.n_type3_entries = (uint32_t)o->n_palette};
        memcpy(trns.type3_alpha, o->palette_alpha, o->n_palette);
        assert_int_equal(spng_set_trns(png, &trns), 0);
    }
    unsigned char block[64];
    if (o->orientation) {
        struct spng_exif exif = {.length = sample_exif(block, o->orientation, true),
                                 .data = (char *)block};
        assert_int_equal(spng_set_exif(png, &exif), 0);
    }
    assert_int_equal(spng_encode_image(png, samples, n, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), 0);
    int code = 0;
    size_t size;
    void *bytes = spng_get_png_buffer(png, &size, &code);
    assert_non_null(bytes);
    struct str out;
    str_init(&out, SIZE_MAX / 2);
    str_add(&out, bytes, size);
    free(bytes);
    spng_ctx_free(png);
    return out;
}

double sample_psnr(const struct image *a, const struct image *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    double sum = 0;
    size_t n = (size_t)a->width * a->height * 3;
    for (size_t i = 0; i < n; i++) {
        double d = (double)a->data[i] - b->data[i];
        sum += d * d;
    }
    return sum > 0 ? 10 * log10(255.0 * 255 * (double)n / sum) : INFINITY;
}

const unsigned char *sample_pixel(const struct image *im, uint32_t x, uint32_t y)
{
    assert_true(x < im->width && y < im->height);
    return im->data + ((size_t)y * im->width + x) * 3;
}

void assert_pixel(const struct image *im, uint32_t x, uint32_t y, int r, int g, int b, int slack)
{
    const unsigned char *p = sample_pixel(im, x, y);
    if (abs(p[0] - r) > slack || abs(p[1] - g) > slack || abs(p[2] - b) > slack) {
        fail_msg("pixel %u,%u is %d %d %d, expected %d %d %d within %d", x, y, p[0], p[1], p[2], r,
                 g, b, slack);
    }
}
