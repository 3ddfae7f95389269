/* scale_test.c - axes: limits that hold the data, ticks that are round, apart and inside, places
 * that keep the order; linear, logarithmic, probit, logit and time. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "chart/scale.h"

static struct scale scale(const struct chart_axis *axis, double lo, double hi)
{
    struct scale s = scale_new(axis, lo, hi, false);
    s.from = 0;
    s.to = 560;
    return s;
}

/* Ticks rise, stand inside and at least `gap` apart, and no two say the same. */
static struct ticks checked(const struct scale *s, double gap)
{
    struct ticks t;
    scale_ticks(s, gap, &t);
    for (size_t i = 0; i < t.n; i++) {
        double at = scale_at(s, t.at[i]);
        assert_true(at >= -0.1 && at <= 560.1);
        assert_true(t.text[i][0] != '\0');
        for (size_t k = 0; k < i; k++) {
            assert_true(fabs(at - scale_at(s, t.at[k])) >= gap * 0.75);
            /* Noon comes every day: between them stand the days. */
            if (s->axis->scale != CHART_TIME) {
                assert_string_not_equal(t.text[i], t.text[k]);
            }
        }
    }
    return t;
}

static bool has_tick(const struct ticks *t, const char *text)
{
    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->text[i], text) == 0) {
            return true;
        }
    }
    return false;
}

TEST(every_range_has_ticks)
{
    static const enum chart_scale kinds[] = {CHART_LINEAR, CHART_LOG, CHART_TIME};
    for (size_t k = 0; k < 3; k++) {
        struct chart_axis axis = {.scale = kinds[k]};
        for (double size = 1e-6; size < 1e14; size *= 3.7) {
            for (double lo = size / 1000; lo < size * 1e4; lo *= 7.3) {
                if (kinds[k] == CHART_TIME && (size < 5000 || lo + size > 8e15)) {
                    continue;
                }
                struct scale s = scale(&axis, lo, lo + size);
                double hair = 1e-8 * fmax(lo, size);
                assert_true(s.lo <= lo + hair && s.hi >= lo + size - hair);
                struct ticks t = checked(&s, 64);
                assert_in_range(t.n, 1, 12);
            }
        }
    }
}

TEST(shares_on_bent_axes)
{
    static const enum chart_scale kinds[] = {CHART_PROBIT, CHART_LOGIT};
    for (size_t k = 0; k < 2; k++) {
        struct chart_axis axis = {.scale = kinds[k], .form = CHART_SHARE};
        struct scale s = scale(&axis, 0.001, 0.999);
        struct ticks t = checked(&s, 40);
        assert_true(has_tick(&t, "0.5") && has_tick(&t, "0.1") && has_tick(&t, "0.9"));
        /* Symmetrical: the middle of the axis is one half. */
        assert_true(fabs(scale_at(&s, 0.5) - 280) < 0.5);
        assert_true(fabs(scale_at(&s, 0.1) + scale_at(&s, 0.9) - 560) < 0.5);
        s = scale(&axis, 0.71, 0.74);
        assert_true(s.lo > 0 && s.lo <= 0.71 && s.hi >= 0.74 && s.hi < 1);
        t = checked(&s, 64);
        assert_true(t.n >= 3);
    }
}

/* Values of the normal distribution's quantile from a table. */
TEST(probit_is_the_quantile)
{
    struct chart_axis axis = {.scale = CHART_PROBIT, .lo = 0.025, .hi = 0.975};
    struct scale s = scale(&axis, 0.1, 0.9);
    static const double p[] = {0.05, 0.1, 0.25, 0.5, 0.84134474606854293};
    static const double q[] = {-1.6448536269514722, -1.2815515655446004, -0.67448975019608171, 0,
                               1};
    for (size_t i = 0; i < 5; i++) {
        double expected = (q[i] / 1.9599639845400545 + 1) / 2 * 560;
        assert_true(fabs(scale_at(&s, p[i]) - expected) < 1e-3);
    }
}

TEST(order_is_kept)
{
    static const enum chart_scale kinds[] = {CHART_LINEAR, CHART_LOG, CHART_PROBIT, CHART_LOGIT,
                                             CHART_TIME};
    for (size_t k = 0; k < 5; k++) {
        struct chart_axis axis = {.scale = kinds[k]};
        struct scale s = scale(&axis, 0.02, 0.97);
        for (double v = 0.0001; v < 0.999; v += 0.001) {
            assert_true(scale_at(&s, v) < scale_at(&s, v + 0.0005));
        }
    }
}

TEST(what_an_axis_takes)
{
    struct chart_axis logarithmic = {.scale = CHART_LOG}, logit = {.scale = CHART_LOGIT};
    struct chart_axis time = {.scale = CHART_TIME}, plain = {.scale = CHART_LINEAR};
    assert_true(scale_takes(&plain, -5) && scale_takes(&plain, 0) && !scale_takes(&plain, NAN));
    assert_true(scale_takes(&logarithmic, 1e-300) && !scale_takes(&logarithmic, 0) &&
                !scale_takes(&logarithmic, -1));
    assert_true(scale_takes(&logit, 0.999) && !scale_takes(&logit, 0) && !scale_takes(&logit, 1));
    assert_true(scale_takes(&time, -1e15) && !scale_takes(&time, 1e16));
}

TEST(limits_are_round)
{
    struct chart_axis axis = {.scale = CHART_LINEAR}, share = {.form = CHART_SHARE};
    struct chart_axis count = {.form = CHART_COUNT}, logarithmic = {.scale = CHART_LOG};
    struct scale s = scale(&axis, 0.3, 41.2);
    assert_true(s.lo == 0 && s.hi == 50);
    s = scale(&share, 0.02, 0.998);
    assert_true(s.lo == 0 && s.hi == 1);
    s = scale_new(&count, 0, 2, true);
    assert_true(s.lo == 0 && s.hi == 5);
    s = scale(&logarithmic, 3, 4200);
    assert_true(s.lo == 3 && s.hi == 5000);
    s = scale_new(&axis, INFINITY, -INFINITY, false);
    assert_true(s.lo < s.hi);
    s = scale_new(&axis, 5, 7, true);
    assert_true(s.lo == 0);
    struct chart_axis given = {.lo = -1, .hi = 3};
    s = scale(&given, 100, 200);
    assert_true(s.lo == -1 && s.hi == 3);
}

TEST(times_are_whole)
{
    struct chart_axis axis = {.scale = CHART_TIME};
    double start = form_date_ms(2024, 2, 28) + 22.5 * 3600e3;
    struct scale s = scale(&axis, start, start + 4 * 3600e3);
    struct ticks t = checked(&s, 96);
    assert_true(has_tick(&t, "28 Feb 23:00") && has_tick(&t, "29 Feb") && has_tick(&t, "02:00"));
    s = scale(&axis, start, start + 6 * 86400e3);
    t = checked(&s, 96);
    assert_string_equal(t.text[0], "29 Feb 2024");
    s = scale(&axis, start, start + 200 * 86400e3);
    t = checked(&s, 96);
    assert_true(has_tick(&t, "Mar 2024"));
    s = scale(&axis, start, start + 40 * 365.25 * 86400e3);
    t = checked(&s, 96);
    assert_true(has_tick(&t, "2030"));
    s = scale(&axis, -8.64e15, 8.64e15);
    checked(&s, 96);
}

TEST(a_far_value_can_be_written)
{
    struct chart_axis axis = {.lo = 0, .hi = 1e-300};
    struct scale s = scale(&axis, 0, 1);
    assert_true(isfinite(scale_at(&s, 1e300)) && !scale_shows(&s, 1e300));
}
