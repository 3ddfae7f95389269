/* gaps_test.c - domain/scores/gaps.h: the gap on common classes, and its intervals against a count of all resamples,
 * against what is known in simulated worlds, and where there is little or nothing to vary. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "domain/scores/gaps.h"
#include "domain/scores/score_table.h"

enum { IMAGES = 2048, MODELS = 20 };

/* A set as it grows: the next image's answers are right[model]. */
struct grown {
    struct gap_set s;
    uint32_t image[IMAGES], class_id[IMAGES];
    unsigned char by_image[IMAGES][MODELS], right[MODELS * IMAGES];
};
struct pair {
    struct grown original, fresh;
    struct gap_ask ask;
    struct gap_classes classes;
    struct gap_line lines[MODELS];
    struct gap_mean mean;
    uint32_t next; /* image */
};

static struct pair *new_pair(void)
{
    return test_calloc(1, sizeof(struct pair));
}

static void put(struct grown *g, uint32_t image, uint32_t class_id, const unsigned char *right)
{
    assert_true(g->s.n < IMAGES);
    g->image[g->s.n] = image;
    g->class_id[g->s.n] = class_id;
    memcpy(g->by_image[g->s.n++], right, MODELS);
}

static void close_set(struct grown *g, size_t models)
{
    for (size_t m = 0; m < models; m++) {
        for (uint32_t i = 0; i < g->s.n; i++) {
            g->right[m * g->s.n + i] = g->by_image[i][m];
        }
    }
    g->s.image = g->image;
    g->s.class_id = g->class_id;
    g->s.right = g->right;
}

static void compute(struct pair *p, size_t models, uint32_t resamples, uint64_t seed)
{
    close_set(&p->original, models);
    close_set(&p->fresh, models);
    p->ask = (struct gap_ask){.original = p->original.s, .fresh = p->fresh.s, .n_models = models,
                              .resamples = resamples, .tail = 40, .seed = seed};
    gap_points(&p->ask, &p->classes, p->lines);
    assert_true(gap_intervals(&p->ask, &p->classes, p->lines, &p->mean));
}

/* `right` of n images of a class, for one model. */
static void some(struct pair *p, struct grown *g, uint32_t class_id, uint32_t n, uint32_t right)
{
    for (uint32_t i = 0; i < n; i++) {
        unsigned char answers[MODELS] = {i < right};
        put(g, p->next++, class_id, answers);
    }
}

static void no_interval(uint32_t k, uint32_t n, double alpha, double *lo, double *hi)
{
    (void)alpha;
    (void)k;
    (void)n;
    *lo = *hi = 0;
}

/* As `holdout score` has it, for one model over all images. */
static double raw_gap(const struct grown *o, const struct grown *w, size_t model)
{
    struct score_counts c = {.model = "m", .orig_n = o->s.n, .new_n = w->s.n};
    struct score_line line;
    for (uint32_t i = 0; i < o->s.n; i++) {
        c.orig_correct += o->by_image[i][model];
    }
    for (uint32_t i = 0; i < w->s.n; i++) {
        c.new_correct += w->by_image[i][model];
    }
    score_table(&c, 1, no_interval, 0.05, &line);
    return line.gap;
}

/* Not with memcmp: structs have room between their members. */
static bool same_range(const struct gap_range *a, const struct gap_range *b)
{
    return a->known == b->known && a->lo == b->lo && a->hi == b->hi;
}

static bool same_line(const struct gap_line *a, const struct gap_line *b)
{
    return a->original_acc == b->original_acc && a->fresh_acc == b->fresh_acc && a->gap == b->gap &&
           same_range(&a->raw, &b->raw) && same_range(&a->common, &b->common) &&
           same_range(&a->original_rank, &b->original_rank) && same_range(&a->fresh_rank, &b->fresh_rank) &&
           same_range(&a->change, &b->change);
}

static bool near(double a, double b, double by)
{
    return fabs(a - b) <= by;
}

/* 24 classes of originals, 19 of them in the new set: the five easy ones make the originals look easier. */
TEST(other_classes)
{
    struct pair *p = new_pair();
    for (uint32_t k = 1; k <= 24; k++) {
        some(p, &p->original, k, 50, k <= 5 ? 50 : 20);
        if (k > 5) {
            some(p, &p->fresh, k, 10, 5);
        }
    }
    compute(p, 1, 200, 1);
    const struct gap_line *l = &p->lines[0];
    assert_true(near(raw_gap(&p->original, &p->fresh, 0), 100 * (630.0 / 1200) - 50, 1e-9));
    assert_true(raw_gap(&p->original, &p->fresh, 0) > 0 && l->gap < 0);
    assert_true(l->original_acc == 40 && l->fresh_acc == 50 && l->gap == -10);
    assert_int_equal(p->classes.original, 24);
    assert_int_equal(p->classes.fresh, 19);
    assert_int_equal(p->classes.common, 19);
    assert_int_equal(p->classes.original_images, 950);
    assert_int_equal(p->classes.fresh_images, 190);
    assert_false(p->classes.same);
    assert_true(l->common.known && l->common.lo < -10 && l->common.hi > -10 && l->common.hi < 0);
    assert_true(l->raw.known && l->raw.lo < 2.5 && l->raw.hi > 2.5);
    test_free(p);
}

/* The originals' class shares weigh both sides. */
TEST(other_shares)
{
    struct pair *p = new_pair();
    some(p, &p->original, 1, 30, 30);
    some(p, &p->original, 2, 10, 0);
    some(p, &p->fresh, 1, 5, 4);
    some(p, &p->fresh, 2, 20, 5);
    compute(p, 1, 200, 1);
    const struct gap_line *l = &p->lines[0];
    assert_true(near(l->original_acc, 75, 1e-12) && near(l->fresh_acc, 100 * (0.75 * 0.8 + 0.25 * 0.25), 1e-9));
    assert_true(near(raw_gap(&p->original, &p->fresh, 0), 75 - 36, 1e-9));
    assert_false(p->classes.same);
    test_free(p);
}

/* With the same shares there is one gap, to the last bit, and one interval. */
TEST(same_shares)
{
    static const uint32_t sizes[][2] = {{10, 10}, {50, 10}, {7, 3}};
    struct rng r;
    rng_seed(&r, 5);
    for (size_t s = 0; s < 3; s++) {
        for (int world = 0; world < 20; world++) {
            struct pair *p = new_pair();
            for (uint32_t k = 1; k <= 29; k++) {
                uint32_t twice = 1 + k % 2; /* classes of two sizes */
                for (uint32_t side = 0; side < 2; side++) {
                    uint32_t n = sizes[s][side] * twice / (sizes[s][0] == 50 ? 2 : 1);
                    some(p, side ? &p->fresh : &p->original, k, n, (uint32_t)rng_below(&r, n + 1));
                }
            }
            compute(p, 1, 40, 1);
            assert_true(p->classes.same);
            assert_true(p->lines[0].gap == raw_gap(&p->original, &p->fresh, 0));
            assert_true(p->lines[0].raw.lo == p->lines[0].common.lo && p->lines[0].raw.hi == p->lines[0].common.hi);
            test_free(p);
        }
    }
}

/* ---- intervals against all resamples there are ---- */

/* Adds up what every way to draw n - 1 of n images gives, each weighing n / (n - 1). */
static size_t all_sums(uint32_t n, const unsigned char *right, double *out)
{
    size_t ways = 1;
    for (uint32_t i = 1; i < n; i++) {
        ways *= n;
    }
    for (size_t way = 0; way < ways; way++) {
        size_t rest = way;
        out[way] = 0;
        for (uint32_t i = 1; i < n; i++, rest /= n) {
            out[way] += right[rest % n] * (double)n / (n - 1);
        }
    }
    return ways;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(every_resample)
{
    static const unsigned char a_o[] = {1, 1, 0, 0}, b_o[] = {1, 0}, a_w[] = {1, 0, 0}, b_w[] = {1, 1, 0};
    static const uint32_t n[4] = {4, 2, 3, 3};
    static const unsigned char *const right[4] = {a_o, b_o, a_w, b_w};
    double sums[4][64], all[64 * 2 * 9 * 9];
    size_t ways[4], total = 0;
    struct pair *p = new_pair();
    for (int h = 0; h < 4; h++) {
        for (uint32_t i = 0; i < n[h]; i++) {
            put(h < 2 ? &p->original : &p->fresh, p->next++, 1 + (uint32_t)h % 2, &(unsigned char[MODELS]){right[h][i]}[0]);
        }
        ways[h] = all_sums(n[h], right[h], sums[h]);
    }
    for (size_t i = 0; i < ways[0] * ways[1] * ways[2] * ways[3]; i++) {
        double a = sums[0][i % 64], b = sums[1][i / 64 % 2], c = sums[2][i / 128 % 9], e = sums[3][i / 1152];
        all[total++] = 100 * ((a + b) / 6 - (4 * c / 3 + 2 * e / 3) / 6);
    }
    qsort(all, total, sizeof *all, by_value);
    compute(p, 1, 8000, 3);
    assert_true(near(p->lines[0].common.lo, all[total / 40], 1e-6));
    assert_true(near(p->lines[0].common.hi, all[total - 1 - total / 40], 1e-6));
    assert_true(same_range(&p->mean.common, &p->lines[0].common) && same_range(&p->mean.raw, &p->lines[0].raw));
    test_free(p);
}

/* Models that err on the same images vary together, others against each other: the mean of two that are right about the
 * other's wrong images does not vary at all; that of twins varies as each does. */
TEST(mean_over_models)
{
    struct pair *p = new_pair();
    for (uint32_t i = 0; i < 80; i++) {
        unsigned char other[MODELS] = {i % 2, !(i % 2)};
        put(i < 40 ? &p->original : &p->fresh, p->next++, 1 + i / 4 % 2, other);
    }
    compute(p, 2, 400, 5);
    assert_true(p->lines[0].raw.known && p->lines[0].raw.hi - p->lines[0].raw.lo > 10);
    assert_true(p->mean.raw.known && near(p->mean.raw.lo, 0, 1e-6) && near(p->mean.raw.hi, 0, 1e-6));
    test_free(p);
    p = new_pair();
    for (uint32_t i = 0; i < 80; i++) {
        unsigned char twins[MODELS] = {i % 3 == 0, i % 3 == 0};
        put(i < 40 ? &p->original : &p->fresh, p->next++, 1 + i % 4 / (i < 40 ? 1 : 2), twins);
    }
    compute(p, 2, 400, 5);
    assert_true(!p->classes.same && same_range(&p->mean.common, &p->lines[1].common) && same_range(&p->mean.raw, &p->lines[0].raw));
    test_free(p);
}

/* ---- simulated worlds ---- */

/* Classes are easy or hard, the new set is harder; how many of its images are the originals' own, of 10. */
static bool covered(struct rng *r, uint32_t shared, bool *width_known, double *width)
{
    struct pair *p = new_pair();
    double truth = 0, images = 0;
    for (uint32_t k = 1; k <= 25; k++) {
        double easy = 0.2 + 0.7 * rng_unit(r), harder = easy * 0.85;
        uint32_t n = 6 + k % 7, fresh = 10;
        for (uint32_t i = 0; i < n; i++) {
            unsigned char answers[MODELS] = {rng_unit(r) < easy};
            put(&p->original, p->next, k, answers);
            if (i < shared) {
                put(&p->fresh, p->next, k, answers);
            }
            p->next++;
        }
        for (uint32_t i = shared; i < fresh; i++) {
            unsigned char answers[MODELS] = {rng_unit(r) < harder};
            put(&p->fresh, p->next++, k, answers);
        }
        truth += n * (easy - (shared * easy + (fresh - shared) * harder) / fresh);
        images += n;
    }
    compute(p, 1, 400, 7);
    const struct gap_range c = p->lines[0].common;
    truth *= 100 / images;
    *width_known = c.known;
    *width += c.hi - c.lo;
    test_free(p);
    return c.lo <= truth && truth <= c.hi;
}

TEST(coverage)
{
    double width[3] = {0};
    struct rng r;
    rng_seed(&r, 20);
    for (uint32_t shared = 0; shared < 6; shared += 5) {
        int in = 0;
        for (int world = 0; world < 200; world++) {
            bool known;
            in += covered(&r, shared, &known, &width[shared / 5]);
            assert_true(known);
        }
        assert_in_range(in, 184, 199); /* of 200, wanted: 190 */
    }
    assert_true(width[1] < 0.8 * width[0]); /* images in both sets vary together */
}

/* ---- little to vary ---- */

/* The same images in both sets: every resample has the same gap, 0. */
TEST(same_images)
{
    struct pair *p = new_pair();
    struct rng r;
    rng_seed(&r, 3);
    for (uint32_t i = 0; i < 100; i++) {
        unsigned char answers[MODELS] = {rng_unit(&r) < 0.5};
        put(&p->original, i, i % 5, answers);
    }
    for (uint32_t i = 100; i-- > 0;) { /* in another order */
        put(&p->fresh, i, p->original.class_id[i], p->original.by_image[i]);
    }
    compute(p, 1, 200, 1);
    assert_true(p->lines[0].raw.known && p->lines[0].raw.lo == 0 && p->lines[0].raw.hi == 0);
    assert_int_equal(p->classes.shared, 100);
    test_free(p);
}

/* One image a class: the images are one stratum, and the interval is that of a proportion. */
TEST(single_images)
{
    struct pair *p = new_pair();
    for (uint32_t k = 1; k <= 200; k++) {
        some(p, &p->original, k, 1, k % 2);
        some(p, &p->fresh, k, 1, k % 4 == 0);
    }
    compute(p, 1, 1000, 1);
    double half = 196 * sqrt(0.25 / 200 + 0.1875 / 200);
    const struct gap_range c = p->lines[0].common;
    assert_true(p->classes.same && c.known);
    assert_true(near(c.lo, 25 - half, 1.2) && near(c.hi, 25 + half, 1.2));
    test_free(p);
}

static double right_share(const struct grown *g)
{
    double right = 0;
    for (uint32_t i = 0; i < g->s.n; i++) {
        right += g->by_image[i][0];
    }
    return right / g->s.n;
}

/* A single image alone varies with the smallest class beside it. */
TEST(lone_image)
{
    struct pair *p = new_pair();
    some(p, &p->original, 1, 1, 1);
    some(p, &p->original, 2, 4, 0);
    some(p, &p->original, 3, 9, 9);
    some(p, &p->fresh, 1, 4, 2);
    some(p, &p->fresh, 2, 4, 2);
    some(p, &p->fresh, 3, 4, 2);
    compute(p, 1, 400, 1);
    assert_true(p->lines[0].raw.known); /* by strata of one class nothing of the originals would vary */
    test_free(p);
}

/* Classes with one image each in the new set: those that the originals lack, and those that weigh more, are harder.
 * The interval is around the gap: images of other classes say nothing about the common ones. */
TEST(single_images_of_other_classes)
{
    struct pair *p = new_pair();
    struct rng r;
    rng_seed(&r, 11);
    for (uint32_t k = 1; k <= 120; k++) {
        bool heavy = k % 2;
        some(p, &p->original, k, heavy ? 16 : 2, heavy ? 8 : 1);
        some(p, &p->fresh, k, 1, rng_unit(&r) < (heavy ? 0.2 : 0.8));
        some(p, &p->fresh, 1000 + k, 1, rng_unit(&r) < 0.95);
    }
    compute(p, 1, 400, 1);
    const struct gap_line *l = &p->lines[0];
    assert_true(p->classes.common == 120 && l->common.known && l->raw.known);
    assert_true(near((l->common.lo + l->common.hi) / 2, l->gap, 2));
    assert_true(near((l->raw.lo + l->raw.hi) / 2, 50 - 100 * right_share(&p->fresh), 2));
    test_free(p);
}

/* All right, or all right class by class: no spread, which is not certainty. */
TEST(no_spread)
{
    struct pair *p = new_pair();
    some(p, &p->original, 1, 8, 8);
    some(p, &p->original, 2, 8, 0);
    some(p, &p->fresh, 1, 8, 4);
    some(p, &p->fresh, 2, 8, 4);
    compute(p, 1, 100, 1);
    const struct gap_line *l = &p->lines[0];
    assert_false(l->raw.known || l->common.known || l->original_rank.known || l->change.known);
    assert_true(l->fresh_rank.known && l->gap == 0);
    test_free(p);
}

TEST(nothing_common)
{
    struct pair *p = new_pair();
    some(p, &p->original, 1, 8, 3);
    some(p, &p->fresh, 2, 8, 4);
    compute(p, 1, 100, 1);
    assert_int_equal(p->classes.common, 0);
    assert_true(!p->classes.same && p->lines[0].gap == 0 && !p->lines[0].common.known && p->lines[0].raw.known);
    compute(p, 0, 100, 1);
    test_free(p);
}

/* ---- ranks ---- */

/* Models 0 and 1 give the same answers, 2 is a little worse, 3 far worse; the ninth begins another word. */
static struct pair *ranked_world(const uint32_t order[MODELS], size_t models, uint64_t seed)
{
    struct pair *p = new_pair();
    struct rng r;
    rng_seed(&r, 9);
    for (uint32_t i = 0; i < 600; i++) {
        unsigned char own[MODELS] = {0}, answers[MODELS] = {0};
        double hard = rng_unit(&r);
        for (size_t m = 0; m < MODELS; m++) {
            static const double skill[4] = {0.7, 0.7, 0.68, 0.4};
            own[m] = (hard + rng_unit(&r)) / 2 < (m < 4 ? skill[m] : 0.2);
        }
        own[1] = own[0];
        for (size_t m = 0; m < models; m++) {
            answers[m] = own[order[m]];
        }
        put(i < 400 ? &p->original : &p->fresh, i, i % 20, answers);
    }
    compute(p, models, 400, seed);
    return p;
}

TEST(ranks)
{
    static const uint32_t plain[MODELS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, turned[MODELS] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    struct pair *p = ranked_world(plain, 10, 1), *q = ranked_world(turned, 10, 1),
                *other = ranked_world(plain, 10, 2);
    for (int m = 0; m < 2; m++) {
        assert_true(p->lines[m].original_rank.known && p->lines[m].original_rank.lo == 1);
        assert_true(p->lines[m].original_rank.hi >= 2); /* a tie: either may be first */
    }
    assert_true(p->lines[3].original_rank.lo == 4 && p->lines[3].original_rank.hi == 4);
    assert_true(p->lines[3].fresh_rank.lo == 4 && p->lines[3].change.lo == 0 && p->lines[3].change.hi == 0);
    assert_true(p->lines[0].change.lo <= -1 && p->lines[0].change.hi >= 1);
    for (int m = 0; m < 10; m++) { /* draws do not depend on which models there are, nor on their order */
        assert_true(same_line(&p->lines[m], &q->lines[9 - m]));
    }
    assert_true(p->lines[0].raw.lo != other->lines[0].raw.lo || p->lines[0].raw.hi != other->lines[0].raw.hi);
    test_free(p);
    test_free(q);
    test_free(other);
}

TEST(stopped)
{
    struct pair *p = new_pair();
    atomic_bool stop = true;
    some(p, &p->original, 1, 8, 3);
    some(p, &p->fresh, 1, 8, 4);
    compute(p, 1, 100, 1);
    struct gap_line before = p->lines[0];
    p->ask.stop = &stop;
    assert_false(gap_intervals(&p->ask, &p->classes, p->lines, &p->mean));
    assert_true(same_line(&before, &p->lines[0]));
    test_free(p);
}
