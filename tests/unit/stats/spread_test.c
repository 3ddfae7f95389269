/* spread_test.c - spreads that are known: what k of n answers then say about an image's true
 * frequency, before and after a review that sees it. */
#include "unit.h"

#include <math.h>

#include "stats/spread.h"

enum { ANSWERS = 10, POINTS = 4000, IMAGES = 200000 };

/* A spread in closed form and a review, both by true frequency. */
struct known {
    double (*density)(double p);
    double (*kept)(double p);
};

static double beta_2_3(double p)
{
    return 12 * p * (1 - p) * (1 - p);
}

static double humps(double p)
{
    return exp(-200 * (p - 0.25) * (p - 0.25)) + exp(-300 * (p - 0.8) * (p - 0.8));
}

static double all(double p)
{
    (void)p;
    return 1;
}

static double the_better(double p)
{
    return 1 / (1 + exp(-15 * (p - 0.4)));
}

static double ways(unsigned n, unsigned k)
{
    int sign;
    return exp(lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign));
}

/* Moments of the true frequency of images with k ticks that the review kept, or removed: their
 * share of all, their mean and variance. */
static double moments(const struct known *w, unsigned k, bool kept, double *mean, double *variance)
{
    double sum = 0, all_sum = 0, first = 0, second = 0;
    for (int i = 0; i < POINTS; i++) {
        double p = (i + 0.5) / POINTS, is = w->density(p);
        double x = is * ways(ANSWERS, k) * pow(p, k) * pow(1 - p, ANSWERS - (int)k) *
                   (kept ? w->kept(p) : 1 - w->kept(p));
        all_sum += is;
        sum += x;
        first += x * p;
        second += x * p * p;
    }
    *mean = first / sum;
    *variance = second / sum - *mean * *mean;
    return sum / all_sum;
}

/* Expected counts of two classes with the same spread; every second image was reviewed. */
static size_t make_cells(const struct known *w, struct spread_cell *out, size_t *from)
{
    size_t n = 0;
    for (int c = 0; c < 2; c++) {
        from[c] = n;
        for (unsigned k = 0; k <= ANSWERS; k++) {
            double mean, variance, kept = moments(w, k, true, &mean, &variance);
            double removed = moments(w, k, false, &mean, &variance);
            const double shares[] = {(kept + removed) / 2, kept / 2, removed / 2};
            for (int review = 0; review < SPREAD_REVIEWS; review++) {
                out[n++] =
                    (struct spread_cell){ANSWERS, k, (uint32_t)lround(IMAGES * shares[review]),
                                         (enum spread_review)review};
            }
        }
    }
    from[2] = n;
    return n;
}

static void assert_near(double got, double want, double most)
{
    if (!(fabs(got - want) <= most)) {
        fail_msg("%.6f is not %.6f", got, want);
    }
}

static void compare(const struct known *w, double most)
{
    struct spread_cell cells[2 * (ANSWERS + 1) * SPREAD_REVIEWS];
    size_t from[3];
    struct spread *s = spread_new(2, ANSWERS), *same = spread_new(2, ANSWERS);
    make_cells(w, cells, from);
    const struct spread_cells in = {cells, from};
    assert_true(spread_fit(s, &in));
    spread_step(same, s, &in);
    for (unsigned k = 3; k <= ANSWERS; k++) {
        const struct spread_cell image = {ANSWERS, k, 1, SPREAD_KEPT};
        struct spread_image got = spread_of_image(s, k % 2, &image);
        double mean, variance;
        moments(w, k, true, &mean, &variance);
        assert_near(got.mean, mean, most);
        assert_near(sqrt(got.variance), sqrt(variance), 3 * most);
        assert_true(got.shown >= 0 && got.shown <= got.variance);
        assert_true((got.shown > 0) == (k < ANSWERS));
        /* At the top a further step leads nowhere. */
        assert_near(spread_of_image(same, k % 2, &image).mean, got.mean, 1e-4);
    }
    spread_free(s);
    spread_free(same);
}

TEST(a_beta)
{
    const struct known w = {beta_2_3, all};
    compare(&w, 0.002);
}

TEST(a_beta_in_closed_form)
{
    struct spread_cell cells[2 * (ANSWERS + 1) * SPREAD_REVIEWS];
    size_t from[3];
    const struct known w = {beta_2_3, all};
    struct spread *s = spread_new(2, ANSWERS);
    make_cells(&w, cells, from);
    assert_true(spread_fit(s, &(struct spread_cells){cells, from}));
    for (unsigned k = 0; k <= ANSWERS; k++) {
        const struct spread_cell image = {ANSWERS, k, 1, SPREAD_UNSEEN};
        assert_near(spread_of_image(s, 0, &image).mean, (2.0 + k) / (5 + ANSWERS), 0.002);
    }
    spread_free(s);
}

TEST(humps_and_a_review)
{
    const struct known w = {humps, the_better};
    compare(&w, 0.012); /* humps narrower than ten answers can tell */
}

/* Classes without images say nothing and harm nothing; no classes at all have no spread. */
TEST(hardly_any_data)
{
    static const struct spread_cell one = {3, 2, 1, SPREAD_KEPT};
    const size_t from[] = {0, 0, 1}, none[] = {0};
    struct spread *s = spread_new(2, 3), *empty = spread_new(0, 0);
    assert_true(spread_fit(s, &(struct spread_cells){&one, from}));
    struct spread_image image = spread_of_image(s, 0, &one);
    assert_true(image.mean > 0.3 && image.mean < 0.8 && image.variance > 0);
    assert_false(spread_fit(empty, &(struct spread_cells){NULL, none}));
    spread_free(s);
    spread_free(empty);
    spread_free(NULL);
}

/* Many answers are nearly the frequency itself. */
TEST(many_answers)
{
    static const struct spread_cell cells[] = {{400, 40, 50, SPREAD_UNSEEN},
                                               {400, 300, 50, SPREAD_UNSEEN}};
    const size_t from[] = {0, 2};
    struct spread *s = spread_new(1, SPREAD_SHOWN_MOST);
    assert_true(spread_fit(s, &(struct spread_cells){cells, from}));
    assert_near(spread_of_image(s, 0, &cells[0]).mean, 0.1, 0.01);
    assert_near(spread_of_image(s, 0, &cells[1]).mean, 0.75, 0.01);
    spread_free(s);
}
