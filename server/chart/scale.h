/* scale.h - axes: from a value to a place, and where the ticks are. Only for chart/. */
#ifndef CHART_SCALE_H
#define CHART_SCALE_H

#include "chart/form.h"

struct scale {
    const struct chart_axis *axis;
    bool discrete;   /* categories at 0, 1, 2 ... */
    double lo, hi;   /* shown values */
    double from, to; /* where lo and hi stand in the picture */
};

/* A scale for the axis whose data lie between lo and hi (lo > hi: there are none). Limits that the
 * axis does not give are rounded outwards. `zero`: bars stand on the axis, so zero belongs to it.
 */
struct scale scale_new(const struct chart_axis *axis, double lo, double hi, bool zero);
/* Whether the value has a place on such an axis at all: no zero on a logarithmic one. */
bool scale_takes(const struct chart_axis *axis, double v);
/* The place; values beyond the limits are far outside, but never so far that it cannot be written.
 */
double scale_at(const struct scale *s, double v);
/* Inside of the limits, with a hair's breadth to spare. */
bool scale_shows(const struct scale *s, double v);

enum { SCALE_TICKS = 40 };
struct ticks {
    size_t n;
    double at[SCALE_TICKS];
    char text[SCALE_TICKS][FORM_TEXT];
};
/* Ticks at least `gap` apart; none for categories. */
void scale_ticks(const struct scale *s, double gap, struct ticks *out);
/* The same for a time axis (times.c). */
void scale_time_ticks(const struct scale *s, double gap, struct ticks *out);

#endif
