/* difficulty.c - all solutions of a probit line: the spread of the new set and the shift over the spread of the originals, each
 * with its band, and the solution that is marked. */
#include <math.h>

#include "figures/figures.h"

/* A band may have no end: it is drawn so far beyond its curve. */
#define BEYOND 1.5

struct reach {
    double lo, hi;
};

static void reach_take(struct reach *r, double v)
{
    if (isfinite(v)) {
        r->lo = fmin(r->lo, v);
        r->hi = fmax(r->hi, v);
    }
}

static struct reach reach_of(const struct difficulty_row *rows, size_t n)
{
    struct reach curves = {0, 1}, all = curves;
    for (size_t i = 0; i < n; i++) {
        reach_take(&curves, rows[i].spread_new);
        reach_take(&curves, rows[i].shift);
        reach_take(&all, rows[i].shift_lo);
        reach_take(&all, rows[i].shift_hi);
        reach_take(&all, rows[i].spread_new_hi);
        reach_take(&all, isfinite(rows[i].spread_new) && !isfinite(rows[i].spread_new_hi) ? rows[i].spread_new + BEYOND : (double)NAN);
    }
    return (struct reach){fmax(all.lo, curves.lo - BEYOND), fmin(fmax(all.hi, curves.hi), curves.hi + BEYOND)};
}

/* An upper bound that is not there is as far as the axis goes. */
static double bound(const struct reach *r, double value, double v)
{
    return !isfinite(value) ? (double)NAN : isfinite(v) ? fmin(fmax(v, r->lo), r->hi) : r->hi;
}

static void add_curves(struct arena *a, struct chart *chart, const struct reach *reach, const struct difficulty_row *rows, size_t n)
{
    double *v = arena_calloc(a, 7 * (n + 1), sizeof *v);
    double *x = v, *spread = x + n, *spread_lo = spread + n, *spread_hi = spread_lo + n, *shift = spread_hi + n, *shift_lo = shift + n,
           *shift_hi = shift_lo + n;
    for (size_t i = 0; i < n; i++) {
        const struct difficulty_row *r = &rows[i];
        x[i] = r->spread_original;
        spread[i] = r->spread_new;
        spread_lo[i] = bound(reach, r->spread_new, r->spread_new_lo);
        spread_hi[i] = bound(reach, r->spread_new, r->spread_new_hi);
        shift[i] = r->shift;
        shift_lo[i] = bound(reach, r->shift, r->shift_lo);
        shift_hi[i] = bound(reach, r->shift, r->shift_hi);
    }
    chart_band(chart, "Spread of the new set", n, x, spread_lo, spread_hi);
    chart_line(chart, "Spread of the new set", n, x, spread);
    chart_band(chart, "Shift", n, x, shift_lo, shift_hi);
    chart_line(chart, "Shift", n, x, shift);
}

struct chart *figure_difficulty(struct arena *a, const struct figure_text *text, const struct difficulty_row *rows, size_t n,
                                const struct difficulty_row *marked)
{
    const struct reach reach = text->empty ? (struct reach){0, 1} : reach_of(rows, n);
    const struct chart_options o = {
        .title = text->title,
        .description = text->description,
        .empty = text->empty,
        .x = {.label = "Spread of the originals", .form = CHART_NUMBER, .lo = 0, .hi = DIFFICULTY_SPREAD_MOST},
        .y = {.label = "Spread of the new set, shift", .form = CHART_NUMBER, .lo = reach.lo, .hi = reach.hi},
        .height = 380};
    struct chart *chart = chart_new(a, &o);
    if (text->empty) {
        return chart;
    }
    add_curves(a, chart, &reach, rows, n);
    if (marked) {
        chart_rule(chart, false, marked->spread_original, marked->mark);
    }
    if (marked && isfinite(marked->spread_new)) {
        const double x[2] = {marked->spread_original, marked->spread_original}, y[2] = {marked->spread_new, marked->shift};
        const char *const names[2] = {"spread of the new set", "shift"};
        chart_points(chart, marked->mark, 2, x, y, names);
    }
    return chart;
}
