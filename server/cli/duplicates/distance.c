/* distance.c - `holdout distance`: how far two pictures are apart by a near-duplicate metric. For comparing with other
 * programs and for finding thresholds; needs no project. */
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "cli/core/commands.h"
#include "image/image.h"
#include "image/ppm.h"
#include "neighbors/pixels.h"
#include "neighbors/ssim.h"

enum { FILE_MOST = 256 << 20, SIDE_MOST = SSIM_SIDE_MOST };

/* A project's limits guard a server; whoever names a file here means it. */
static const struct image_limits limits = {.max_side = 65500, .max_pixels = (uint64_t)1 << 29};

static enum err_code read_picture(const char *path, int64_t side, struct image *out, struct err *err)
{
    struct str file;
    struct image whole = {0};
    struct err why = {0};
    str_init(&file, FILE_MOST);
    enum err_code rc = fs_read(path, &file, err);
    if (rc == OK) {
        rc = ppm_sniff(file.p, file.n) ? ppm_decode(file.p, file.n, &limits, &whole, &why)
                                       : image_decode(file.p, file.n, IMAGE_FOR_PEOPLE, 0, &limits, &whole, &why);
        rc = rc == OK ? OK : err_set(err, rc, "%s: %s", path, why.msg);
    }
    str_release(&file);
    if (rc == OK && side) {
        rc = image_resize(&whole, (uint32_t)side, (uint32_t)side, out, err);
        image_release(&whole);
    } else if (rc == OK) {
        *out = whole;
    }
    return rc;
}

static double dssim(const struct image *a, const struct image *b, uint32_t window)
{
    struct ssim_shape shape = {a->width, a->height, window};
    struct ssim_picture pa, pb;
    void *ra = xmalloc(ssim_size(&shape)), *rb = xmalloc(ssim_size(&shape)), *scratch = xmalloc(ssim_scratch(&shape));
    ssim_prepare(&shape, a->data, ra, &pa);
    ssim_prepare(&shape, b->data, rb, &pb);
    double d = ssim_distance(&shape, &pa, &pb, scratch);
    free(ra);
    free(rb);
    free(scratch);
    return d;
}

/* One number of two pictures of one size. */
static enum err_code measure(struct cli *cli, bool structure, const struct image *a, const struct image *b,
                             uint32_t window, double *out)
{
    if (a->width != b->width || a->height != b->height) {
        return err_set(&cli->err, ERR_INPUT,
                       "%s has %u x %u pixels, %s %u x %u; --size 256 compares both at 256 x 256", cli->args[0],
                       a->width, a->height, cli->args[1], b->width, b->height);
    }
    if (a->width > SIDE_MOST || a->height > SIDE_MOST) {
        return err_set(&cli->err, ERR_INPUT,
                       "%u x %u pixels are more than the %d x %d that are compared; --size 256 makes both smaller",
                       a->width, a->height, SIDE_MOST, SIDE_MOST);
    }
    if (structure && (window > a->width || window > a->height)) {
        return err_set(&cli->err, ERR_INPUT,
                       "a window of %u pixels does not fit into %u x %u; --window takes an odd number up to the shorter "
                       "side", window, a->width, a->height);
    }
    *out = structure ? dssim(a, b, window)
                     : (double)pixels_distance(a->data, b->data, (size_t)a->width * a->height * 3);
    return OK;
}

enum err_code cmd_distance(struct cli *cli)
{
    const char *metric = cli_opt(cli, "metric");
    struct image a = {0}, b = {0};
    int64_t size, window;
    double distance = 0;
    enum err_code rc = cli_opt_int(cli, "size", 8, SIDE_MOST, 0, &size);
    rc = rc == OK ? cli_opt_int(cli, "window", 3, SSIM_WINDOW_MOST, SSIM_WINDOW, &window) : rc;
    if (rc != OK) {
        return rc;
    }
    if (metric && strcmp(metric, "l2") != 0 && strcmp(metric, "dssim") != 0) {
        return cli_usage(cli, "--metric must be l2 or dssim");
    }
    if (window % 2 == 0) {
        return cli_usage(cli, "--window must be odd");
    }
    bool structure = metric && strcmp(metric, "dssim") == 0;
    rc = read_picture(cli->args[0], size, &a, &cli->err);
    rc = rc == OK ? read_picture(cli->args[1], size, &b, &cli->err) : rc;
    rc = rc == OK ? measure(cli, structure, &a, &b, (uint32_t)window, &distance) : rc;
    if (rc == OK) {
        printf("%.17g\n", distance);
    }
    image_release(&a);
    image_release(&b);
    return rc;
}
