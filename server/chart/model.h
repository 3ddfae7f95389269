/* model.h - a chart while it is built and drawn: its options and series, copied and cleaned.
 * Only for chart/: everybody else has svg.h. */
#ifndef CHART_MODEL_H
#define CHART_MODEL_H

#include "chart/svg.h"

enum series_kind { SERIES_BARS, SERIES_LINE, SERIES_POINTS, SERIES_BAND, SERIES_CELLS };

struct series {
    enum series_kind kind;
    const char *name;
    unsigned colour; /* 0 to CHART_COLOURS - 1; series of one name share it */
    size_t n;
    const double *x;       /* NULL: 0, 1, 2 ... */
    const double *y;       /* NULL for a band */
    const double *lo, *hi; /* a band's borders, or intervals; NULL: none */
    const char *const *labels;
    struct series *next;
};

struct rule {
    bool horizontal;
    double value;
    const char *label;
    struct rule *next;
};

struct chart {
    struct arena *arena;
    struct chart_options o;
    struct series *first, *last;
    size_t n_series, values;
    unsigned colours; /* how many names the series have */
    struct rule *rules;
    const char *refused; /* why it is not drawn; NULL: it is */
};

enum { CHART_COLOURS = 8 };

double series_x(const struct series *s, size_t i);
/* True when some point of some series has a value. */
bool chart_has_data(const struct chart *c);
/* The first series that has this colour. */
const struct series *chart_of_colour(const struct chart *c, unsigned colour);
/* The category of a point on an x axis with names. */
const char *chart_category(const struct chart *c, const struct series *s, size_t i);

#endif
