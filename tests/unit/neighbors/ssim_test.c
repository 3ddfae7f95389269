/* Structural similarity against its definition written out in doubles, at sizes that no vector divides, and what must
 * hold of every pair. The published numbers are compared by tests/golden through `holdout distance`. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "neighbors/ssim.h"

static unsigned char *picture(struct rng *r, const struct ssim_shape *s, int noise)
{
    unsigned char *rgb = xmalloc((size_t)s->width * s->height * 3);
    for (size_t i = 0; i < (size_t)s->width * s->height * 3; i++) {
        rgb[i] = (unsigned char)(120 + 60 * sin((double)(i % 97) / 9) + rng_unit(r) * noise);
    }
    return rgb;
}

/* Mean over one channel, from sums over each window. */
static double channel_of(const struct ssim_shape *s, const unsigned char *a, const unsigned char *b, unsigned channel)
{
    const double c1 = 2.55 * 2.55, c2 = 7.65 * 7.65, n = (double)s->window * s->window;
    double total = 0;
    uint32_t down = s->height - s->window + 1, across = s->width - s->window + 1;
    for (uint32_t y = 0; y < down; y++) {
        for (uint32_t x = 0; x < across; x++) {
            double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
            for (uint32_t k = 0; k < s->window * s->window; k++) {
                size_t at = (((size_t)y + k / s->window) * s->width + x + k % s->window) * 3 + channel;
                sa += a[at];
                sb += b[at];
                saa += (double)a[at] * a[at];
                sbb += (double)b[at] * b[at];
                sab += (double)a[at] * b[at];
            }
            double ma = sa / n, mb = sb / n, va = (saa / n - ma * ma) * n / (n - 1), vb = (sbb / n - mb * mb) * n / (n - 1);
            double cov = (sab / n - ma * mb) * n / (n - 1);
            total += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
        }
    }
    return total / ((double)down * across);
}

static double distance(const struct ssim_shape *s, const unsigned char *a, const unsigned char *b)
{
    struct ssim_picture pa, pb;
    void *ra = xmalloc(ssim_size(s)), *rb = xmalloc(ssim_size(s)), *scratch = xmalloc(ssim_scratch(s));
    ssim_prepare(s, a, ra, &pa);
    ssim_prepare(s, b, rb, &pb);
    double d = ssim_distance(s, &pa, &pb, scratch);
    assert_true(d == ssim_distance(s, &pb, &pa, scratch)); /* and scratch keeps nothing */
    free(ra);
    free(rb);
    free(scratch);
    return d;
}

TEST(as_defined)
{
    static const struct ssim_shape shapes[] = {{32, 32, 7}, {35, 35, 35}, {61, 47, 35}, {47, 61, 9}, {16, 16, 3},
                                               {33, 20, 19}, {112, 105, 101}};
    struct rng r;
    rng_seed(&r, 1);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct ssim_shape *s = &shapes[i];
        unsigned char *a = picture(&r, s, 9), *b = picture(&r, s, 70);
        double want = 0;
        for (unsigned channel = 0; channel < 3; channel++) {
            want += channel_of(s, a, b, channel) / 3;
        }
        assert_true(fabs(distance(s, a, b) - (1 - want) / 2) < 1e-11);
        assert_true(distance(s, a, a) == 0);
        free(a);
        free(b);
    }
}

TEST(black_and_white_are_far_apart)
{
    struct ssim_shape s = {SSIM_SIDE_MOST, 104, SSIM_WINDOW_MOST}; /* a row's sum of squares passes 32 bits */
    size_t n = (size_t)s.width * s.height * 3;
    unsigned char *black = xcalloc(n, 1), *white = xmalloc(n);
    for (size_t i = 0; i < n; i++) {
        white[i] = 255;
    }
    double d = distance(&s, black, white);
    assert_true(d > .4999 && d < .5); /* SSIM is C1 / (255^2 + C1) */
    free(black);
    free(white);
}
