/* line_bootstrap_test.c - stats/line_bootstrap.h against the same draws fitted one by one. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "near.h"
#include "stats/line.h"
#include "stats/line_bootstrap.h"
#include "stats/percentile.h"

enum { MODELS = 9, RESAMPLES = 1000, FAMILIES = 4, IMAGES_X = 70, IMAGES_Y = 45, SHARED = 20 };
static const double x[MODELS] = {43, 51, 52, 60, 66, 70, 71, 79, 83}, y[MODELS] = {31, 38, 41, 47, 55, 58, 57, 68, 73};
static const uint32_t family[MODELS] = {0, 0, 1, 1, 1, 2, 3, 3, 3};

static void same_found(const struct bootstrap_found *a, const struct bootstrap_found *b)
{
    assert_memory_equal(&a->slope, &b->slope, sizeof a->slope);
    assert_memory_equal(&a->offset, &b->offset, sizeof a->offset);
    assert_int_equal(a->left_out, b->left_out);
}

/* Slopes and offsets of lines fitted one by one. */
struct plain {
    double slope[RESAMPLES], offset[RESAMPLES];
    size_t n;
    uint32_t left_out;
};

static void plain_add(struct plain *p, const double *px, const double *py, size_t n, bool placed)
{
    struct line l;
    if (!placed || !line_fit(px, py, n, &l)) {
        p->left_out++;
        return;
    }
    p->slope[p->n] = l.slope;
    p->offset[p->n++] = l.offset;
}

static void near_plain(const struct bootstrap_found *got, struct plain *p)
{
    assert_int_equal(got->left_out, p->left_out);
    struct interval slope = percentile_interval(p->slope, p->n, 0.05), offset = percentile_interval(p->offset, p->n, 0.05);
    assert_near(got->slope.lo, slope.lo, 1e-11);
    assert_near(got->slope.hi, slope.hi, 1e-11);
    assert_near(got->offset.lo, offset.lo, 1e-9);
    assert_near(got->offset.hi, offset.hi, 1e-9);
}

/* ---- models and families ---- */

static void plain_points(struct plain *p, uint64_t seed, bool families)
{
    uint32_t drawn[MODELS], n = families ? FAMILIES : MODELS;
    double px[MODELS * MODELS], py[MODELS * MODELS];
    struct rng r;
    for (size_t i = 0; i < RESAMPLES; i++) {
        size_t points = 0;
        if (i % BOOTSTRAP_BLOCK == 0) {
            rng_stream(&r, seed, i / BOOTSTRAP_BLOCK);
        }
        rng_fill_below(&r, n, drawn, n);
        for (uint32_t k = 0; k < n; k++) {
            for (uint32_t m = 0; m < MODELS; m++) {
                if ((families ? family[m] : m) == drawn[k]) {
                    px[points] = x[m];
                    py[points++] = y[m];
                }
            }
        }
        plain_add(p, px, py, points, true);
    }
}

TEST(models_and_families_are_fitted_as_they_are_drawn)
{
    for (int families = 0; families < 2; families++) {
        static struct plain p;
        memset(&p, 0, sizeof p);
        const struct bootstrap_points points = {MODELS, x, y, families ? family : NULL, FAMILIES};
        const struct bootstrap_ask ask = {.resamples = RESAMPLES, .seed = 11, .threads = 1};
        struct bootstrap_found got;
        bootstrap_points(&points, &ask, &got);
        plain_points(&p, 11, families);
        near_plain(&got, &p);
        assert_true(got.slope.lo < got.slope.hi && got.offset.lo < got.offset.hi);
    }
}

TEST(threads_change_nothing_and_the_seed_does)
{
    const struct bootstrap_points points = {.n = MODELS, .x = x, .y = y};
    struct bootstrap_ask ask = {.resamples = 20 * BOOTSTRAP_BLOCK + 7, .seed = 1, .threads = 1};
    struct bootstrap_found one, more;
    bootstrap_points(&points, &ask, &one);
    for (ask.threads = 2; ask.threads < 6; ask.threads++) {
        bootstrap_points(&points, &ask, &more);
        same_found(&more, &one);
    }
    ask.seed = 2;
    bootstrap_points(&points, &ask, &more);
    assert_true(more.slope.lo != one.slope.lo && more.offset.hi != one.offset.hi);
}

/* Half of the resamples of two points have one of them twice. */
TEST(resamples_without_a_line_are_left_out)
{
    const double two[2] = {50, 60}, same[3] = {0.1, 0.1, 0.1};
    const struct bootstrap_points points = {.n = 2, .x = two, .y = two}, flat = {.n = 3, .x = same, .y = x};
    const struct bootstrap_ask ask = {.resamples = 10000, .seed = 1, .threads = 2};
    struct bootstrap_found got;
    bootstrap_points(&points, &ask, &got);
    assert_true(got.left_out > 4800 && got.left_out < 5200);
    assert_near(got.slope.lo, 1, 1e-12);
    assert_near(got.slope.hi, 1, 1e-12);
    bootstrap_points(&flat, &ask, &got);
    assert_int_equal(got.left_out, ask.resamples);
    assert_true(isnan(got.slope.lo) && isnan(got.offset.hi));
}

static void note(void *arg, uint64_t done, uint64_t total)
{
    uint64_t *last = arg;
    assert_true(done > *last && done <= total);
    *last = done;
}

TEST(progress_is_told)
{
    uint64_t done = 0;
    const struct bootstrap_points points = {.n = MODELS, .x = x, .y = y};
    const struct bootstrap_ask ask = {.resamples = 1000, .threads = 1, .progress = note, .arg = &done};
    struct bootstrap_found got;
    bootstrap_points(&points, &ask, &got);
    assert_int_equal(done, 1000);
}

/* ---- images ---- */

struct answers {
    uint32_t name_x[IMAGES_X], name_y[IMAGES_Y];
    unsigned char x[MODELS * IMAGES_X], y[MODELS * IMAGES_Y];
};

/* The last SHARED images of x are the first of y, in the other order. */
static void make_answers(struct answers *a, bool shared, double easy)
{
    struct rng r;
    rng_seed(&r, 4);
    for (uint32_t i = 0; i < IMAGES_X; i++) {
        a->name_x[i] = 100 + i;
    }
    for (uint32_t i = 0; i < IMAGES_Y; i++) {
        a->name_y[i] = shared && i < SHARED ? 100 + IMAGES_X - 1 - i : 1000 + i;
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        for (uint32_t i = 0; i < IMAGES_X; i++) {
            a->x[m * IMAGES_X + i] = rng_unit(&r) < easy + 0.05 * m;
        }
        for (uint32_t i = 0; i < IMAGES_Y; i++) {
            a->y[m * IMAGES_Y + i] = rng_unit(&r) < easy + 0.05 * m - 0.1;
        }
    }
}

static struct bootstrap_images images_of(const struct answers *a, enum share_scale scale, bool models)
{
    return (struct bootstrap_images){{IMAGES_X, a->name_x, a->x}, {IMAGES_Y, a->name_y, a->y}, MODELS, scale, models};
}

/* x alone, then y alone, then those of both: in the order of their set, the last in that of x. */
static void plain_images(struct plain *p, const struct answers *a, bool shared, enum share_scale scale, bool models)
{
    uint32_t both = shared ? SHARED : 0, drawn[IMAGES_X], who[MODELS];
    struct rng r;
    for (size_t i = 0; i < RESAMPLES; i++) {
        uint32_t right_x[MODELS] = {0}, right_y[MODELS] = {0};
        double px[MODELS], py[MODELS];
        bool placed = true;
        if (i % BOOTSTRAP_BLOCK == 0) {
            rng_stream(&r, 7, i / BOOTSTRAP_BLOCK);
        }
        rng_fill_below(&r, IMAGES_X - both, drawn, IMAGES_X - both);
        for (uint32_t k = 0; k < IMAGES_X - both; k++) {
            for (uint32_t m = 0; m < MODELS; m++) {
                right_x[m] += a->x[m * IMAGES_X + drawn[k]];
            }
        }
        rng_fill_below(&r, IMAGES_Y - both, drawn, IMAGES_Y - both);
        for (uint32_t k = 0; k < IMAGES_Y - both; k++) {
            for (uint32_t m = 0; m < MODELS; m++) {
                right_y[m] += a->y[m * IMAGES_Y + both + drawn[k]];
            }
        }
        if (both) {
            rng_fill_below(&r, both, drawn, both);
        }
        for (uint32_t k = 0; k < both; k++) {
            for (uint32_t m = 0; m < MODELS; m++) {
                right_x[m] += a->x[m * IMAGES_X + IMAGES_X - both + drawn[k]];
                right_y[m] += a->y[m * IMAGES_Y + both - 1 - drawn[k]];
            }
        }
        if (models) {
            rng_fill_below(&r, MODELS, who, MODELS);
        }
        for (uint32_t m = 0; m < MODELS; m++) {
            uint32_t at = models ? who[m] : m;
            double sx = (double)right_x[at] / IMAGES_X, sy = (double)right_y[at] / IMAGES_Y;
            placed = placed && share_scale_takes(scale, sx) && share_scale_takes(scale, sy);
            px[m] = share_scale_at(scale, sx);
            py[m] = share_scale_at(scale, sy);
        }
        plain_add(p, px, py, MODELS, placed);
    }
}

TEST(images_are_counted_as_they_are_drawn)
{
    static struct answers a;
    for (int way = 0; way < 8; way++) {
        static struct plain p;
        bool shared = way & 1, models = way & 2;
        enum share_scale scale = way & 4 ? SHARE_PROBIT : SHARE_LINEAR;
        memset(&p, 0, sizeof p);
        make_answers(&a, shared, way & 4 ? 0.13 : 0.4);
        const struct bootstrap_images im = images_of(&a, scale, models);
        const struct bootstrap_ask ask = {.resamples = RESAMPLES, .seed = 7, .threads = 1};
        struct bootstrap_found got;
        bootstrap_images(&im, &ask, &got);
        plain_images(&p, &a, shared, scale, models);
        near_plain(&got, &p);
        assert_true(way & 4 ? got.left_out > 0 && got.left_out < RESAMPLES : got.left_out == 0);
    }
}

TEST(threads_change_nothing_of_images)
{
    static struct answers a;
    make_answers(&a, true, 0.4);
    const struct bootstrap_images im = images_of(&a, SHARE_LOGIT, true);
    struct bootstrap_ask ask = {.resamples = 2000, .seed = 3, .threads = 1};
    struct bootstrap_found one, more;
    bootstrap_images(&im, &ask, &one);
    for (ask.threads = 2; ask.threads < 5; ask.threads++) {
        bootstrap_images(&im, &ask, &more);
        same_found(&more, &one);
    }
}

/* All images of x are in y: nothing is drawn for x alone. More models than a row of bits has. */
TEST(one_set_within_the_other_and_many_models)
{
    enum { MANY = 300, IMAGES = 30 };
    static unsigned char right[MANY * IMAGES];
    uint32_t name[IMAGES];
    struct rng r;
    rng_seed(&r, 9);
    for (uint32_t i = 0; i < IMAGES; i++) {
        name[i] = i;
    }
    for (uint32_t i = 0; i < MANY * IMAGES; i++) {
        right[i] = rng_below(&r, MANY) < i / IMAGES;
    }
    const struct bootstrap_images im = {{IMAGES, name, right}, {IMAGES, name, right}, MANY, SHARE_LINEAR, false};
    const struct bootstrap_ask ask = {.resamples = 300, .seed = 3, .threads = 2};
    struct bootstrap_found got;
    bootstrap_images(&im, &ask, &got);
    assert_near(got.slope.lo, 1, 1e-12);
    assert_near(got.slope.hi, 1, 1e-12);
    assert_near(got.offset.hi, 0, 1e-10);
}
