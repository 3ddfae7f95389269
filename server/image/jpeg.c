/* jpeg.c - reads and writes JPEG with libjpeg-turbo; the only file that sees its header. libjpeg
 * reports failures by a jump: every call into it happens inside one step function that attempt()
 * runs, and all it allocated is freed by one jpeg_destroy after. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "base/xalloc.h"
#include "image/codec.h"

/* Progressive files with thousands of scans take minutes for a few kilobytes; encoders write
 * about ten. */
enum { MAX_SCANS = 64, LARGEST_SIDE = JPEG_MAX_DIMENSION };

/* What both directions share: where to jump, and why. */
struct trouble {
    struct jpeg_error_mgr mgr; /* first: libjpeg hands back a pointer to it */
    jmp_buf out;
    char text[JMSG_LENGTH_MAX];
};

struct reader {
    struct jpeg_decompress_struct c;
    struct trouble trouble;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    struct image *image;
    unsigned char *line; /* of CMYK */
    const struct codec_window *window; /* of codec_jpeg_rows, with who takes its rows */
    codec_row_fn *row;
    void *row_arg;
    int orientation;
    bool inverted;  /* CMYK as Adobe stores it: 255 is no ink */
    bool at_end;    /* the decoder asked for bytes after the last one */
    bool truncated; /* and needed them */
};

static void ignore_text(j_common_ptr c)
{
    (void)c;
}

static void give_up(struct reader *r, const char *why)
{
    snprintf(r->trouble.text, sizeof r->trouble.text, "%s", why);
    longjmp(r->trouble.out, 1);
}

static void give_up_truncated(struct reader *r)
{
    r->truncated = true;
    give_up(r, "truncated: the file ends before its last pixels");
}

/* Whatever goes wrong behind the end of the file went wrong because of it. */
static void jump(j_common_ptr c)
{
    struct trouble *t = (struct trouble *)(void *)c->err;
    struct reader *r = c->is_decompressor ? c->client_data : NULL;
    if (r && r->at_end) {
        give_up_truncated(r);
    }
    c->err->format_message(c, t->text);
    longjmp(t->out, 1);
}

/* level -1 is damaged data that libjpeg can go on after. Behind the end of the file that is
 * missing data: gray bars instead of a picture. */
static void count_warning(j_common_ptr c, int level)
{
    if (level >= 0) {
        return;
    }
    c->err->num_warnings++;
    struct reader *r = c->is_decompressor ? c->client_data : NULL;
    if (r && r->at_end) {
        give_up_truncated(r);
    }
}

static void trouble_init(struct trouble *t)
{
    jpeg_std_error(&t->mgr);
    t->mgr.error_exit = jump;
    t->mgr.output_message = ignore_text;
    t->mgr.emit_message = count_warning;
}

static void source_start(j_decompress_ptr c)
{
    (void)c;
}

/* The whole file is in the buffer, so this is its end. A decoder that looks ahead is given an end
 * marker once; whether anything is missing shows in count_warning. */
static boolean source_fill(j_decompress_ptr c)
{
    static const JOCTET end[2] = {0xff, JPEG_EOI};
    struct reader *r = c->client_data;
    if (r->at_end) {
        give_up_truncated(r);
    }
    r->at_end = true;
    c->src->next_input_byte = end;
    c->src->bytes_in_buffer = sizeof end;
    return TRUE;
}

static void source_skip(j_decompress_ptr c, long n)
{
    if (n <= 0) {
        return;
    }
    size_t step = (size_t)n < c->src->bytes_in_buffer ? (size_t)n : c->src->bytes_in_buffer;
    c->src->next_input_byte += step;
    c->src->bytes_in_buffer -= step;
}

/* Reads the orientation where it lies in the buffer: a copy of every APP1 segment, as libjpeg
 * would save it, is not needed. */
static boolean on_app1(j_decompress_ptr c)
{
    struct reader *r = c->client_data;
    const JOCTET *p = c->src->next_input_byte;
    size_t n = c->src->bytes_in_buffer;
    size_t length = n >= 2 ? (size_t)p[0] << 8 | p[1] : 0;
    if (r->at_end || n < 2 || length > n) {
        give_up_truncated(r);
    }
    if (length < 2) {
        give_up(r, "a marker segment shorter than its own length");
    }
    if (length >= 8 && memcmp(p + 2, "Exif\0\0", 6) == 0 && r->orientation == 0) {
        r->orientation = exif_orientation(p + 8, length - 8);
    }
    source_skip(c, (long)length);
    return TRUE;
}

static void watch_scans(j_common_ptr c)
{
    struct reader *r = c->client_data;
    if (r->c.input_scan_number > MAX_SCANS) {
        give_up(r, "more than 64 scans");
    }
}

/* Runs `step`; false when libjpeg jumped out of it. No locals live across the jump. */
static bool attempt(struct reader *r, void (*step)(struct reader *))
{
    if (setjmp(r->trouble.out)) {
        return false;
    }
    step(r);
    return true;
}

static void read_header(struct reader *r)
{
    jpeg_create_decompress(&r->c);
    r->c.src = &r->source;
    r->progress.progress_monitor = watch_scans;
    r->c.progress = &r->progress;
    jpeg_set_marker_processor(&r->c, JPEG_APP0 + 1, on_app1);
    jpeg_read_header(&r->c, TRUE);
}

/* Adobe's writers store CMYK inverted and mark that; Pillow takes every file for
 * theirs. */
static bool is_inverted(const struct reader *r, enum image_view view)
{
    return view == IMAGE_FOR_MODELS || r->c.saw_Adobe_marker;
}

/* On white paper. */
static void cmyk_to_rgb(const unsigned char *from, unsigned char *to, uint32_t n, bool inverted)
{
    unsigned flip = inverted ? 0 : 255;
    for (uint32_t i = 0; i < n; i++, from += 4, to += 3) {
        unsigned k = from[3] ^ flip;
        for (int ch = 0; ch < 3; ch++) {
            to[ch] = (unsigned char)(((from[ch] ^ flip) * k + 127) / 255);
        }
    }
}

static void read_pixels(struct reader *r)
{
    struct jpeg_decompress_struct *c = &r->c;
    jpeg_start_decompress(c);
    /* All scans were read at once: one that is missing leaves no warning, only this. */
    if (r->at_end && jpeg_has_multiple_scans(c)) {
        give_up_truncated(r);
    }
    struct image *im = r->image;
    BUG_IF(c->output_width != im->width || c->output_height != im->height);
    while (c->output_scanline < c->output_height) {
        unsigned char *to = im->data + (size_t)c->output_scanline * im->width * 3;
        JSAMPROW row = r->line ? r->line : to;
        jpeg_read_scanlines(c, &row, 1);
        if (r->line) {
            cmyk_to_rgb(r->line, to, im->width, r->inverted);
        }
    }
}

static enum err_code unreadable(const struct reader *r, struct err *err)
{
    return err_rule(err, ERR_INPUT, r->truncated ? "image-truncated" : "image-jpeg",
                    "not a readable JPEG file: %s", r->trouble.text);
}

/* The reader for a file in memory, its header read and its size checked. */
static enum err_code open_reader(struct reader *r, const void *p, size_t n,
                                 const struct image_limits *lim, struct image_info *info,
                                 struct err *err)
{
    *r = (struct reader){.source = {.next_input_byte = p,
                                    .bytes_in_buffer = n,
                                    .init_source = source_start,
                                    .fill_input_buffer = source_fill,
                                    .skip_input_data = source_skip,
                                    .resync_to_restart = jpeg_resync_to_restart,
                                    .term_source = source_start}};
    trouble_init(&r->trouble);
    r->c.err = &r->trouble.mgr;
    r->c.client_data = r;
    if (!attempt(r, read_header)) {
        return unreadable(r, err);
    }
    int channels = r->c.num_components;
    if (channels != 1 && channels != 3 && channels != 4) {
        return err_rule(err, ERR_INPUT, "image-jpeg",
                        "not a readable JPEG file: %d channels; expected 1, 3 or 4", channels);
    }
    info->width = r->c.image_width;
    info->height = r->c.image_height;
    info->orientation = r->orientation ? r->orientation : 1;
    info->views_differ = channels == 4 && !r->c.saw_Adobe_marker;
    return image_check_size(info->width, info->height, lim, err);
}

static void close_reader(struct reader *r)
{
    free(r->line);
    jpeg_destroy_decompress(&r->c);
}

enum err_code codec_jpeg_info(const void *p, size_t n, const struct image_limits *lim,
                              struct image_info *out, struct err *err)
{
    struct reader r;
    enum err_code rc = open_reader(&r, p, n, lim, out, err);
    close_reader(&r);
    return rc;
}

static uint32_t scaled(uint32_t side, unsigned eighths)
{
    return (uint32_t)(((uint64_t)side * eighths + 7) / 8);
}

/* The smallest scale whose long side is still at least `least`. */
static unsigned choose_eighths(uint32_t width, uint32_t height, uint32_t least)
{
    uint32_t side = width > height ? width : height;
    unsigned eighths = 1;
    while (eighths < 8 && (least == 0 || scaled(side, eighths) < least)) {
        eighths++;
    }
    return eighths;
}

enum err_code codec_jpeg_decode(const void *p, size_t n, enum image_view view, uint32_t least_side,
                                const struct image_limits *lim, struct image_info *info,
                                struct image *out, struct err *err)
{
    struct reader r;
    struct image im = {0};
    enum err_code rc = open_reader(&r, p, n, lim, info, err);
    if (rc != OK) {
        goto out;
    }
    unsigned eighths = choose_eighths(info->width, info->height, least_side);
    bool cmyk = r.c.num_components == 4;
    r.c.scale_num = eighths;
    r.c.scale_denom = 8;
    r.c.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    im.width = scaled(info->width, eighths);
    im.height = scaled(info->height, eighths);
    rc = image_alloc(&im, err);
    if (rc != OK) {
        goto out;
    }
    r.image = &im;
    r.inverted = is_inverted(&r, view);
    r.line = cmyk ? xmalloc((size_t)im.width * 4) : NULL;
    if (!attempt(&r, read_pixels)) {
        rc = unreadable(&r, err);
        goto out;
    }
    im.warnings = (uint32_t)r.trouble.mgr.num_warnings;
    *out = im;
    im.data = NULL;
out:
    image_release(&im);
    close_reader(&r);
    return rc;
}

/* Skipping rows is not written for arithmetic coding in every version of libjpeg. */
static void skip_rows(struct jpeg_decompress_struct *c, JDIMENSION n, unsigned char *line)
{
    if (n > 0 && !c->arith_code) {
        jpeg_skip_scanlines(c, n);
        return;
    }
    for (JDIMENSION i = 0; i < n; i++) {
        jpeg_read_scanlines(c, &line, 1);
    }
}

/* Leaves out the columns left and right of the window. The outermost blocks of what is computed may
 * differ from the whole picture's where chroma is interpolated: one more on each side is computed. */
static JDIMENSION narrow_to(struct jpeg_decompress_struct *c, const struct codec_window *w)
{
    JDIMENSION margin = (JDIMENSION)c->max_h_samp_factor * DCTSIZE;
    JDIMENSION left = w->left > margin ? w->left - margin : 0, end = w->left + w->width + margin;
    JDIMENSION width = (end < c->output_width ? end : c->output_width) - left;
    if (width < c->output_width) {
        jpeg_crop_scanline(c, &left, &width);
    }
    return left;
}

/* Above the window rows are skipped. Below it all but the last are: reading that one makes libjpeg read
 * all that stands before it, and a file that ends too early is found as by everybody else. */
static void read_window(struct reader *r)
{
    struct jpeg_decompress_struct *c = &r->c;
    const struct codec_window *w = r->window;
    jpeg_start_decompress(c);
    if (r->at_end && jpeg_has_multiple_scans(c)) {
        give_up_truncated(r);
    }
    size_t n = c->output_width;
    unsigned char *line = c->mem->alloc_large((j_common_ptr)c, JPOOL_IMAGE, n * 4);
    unsigned char *rgb = line;
    bool cmyk = c->out_color_space == JCS_CMYK;
    if (cmyk) {
        rgb = c->mem->alloc_large((j_common_ptr)c, JPOOL_IMAGE, n * 3);
    }
    size_t first = w->left - narrow_to(c, w);
    skip_rows(c, w->top, line);
    for (uint32_t y = w->top; y < w->top + w->height; y++) {
        jpeg_read_scanlines(c, &line, 1);
        if (cmyk) {
            cmyk_to_rgb(line, rgb, c->output_width, r->inverted);
        }
        r->row(r->row_arg, y, rgb + first * 3);
    }
    if (c->output_scanline < c->output_height) {
        skip_rows(c, c->output_height - c->output_scanline - 1, line);
        jpeg_read_scanlines(c, &line, 1);
    }
}

enum err_code codec_jpeg_rows(const void *p, size_t n, const struct image_limits *lim,
                              const struct codec_window *window, codec_row_fn *row, void *arg,
                              struct err *err)
{
    struct reader r;
    struct image_info info;
    enum err_code rc = open_reader(&r, p, n, lim, &info, err);
    if (rc == OK) {
        BUG_IF(window->left + window->width > info.width || window->top + window->height > info.height);
        r.c.out_color_space = r.c.num_components == 4 ? JCS_CMYK : JCS_RGB;
        r.window = window;
        r.row = row;
        r.row_arg = arg;
        r.inverted = is_inverted(&r, IMAGE_FOR_MODELS);
        if (!attempt(&r, read_window)) {
            rc = unreadable(&r, err);
        }
    }
    close_reader(&r);
    return rc;
}

/* Writing: libjpeg fills `chunk`, which is added to the caller's buffer whenever it is full. */
struct writer {
    struct jpeg_compress_struct c;
    struct trouble trouble;
    struct jpeg_destination_mgr sink;
    struct str *out;
    const struct image *image;
    int quality;
    JOCTET chunk[16384];
};

static void sink_start(j_compress_ptr c)
{
    struct writer *w = c->client_data;
    w->sink.next_output_byte = w->chunk;
    w->sink.free_in_buffer = sizeof w->chunk;
}

static boolean sink_flush(j_compress_ptr c)
{
    struct writer *w = c->client_data;
    str_add(w->out, w->chunk, sizeof w->chunk);
    sink_start(c);
    return TRUE;
}

static void sink_end(j_compress_ptr c)
{
    struct writer *w = c->client_data;
    str_add(w->out, w->chunk, sizeof w->chunk - w->sink.free_in_buffer);
}

static void write_pixels(struct writer *w)
{
    struct jpeg_compress_struct *c = &w->c;
    jpeg_create_compress(c);
    w->sink = (struct jpeg_destination_mgr){.init_destination = sink_start,
                                            .empty_output_buffer = sink_flush,
                                            .term_destination = sink_end};
    c->dest = &w->sink;
    c->image_width = w->image->width;
    c->image_height = w->image->height;
    c->input_components = 3;
    c->in_color_space = JCS_RGB;
    jpeg_set_defaults(c);
    jpeg_set_quality(c, w->quality, TRUE);
    c->optimize_coding = FALSE;
    jpeg_start_compress(c, TRUE);
    while (c->next_scanline < c->image_height) {
        /* libjpeg takes rows without const and does not write to them. */
        JSAMPROW row = w->image->data + (size_t)c->next_scanline * w->image->width * 3;
        jpeg_write_scanlines(c, &row, 1);
    }
    jpeg_finish_compress(c);
}

static bool attempt_write(struct writer *w)
{
    if (setjmp(w->trouble.out)) {
        return false;
    }
    write_pixels(w);
    return true;
}

enum err_code image_encode_jpeg(const struct image *im, int quality, struct str *out,
                                struct err *err)
{
    BUG_IF(quality < 1 || quality > 100 || im->width == 0 || im->height == 0);
    if (im->width > LARGEST_SIDE || im->height > LARGEST_SIDE) {
        return err_set(err, ERR_LIMIT, "a JPEG file holds at most %d pixels on a side",
                       (int)LARGEST_SIDE);
    }
    struct writer *w = xcalloc(1, sizeof *w);
    w->out = out;
    w->image = im;
    w->quality = quality;
    trouble_init(&w->trouble);
    w->c.err = &w->trouble.mgr;
    w->c.client_data = w;
    enum err_code rc = OK;
    if (!attempt_write(w)) {
        rc = err_set(err, ERR_BUSY, "a JPEG file could not be written: %s", w->trouble.text);
    } else {
        rc = str_check(out, "a JPEG file", err);
    }
    jpeg_destroy_compress(&w->c);
    free(w);
    return rc;
}
