/* fit_test.c - measures/fits/fit.h on points whose line is known, and what it refuses. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "measures/fits/fit.h"

enum { N = 6 };

/* Five on y = .8 x + 10 (percent), the last 5 points above it and left out. */
static struct fit_point *points(double (*y)(double x))
{
    static const char *const names[N] = {"a", "b", "c", "d", "e", "above"};
    static const double x[N] = {0.40, 0.50, 0.55, 0.70, 0.80, 0.60};
    struct fit_point *p = arena_calloc(&unit_arena, N, sizeof *p);
    for (int i = 0; i < N; i++) {
        p[i] = (struct fit_point){.model = sv_of(names[i]), .x = x[i], .y = y(x[i])};
    }
    p[N - 1].y += 0.05;
    p[N - 1].left_out = "on request";
    return p;
}

static double straight(double x)
{
    return 0.8 * x + 0.1;
}

static double normal(double x)
{
    return share_scale_inverse(SHARE_PROBIT, 0.9 * share_scale_at(SHARE_PROBIT, x) - 0.3);
}

static struct fit_ask ask_of(enum share_scale scale, enum fit_over over)
{
    return (struct fit_ask){.scale = scale, .over = over, .bootstrap = {.resamples = 500, .seed = 1, .threads = 1}};
}

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) < 1e-10)) {
        fail_msg("got %.17g, want %.17g", got, want);
    }
}

ARENA_TEST(a_line_and_a_model_above_it)
{
    struct fit_ask ask = ask_of(SHARE_LINEAR, FIT_MODELS);
    struct fit_point *p = points(straight);
    struct fit_found f;
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), OK);
    assert_int_equal(f.line.n, N - 1);
    assert_near(f.line.slope, 0.8);
    assert_near(f.line.offset, 10);
    assert_near(f.range.slope.lo, 0.8);
    assert_near(f.spearman, 1);
    assert_near(f.kendall, 1);
    assert_true(f.bends && fabs(f.bend.term) < 1e-10);
    assert_near(p[0].robustness, 0);
    assert_near(p[N - 1].fitted, 0.58);
    assert_near(p[N - 1].robustness, 5);
    assert_near(p[N - 1].residual, 5);
}

/* Residuals of the line through all six grow by .5 points a year when the points are moved so; the drift is found. */
ARENA_TEST(later_models_above_the_line)
{
    static const int years[N] = {2010, 2014, 2011, 2015, 2012, 2013};
    struct fit_ask ask = ask_of(SHARE_LINEAR, FIT_MODELS);
    struct fit_point *p = points(straight);
    struct fit_found f;
    ask.bootstrap.resamples = 0;
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), OK);
    assert_true(isnan(f.range.slope.lo) && !f.drifts && f.n_years == 0);
    for (int i = 0; i < N; i++) {
        p[i].year = years[i];
        p[i].left_out = NULL;
        p[i].y = straight(p[i].x) + 0.005 * (years[i] - 2012);
    }
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), OK);
    assert_true(f.drifts && f.n_years == N);
    double mean_year = 2012.5, product = 0, squares = 0;
    for (int i = 0; i < N; i++) {
        product += (years[i] - mean_year) * p[i].residual;
        squares += (years[i] - mean_year) * (years[i] - mean_year);
    }
    assert_near(f.drift.slope, product / squares);
    assert_true(f.drift_range.lo < f.drift.slope && f.drift.slope < f.drift_range.hi && f.drift_range.lo > 0);
}

/* Slope 2 up to a model at 60 % that is itself far off and left out, slope .5 from it on: each model is on its line. */
ARENA_TEST(two_lines_at_a_pivot)
{
    static const double x[] = {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    enum { MODELS = sizeof x / sizeof *x };
    struct fit_point p[MODELS];
    struct fit_ask ask = ask_of(SHARE_LINEAR, FIT_MODELS);
    struct fit_found f;
    for (int i = 0; i < MODELS; i++) {
        p[i] = (struct fit_point){.model = sv_of(i == 3 ? "pivot" : "other"), .x = x[i]};
        p[i].y = x[i] < 0.6 ? 2 * x[i] - 0.6 : 0.5 * x[i] + 0.3;
    }
    p[3].y = 0;
    p[3].left_out = "on request";
    ask.pivot = SV("pivot");
    assert_int_equal(fit_points(&ask, p, MODELS, NULL, &unit_arena, &f, &unit_err), OK);
    assert_int_equal(f.n_pieces, 2);
    assert_int_equal(f.pieces[FIT_BELOW].n, 3);
    assert_int_equal(f.pieces[FIT_ABOVE].n, 3);
    assert_near(f.pieces[FIT_BELOW].line.slope, 2);
    assert_near(f.pieces[FIT_ABOVE].line.slope, 0.5);
    assert_near(f.pieces[FIT_ABOVE].range.slope.hi, 0.5);
    for (int i = 0; i < MODELS; i++) {
        assert_near(p[i].robustness, i == 3 ? -60 : 0);
    }
    ask.pivot = SV("nobody");
    assert_int_equal(fit_points(&ask, p, MODELS, NULL, &unit_arena, &f, &unit_err), ERR_NOT_FOUND);
    assert_string_equal(unit_err.rule, "pivot");
    err_clear(&unit_err);
    ask.pivot = SV("pivot");
    p[4].left_out = "on request";
    assert_int_equal(fit_points(&ask, p, MODELS, NULL, &unit_arena, &f, &unit_err), ERR_INPUT);
    assert_string_equal(unit_err.rule, "fit-few");
    assert_string_equal(unit_err.msg, "A line from pivot needs at least 3 models of several accuracies, and there are 2.");
}

ARENA_TEST(on_the_probit_scale)
{
    struct fit_ask ask = ask_of(SHARE_PROBIT, FIT_MODELS);
    struct fit_point *p = points(normal);
    struct fit_found f;
    p[1].y = 1;
    p[2].x = 0;
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), OK);
    assert_near(f.line.slope, 0.9);
    assert_near(f.line.offset, -0.3);
    assert_string_equal(p[1].left_out, "100 % on the new set has no place on the probit scale");
    assert_string_equal(p[2].left_out, "0 % on the originals has no place on the probit scale");
    assert_near(p[1].robustness, 100 * (1 - normal(0.5)));
    assert_true(isnan(p[1].residual) && isnan(p[2].fitted) && isnan(p[2].robustness));
    assert_near(p[N - 1].robustness, 5);
}

ARENA_TEST(families_are_drawn_and_left_out_as_a_whole)
{
    struct fit_ask ask = ask_of(SHARE_LINEAR, FIT_FAMILIES);
    struct fit_point *p = points(straight);
    struct fit_found f;
    p[0].family = p[1].family = SV("small");
    p[3].family = p[4].family = SV("large");
    p[2].y += 0.1;
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), OK);
    assert_int_equal(f.n_families, 3);
    assert_sv(f.families[0].family, "small");
    assert_sv(f.families[1].family, "c");
    assert_int_equal(f.families[0].n_models, 2);
    assert_int_equal(f.families[1].n_models, 1);
    assert_near(f.families[1].line.slope, 0.8);
    assert_near(f.families[2].line.slope, ((0.64 - 0.5) * (0.55 - 1.45 / 3) + (0.5 - 0.5) * (0.5 - 1.45 / 3) + (0.42 - 0.5) * (0.4 - 1.45 / 3)) /
                                              (pow(0.55 - 1.45 / 3, 2) + pow(0.5 - 1.45 / 3, 2) + pow(0.4 - 1.45 / 3, 2)));
    assert_true(f.range.left_out > 0); /* the family of one, three times */
}

ARENA_TEST(images_of_the_fitted_models_alone_are_taken)
{
    enum { IMAGES = 10 };
    uint32_t name[2 * IMAGES];
    unsigned char x[N * IMAGES], y[N * IMAGES];
    struct fit_ask ask = ask_of(SHARE_LINEAR, FIT_IMAGES);
    struct fit_point *p = points(straight);
    struct fit_found f;
    for (uint32_t i = 0; i < 2 * IMAGES; i++) {
        name[i] = i;
    }
    for (int m = 0; m < N; m++) {
        /* On the new set every model has right what it has right on the originals; the one left out, nothing. */
        memset(x + m * IMAGES, 0, IMAGES);
        memset(x + m * IMAGES, 1, (size_t)m + 3);
        memcpy(y + m * IMAGES, x + m * IMAGES, IMAGES);
        p[m].x = p[m].y = (m + 3) / 10.0;
    }
    memset(y + (N - 1) * IMAGES, 0, IMAGES);
    const struct bootstrap_images same = {.x = {IMAGES, name, x}, .y = {IMAGES, name, y}, .n_models = N};
    assert_int_equal(fit_points(&ask, p, N, &same, &unit_arena, &f, &unit_err), OK);
    assert_near(f.range.slope.lo, 1);
    assert_near(f.range.slope.hi, 1);
    const struct bootstrap_images apart = {.x = {IMAGES, name, x}, .y = {IMAGES, name + IMAGES, y}, .n_models = N};
    assert_int_equal(fit_points(&ask, p, N, &apart, &unit_arena, &f, &unit_err), OK);
    assert_true(f.range.slope.lo < 0.9 && f.range.slope.hi > 1.1);
}

ARENA_TEST(what_is_refused)
{
    struct fit_ask ask = ask_of(SHARE_LOGIT, FIT_MODELS);
    struct fit_point *p = points(straight);
    struct fit_found f;
    p[0].x = p[1].x = p[2].x = 1;
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), ERR_INPUT);
    assert_string_equal(unit_err.rule, "fit-few");
    assert_non_null(strstr(unit_err.msg, "2 of 6 are left. Left out, for example: a (100 % on the originals"));
    err_clear(&unit_err);
    assert_int_equal(fit_points(&ask, p, 0, NULL, &unit_arena, &f, &unit_err), ERR_INPUT);
    assert_string_equal(unit_err.rule, "fit-few");
    err_clear(&unit_err);
    p = points(straight);
    for (int i = 0; i < N; i++) {
        p[i].x = 0.5;
    }
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), ERR_INPUT);
    assert_string_equal(unit_err.rule, "fit-flat");
    err_clear(&unit_err);
    ask.over = FIT_FAMILIES;
    p = points(straight);
    for (int i = 0; i < N; i++) {
        p[i].family = SV("one");
    }
    assert_int_equal(fit_points(&ask, p, N, NULL, &unit_arena, &f, &unit_err), ERR_INPUT);
    assert_string_equal(unit_err.rule, "fit-families");
}
