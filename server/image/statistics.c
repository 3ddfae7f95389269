/* statistics.c - colour, sharpness and brightness of a picture. Computed from the pixels of the
 * view, so that images of all sizes compare. */
#include "image/statistics.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { GRAY_SLACK = 8 };
#define ONE ((uint64_t)1 << 32) /* of fractions in whole numbers */

struct sums {
    uint64_t luma;
    uint64_t saturation; /* in units of 1 / ONE */
    int widest;          /* largest difference between a pixel's channels */
};

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

static int most_of(int a, int b)
{
    return a > b ? a : b;
}

/* Adds one row and writes its luma. */
static void add_row(const unsigned char *p, uint32_t n, const uint64_t *reciprocal,
                    struct sums *s, int16_t *luma)
{
    uint64_t saturation = 0;
    uint32_t sum = 0; /* a row has at most 2^16 pixels of at most 2^8 */
    for (uint32_t x = 0; x < n; x++, p += 3) {
        int most = most_of(most_of(p[0], p[1]), p[2]);
        int range = most - least_of(least_of(p[0], p[1]), p[2]);
        int y = (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8;
        luma[x] = (int16_t)y;
        sum += (uint32_t)y;
        saturation += (uint64_t)range * reciprocal[most];
        s->widest = most_of(s->widest, range);
    }
    s->luma += sum;
    s->saturation += saturation;
}

/* Adds the Laplacian's values and their squares along the middle of three rows. */
static void add_laplacian(const int16_t *above, const int16_t *row, const int16_t *below,
                          uint32_t n, int64_t *sum, int64_t *squares)
{
    int32_t total = 0;
    int64_t of_squares = 0;
    for (uint32_t x = 1; x + 1 < n; x++) {
        int32_t v = above[x] + below[x] + row[x - 1] + row[x + 1] - 4 * row[x];
        total += v;
        of_squares += (int64_t)v * v;
    }
    *sum += total;
    *squares += of_squares;
}

static double variance(int64_t sum, int64_t squares, double n)
{
    double mean = (double)sum / n;
    double v = (double)squares / n - mean * mean;
    return v > 0 ? v : 0;
}

void image_statistics(const struct image *im, struct image_statistics *out)
{
    BUG_IF(im->width == 0 || im->height == 0 || im->width > UINT16_MAX);
    uint64_t reciprocal[256] = {0}; /* rounded down: no pixel counts for more than 1 */
    uint32_t n = im->width;
    struct sums s = {0};
    int64_t sum = 0, squares = 0;
    int16_t *rows = xcalloc((size_t)n * 3, sizeof *rows); /* the last three rows' luma */
    for (unsigned v = 1; v < 256; v++) {
        reciprocal[v] = ONE / v;
    }
    for (uint32_t y = 0; y < im->height; y++) {
        int16_t *last = rows + (size_t)(y % 3) * n;
        add_row(im->data + (size_t)y * n * 3, n, reciprocal, &s, last);
        if (y >= 2) {
            add_laplacian(rows + (size_t)((y - 2) % 3) * n, rows + (size_t)((y - 1) % 3) * n, last,
                          n, &sum, &squares);
        }
    }
    free(rows);
    double pixels = (double)n * im->height;
    bool inside = n > 2 && im->height > 2;
    *out = (struct image_statistics){
        .gray = s.widest <= GRAY_SLACK,
        .saturation = (double)s.saturation / pixels / (double)ONE,
        .sharpness = inside ? variance(sum, squares, (n - 2.0) * (im->height - 2.0)) : 0,
        .brightness = (double)s.luma / pixels / 255,
    };
}
