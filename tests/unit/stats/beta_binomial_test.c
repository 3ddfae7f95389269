/* beta_binomial_test.c - fits beside the likelihood over a grid of all distributions, draws from a
 * known one, and the ends: no cells, no spread, one image. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/beta_binomial.h"

static const struct beta_hold free_hold = {{0.5, 2}, 0, 0};

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("%.17g is not %.17g", got, want);
    }
}

/* By the beta function, as textbooks write it; the factor that counts arrangements is left out. */
static double log_likelihood(const struct beta_cell *cells, size_t n, double mean, double size)
{
    double a = mean * size, b = size - a, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double k = cells[i].selected, m = cells[i].shown;
        sum += cells[i].count * (lgamma(a + k) + lgamma(b + m - k) - lgamma(size + m) - lgamma(a) -
                                 lgamma(b) + lgamma(size));
    }
    return sum;
}

/* No neighbour of the fit is likelier, and none of a grid over the whole box is. */
static void assert_likeliest(const struct beta_cell *cells, size_t n, const struct beta *fit)
{
    double best = log_likelihood(cells, n, fit->mean, fit->size), near = 1e-7 * fabs(best) + 1e-9;
    for (double mean = 0.02; mean < 1; mean += 0.04) {
        for (double size = 0.025; size < 9000; size *= 1.5) {
            assert_true(log_likelihood(cells, n, mean, size) <= best + near);
        }
    }
    for (int i = 0; i < 8; i++) {
        double mean = fit->mean + 1e-3 * cos(i * acos(-1) / 4);
        double size = fmin(1e4, fit->size * (1 + 1e-2 * sin(i * acos(-1) / 4)));
        assert_true(log_likelihood(cells, n, mean, size) <= best + near);
    }
}

/* Selected by a frequency that is itself drawn: the mean of that many uniform numbers. */
static size_t draw_cells(struct rng *r, struct beta_cell *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double p = 0;
        for (int u = 0; u < 2; u++) {
            p += rng_unit(r) / 2;
        }
        out[i] =
            (struct beta_cell){1 + (uint32_t)rng_below(r, 14), 0, 1 + (uint32_t)rng_below(r, 3)};
        for (uint32_t v = 0; v < out[i].shown; v++) {
            out[i].selected += rng_unit(r) < p;
        }
    }
    return n;
}

static void nothing_is_likelier(void **state)
{
    struct rng r;
    (void)state;
    rng_seed(&r, 11);
    for (int round = 0; round < 40; round++) {
        struct beta_cell cells[30];
        size_t n = draw_cells(&r, cells, 10 + rng_below(&r, 21));
        struct beta fit = beta_binomial_fit(cells, n, &free_hold, &free_hold.centre);
        assert_likeliest(cells, n, &fit);
        /* The same from elsewhere. */
        struct beta far = beta_binomial_fit(cells, n, &free_hold, &(struct beta){0.95, 200});
        assert_near(log_likelihood(cells, n, far.mean, far.size),
                    log_likelihood(cells, n, fit.mean, fit.size), 1e-6);
    }
}

/* All answers of uniform frequencies: Beta(1, 1) makes each k of 0 to n equally common. */
static void uniform_frequencies(void **state)
{
    struct beta_cell cells[11];
    (void)state;
    for (uint32_t k = 0; k <= 10; k++) {
        cells[k] = (struct beta_cell){10, k, 1000};
    }
    struct beta fit = beta_binomial_fit(cells, 11, &free_hold, &(struct beta){0.3, 9});
    assert_near(fit.mean, 0.5, 1e-6);
    assert_near(fit.size, 2, 1e-4);
    /* Laplace's rule of succession. */
    assert_near(beta_posterior_mean(&(struct beta){0.5, 2}, 10, 7), 8.0 / 12, 1e-15);
    assert_near(beta_posterior_variance(&(struct beta){0.5, 2}, 10, 7), 8.0 * 4 / (144 * 13),
                1e-15);
}

static void the_ends(void **state)
{
    static const struct beta_hold hold = {{0.4, 3}, 2, 1};
    (void)state;
    struct beta none = beta_binomial_fit(NULL, 0, &hold, &hold.centre);
    assert_true(none.mean == 0.4 && none.size == 3);
    struct beta_cell empty = {0, 0, 7};
    none = beta_binomial_fit(&empty, 1, &hold, &hold.centre);
    assert_true(none.mean == 0.4 && none.size == 3);
    /* Every image 5 of 10: less spread than answers alone have. */
    struct beta_cell even = {10, 5, 100};
    struct beta fit = beta_binomial_fit(&even, 1, &free_hold, &free_hold.centre);
    assert_near(fit.mean, 0.5, 1e-6);
    assert_true(fit.size > 9000);
    /* All or nothing: as spread as can be. */
    struct beta_cell ends[] = {{10, 0, 60}, {10, 10, 40}};
    fit = beta_binomial_fit(ends, 2, &free_hold, &free_hold.centre);
    assert_near(fit.mean, 0.4, 0.01);
    assert_true(fit.size < 0.03);
    /* Ticks alone stay inside the box, and a hold keeps them from its wall. */
    struct beta_cell ticks = {10, 10, 3};
    fit = beta_binomial_fit(&ticks, 1, &free_hold, &free_hold.centre);
    assert_true(fit.mean > 0.99 && fit.mean < 1);
    fit = beta_binomial_fit(&ticks, 1, &hold, &hold.centre);
    assert_true(fit.mean > 0.5 && fit.mean < 0.99 && fit.size > 1 && fit.size < 9);
}

/* A hold moves the fit of three images far and that of three thousand hardly. */
static void a_hold_gives_way(void **state)
{
    static const struct beta_hold hold = {{0.4, 3}, 1, 0.5};
    struct beta_cell few[] = {{10, 9, 2}, {10, 7, 1}}, many[] = {{10, 9, 2000}, {10, 7, 1000}};
    (void)state;
    struct beta a = beta_binomial_fit(few, 2, &hold, &hold.centre);
    struct beta b = beta_binomial_fit(many, 2, &hold, &hold.centre);
    struct beta c = beta_binomial_fit(many, 2, &free_hold, &hold.centre);
    assert_true(a.mean < b.mean && b.mean < c.mean + 1e-3);
    assert_near(b.mean, c.mean, 2e-3);
    assert_true(a.size < 20 && b.size > 100);
}

static void many_answers(void **state)
{
    struct beta_cell cells[] = {{BETA_SHOWN_MOST, 100, 3}, {BETA_SHOWN_MOST, 300, 5}, {1, 1, 4}};
    (void)state;
    struct beta fit = beta_binomial_fit(cells, 3, &free_hold, &free_hold.centre);
    assert_likeliest(cells, 3, &fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_likelier),
        cmocka_unit_test(uniform_frequencies),
        cmocka_unit_test(the_ends),
        cmocka_unit_test(a_hold_gives_way),
        cmocka_unit_test(many_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
