/* scale.c - linear, logarithmic, probit, logit and time axes. */
#include "chart/scale.h"

#include <math.h>
#include <stdio.h>

#include "stats/normal.h"

/* How far outside of its picture a place may be. */
static const double far_outside = 1e5;

/* Where a value stands before it is stretched to the picture. */
static double bend(enum chart_scale kind, double v)
{
    switch (kind) {
    case CHART_LOG:
        return log10(v);
    case CHART_PROBIT:
        return normal_quantile(v);
    case CHART_LOGIT:
        return log(v / (1 - v));
    case CHART_LINEAR:
    case CHART_TIME:
        return v;
    }
    return v;
}

static bool is_open_share(enum chart_scale kind)
{
    return kind == CHART_PROBIT || kind == CHART_LOGIT;
}

bool scale_takes(const struct chart_axis *axis, double v)
{
    if (isnan(v)) {
        return false;
    }
    if (axis->n_names) {
        return v >= 0 && v <= (double)axis->n_names - 1;
    }
    if (axis->scale == CHART_TIME) {
        return fabs(v) <= FORM_TIME_MOST;
    }
    return axis->scale == CHART_LOG ? v > 0 : !is_open_share(axis->scale) || (v > 0 && v < 1);
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double nice_step(double least)
{
    double power = pow(10, floor(log10(least)));
    double f = least / power;
    return power * (f <= 1.000001 ? 1 : f <= 2.000001 ? 2 : f <= 5.000001 ? 5 : 10);
}

/* Limits that are one value are spread a little, so that there is an axis at all. */
static void spread(struct scale *s)
{
    enum chart_scale kind = s->axis->scale;
    double middle = s->lo;
    if (kind == CHART_LOG) {
        s->lo = middle / 2;
        s->hi = middle * 2;
    } else if (is_open_share(kind)) {
        s->lo = middle * 0.8;
        s->hi = 1 - (1 - middle) * 0.8;
    } else if (kind == CHART_TIME) {
        s->lo = middle - 1800e3;
        s->hi = middle + 1800e3;
    } else {
        double by = middle == 0 ? 1 : fabs(middle) / 2;
        s->lo = middle - by;
        s->hi = middle + by;
    }
}

static void round_outwards(struct scale *s)
{
    enum chart_scale kind = s->axis->scale;
    enum chart_form form = s->axis->form;
    bool share = (form == CHART_SHARE || form == CHART_PERCENT) && s->lo >= 0 && s->hi <= 1;
    bool positive = s->lo >= 0;
    if (kind == CHART_LINEAR) {
        double step = nice_step((s->hi - s->lo) / 8);
        s->lo = floor(s->lo / step + 1e-9) * step;
        s->hi = ceil(s->hi / step - 1e-9) * step;
        s->lo = positive && s->lo < 0 ? 0 : s->lo;
        s->hi = share && s->hi > 1 ? 1 : s->hi;
    } else if (kind == CHART_LOG) {
        double lo = pow(10, floor(log10(s->lo))), hi = pow(10, floor(log10(s->hi)));
        s->lo = floor(s->lo / lo + 1e-9) * lo;
        s->hi = ceil(s->hi / hi - 1e-9) * hi;
    } else if (is_open_share(kind)) {
        double lo = bend(kind, s->lo), hi = bend(kind, s->hi), by = (hi - lo) / 20;
        /* A little room; the inverse is not needed: shares move towards 0 and 1 in proportion. */
        s->lo *= exp(-by);
        s->hi = 1 - (1 - s->hi) * exp(-by);
    }
}

static void default_limits(struct scale *s)
{
    enum chart_scale kind = s->axis->scale;
    bool share = s->axis->form == CHART_SHARE || s->axis->form == CHART_PERCENT;
    s->lo = kind == CHART_LOG ? 1 : is_open_share(kind) ? 0.1 : 0;
    s->hi = kind == CHART_LOG     ? 10
            : is_open_share(kind) ? 0.9
            : kind == CHART_TIME  ? 3600e3
            : share               ? 1
                                  : 10;
}

struct scale scale_new(const struct chart_axis *axis, double lo, double hi, bool zero)
{
    struct scale s = {.axis = axis, .lo = lo, .hi = hi};
    if (axis->n_names) {
        s.discrete = true;
        s.lo = -0.5;
        s.hi = (double)axis->n_names - 0.5;
        return s;
    }
    if (axis->lo < axis->hi && scale_takes(axis, axis->lo) && scale_takes(axis, axis->hi)) {
        s.lo = axis->lo;
        s.hi = axis->hi;
        return s;
    }
    if (lo > hi) {
        default_limits(&s);
        return s;
    }
    if (zero && axis->scale == CHART_LINEAR) {
        s.lo = fmin(s.lo, 0);
        s.hi = fmax(s.hi, 0);
        if (s.lo == 0 && s.hi == 0) {
            s.hi = 1;
        }
    }
    if (s.hi - s.lo <= 1e-9 * fmax(fabs(s.lo), fabs(s.hi))) {
        spread(&s);
    }
    if (axis->form == CHART_COUNT && axis->scale == CHART_LINEAR && s.hi - s.lo < 5) {
        s.hi = s.lo + 5; /* counts have no ticks between whole numbers */
    }
    round_outwards(&s);
    return s;
}

double scale_at(const struct scale *s, double v)
{
    enum chart_scale kind = s->discrete ? CHART_LINEAR : s->axis->scale;
    double lo = bend(kind, s->lo), hi = bend(kind, s->hi);
    double at = s->from + (bend(kind, v) - lo) / (hi - lo) * (s->to - s->from);
    return fmin(fmax(at, -far_outside), far_outside);
}

bool scale_shows(const struct scale *s, double v)
{
    double a = fmin(s->from, s->to), b = fmax(s->from, s->to), at = scale_at(s, v);
    return at >= a - 0.05 && at <= b + 0.05;
}

/* ---- ticks ---- */

static void put_tick(const struct scale *s, struct ticks *out, double v, double step)
{
    if (out->n < SCALE_TICKS && scale_shows(s, v)) {
        out->at[out->n] = v;
        form_tick(s->axis->form, v, step, out->text[out->n]);
        out->n++;
    }
}

static void linear_ticks(const struct scale *s, double gap, struct ticks *out)
{
    double most = fmax(2, floor(fabs(s->to - s->from) / gap));
    double step = nice_step((s->hi - s->lo) / most);
    if (s->axis->form == CHART_COUNT && step < 1) {
        step = 1;
    }
    double first = ceil(s->lo / step - 1e-9), last = -INFINITY;
    for (int i = 0; i < SCALE_TICKS && (first + i) * step <= s->hi + step * 1e-9; i++) {
        /* On a bent axis equal steps come closer. */
        double v = (first + i) * step, at = fabs(scale_at(s, v) - s->from);
        if (at - last >= gap * 0.8) {
            put_tick(s, out, v, step);
            last = at;
        }
    }
}

/* Of values in rising order, those at least `gap` from the one before. */
static void spaced_ticks(const struct scale *s, double gap, const double *v, size_t n,
                         struct ticks *out)
{
    double last = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (v[i] < s->lo * 0.999999 || v[i] > s->hi * 1.000001) {
            continue;
        }
        double at = fabs(scale_at(s, v[i]) - s->from);
        if (at - last >= gap) {
            put_tick(s, out, v[i], v[i]);
            last = at;
        }
    }
}

/* 1, 2, 5 times each power of ten; only the powers, or every so many, where that is too much. */
static void log_ticks(const struct scale *s, double gap, struct ticks *out)
{
    double first = floor(log10(s->lo)), decades = log10(s->hi) - log10(s->lo);
    double a_decade = fabs(s->to - s->from) / decades;
    bool fine = a_decade > 3.4 * gap;
    double every = fmax(1, ceil(gap / a_decade));
    double v[SCALE_TICKS * 3];
    size_t n = 0;
    for (double p = first; p <= log10(s->hi) + 1e-9 && n + 3 <= SCALE_TICKS * 3; p += every) {
        v[n++] = pow(10, p);
        if (fine) {
            v[n++] = 2 * pow(10, p);
            v[n++] = 5 * pow(10, p);
        }
    }
    spaced_ticks(s, gap * 0.8, v, n, out);
}

/* Shares in the order in which they matter: the middle, then the same on both sides of it. */
static void share_ticks(const struct scale *s, double gap, struct ticks *out)
{
    static const double wanted[] = {0.5, 0.1,  0.9,  0.01, 0.99, 0.001, 0.999, 0.0001, 0.9999, 0.2,
                                    0.8, 0.05, 0.95, 0.3,  0.7,  0.02,  0.98,  0.4,    0.6};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        bool room = true;
        for (size_t k = 0; k < out->n; k++) {
            room = room && fabs(scale_at(s, out->at[k]) - scale_at(s, wanted[i])) >= gap;
        }
        if (room) {
            double least = fmin(wanted[i], nearbyint((1 - wanted[i]) * 1e4) / 1e4);
            put_tick(s, out, wanted[i], least);
        }
    }
}

void scale_ticks(const struct scale *s, double gap, struct ticks *out)
{
    out->n = 0;
    if (s->discrete) {
        return;
    }
    switch (s->axis->scale) {
    case CHART_TIME:
        scale_time_ticks(s, gap, out);
        return;
    case CHART_LOG:
        log_ticks(s, gap, out);
        break;
    case CHART_PROBIT:
    case CHART_LOGIT:
        share_ticks(s, gap, out);
        break;
    case CHART_LINEAR:
        break;
    }
    if (out->n < 3) {
        /* A narrow part of a bent axis is nearly straight. */
        out->n = 0;
        linear_ticks(s, gap, out);
    }
}
