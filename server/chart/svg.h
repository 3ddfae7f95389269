/* svg.h - the one writer of charts: bars, lines, points, bands, heat maps as one SVG element with
 * title and description, and the same numbers as a table. Pages, exports and reports get the same
 * bytes.
 *
 * Colours: every mark has a class (c1 to c8, grid, axis, text ...) that the page's style sheet
 * colours by variables, for both themes, and a presentation attribute with the light theme's
 * colour, which holds where no style sheet is: in a file. No script, no style element, no style
 * attribute: the content policy forbids them. Marks carry <title> for hovering; static/js/chart.js
 * adds a tooltip and switches of the series. Text is escaped here. The output depends on the input
 * alone. Knows nothing of votes. */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

enum chart_scale {
    CHART_LINEAR,
    CHART_LOG,
    CHART_PROBIT,
    CHART_LOGIT,
    CHART_TIME /* ms since 1970 UTC */
};
/* A share is written as it is with two digits (0.73), a percentage is the same value as 73.0 %. */
enum chart_form { CHART_NUMBER, CHART_COUNT, CHART_SHARE, CHART_PERCENT };

struct chart_axis {
    const char *label;
    enum chart_scale scale;
    enum chart_form form;
    double lo, hi; /* lo == hi: from the data, rounded outwards */
    const char *const *names; /* of x: categories at 0 .. n_names - 1; then scale and limits mean nothing */
    size_t n_names;
};
struct chart_options {
    const char *title;       /* what it shows */
    const char *description; /* what one sees: a sentence for screen readers and captions */
    const char *empty;       /* shown in place of data when there is none */
    struct chart_axis x, y;
    unsigned width, height; /* 0: 640 x 280 units of the view box; it scales to its container */
};
struct chart;

/* A chart shows this much; more is refused: in place of the data stands a sentence that says so,
 * while table, CSV and JSON (but for CHART_VALUES) still have the numbers. Below that, many points
 * are thinned so that no chart is larger than about 300 KB: points that would lie on each other
 * become one mark that says how many it stands for, a line keeps the first, last, least and largest
 * value of each unit of width. A note in the chart says so. */
enum {
    CHART_VALUES = 1 << 19, /* of all series together */
    CHART_BARS = 400,       /* categories of a bar chart */
    CHART_CELLS = 40,       /* rows, and columns, of a heat map */
    CHART_ROWS = 200,       /* rows that chart_table gives; it says how many there are */
};

/* Everything is copied into the arena; values that are not finite are left out. */
struct chart *chart_new(struct arena *a, const struct chart_options *o);
/* A value per category, side by side with other bars of the chart. */
void chart_bars(struct chart *c, const char *name, size_t n, const double *y);
/* A column of a heat map, a value (0 and more) for each category, which are its rows; only with other columns. */
void chart_cells(struct chart *c, const char *name, size_t n, const double *y);
/* Intervals of the last bars or points; lo or hi not finite: none there. */
void chart_intervals(struct chart *c, size_t n, const double *lo, const double *hi);
void chart_line(struct chart *c, const char *name, size_t n, const double *x, const double *y);
/* labels NULL, or a name per point (shown on hover and in the table). */
void chart_points(struct chart *c, const char *name, size_t n, const double *x, const double *y,
                  const char *const *labels);
void chart_band(struct chart *c, const char *name, size_t n, const double *x, const double *lo,
                const double *hi);
/* A straight line across at a value of the y axis (horizontal) or x axis, with a label. */
void chart_rule(struct chart *c, bool horizontal, double value, const char *label);

/* The SVG element, without XML declaration. `id` prefixes the ids inside, so that two charts can
 * stand on one page. */
void chart_svg(const struct chart *c, const char *id, struct str *out);
/* The numbers as people read them, for layout/chart: {title, description, empty, any, more,
 * switches, columns [{text, number}], rows [{cells [{text, number}]}], series [{name, class}]}.
 * `any`: there are rows; `more`: a sentence when there are more than CHART_ROWS, else empty;
 * `switches`: there are several series to show and hide; `number` cells stand to the right. */
json_t *chart_table(const struct chart *c);
/* The numbers as they are: header row and rows (RFC 4180), and {title, description, columns, rows}.
 * A value that is not there is an empty cell or null, a time is "2024-05-03T14:05:00Z". */
void chart_csv(const struct chart *c, struct str *out);
json_t *chart_json(const struct chart *c);

#endif
