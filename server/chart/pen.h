/* pen.h - writing SVG: numbers, text, how wide text is. Only for chart/. */
#ifndef CHART_PEN_H
#define CHART_PEN_H

#include "base/str.h"

/* Copies `form`, putting the next number in place of every "@": PEN(out, "<path d=\"M@ @\"/>", x,
 * y). Numbers have one decimal at most: a tenth of a unit is less than a pixel. */
void pen_numbers(struct str *out, const char *form, const double *v, size_t n);
#define PEN(out, form, ...)                                                                        \
    pen_numbers((out), (form), (const double[]){__VA_ARGS__},                                      \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

void pen_text(struct str *out, const char *text); /* escaped for text and attributes */
/* A <text> element. `anchor` is "start", "middle" or "end"; `class` names its colour. Text wider
 * than `most` units is cut, with the whole text as its <title>. `turn`: degrees around (x, y). */
struct label {
    double x, y, most, turn;
    const char *anchor, *class;
};
void pen_label(struct str *out, const struct label *at, const char *text);

/* About how wide the text is at the charts' font size; a little more than it is in most fonts. */
double pen_width(const char *text);

/* The light theme's colours, for files; style sheets override them by class. */
#define PEN_TEXT "#1a1f25"
#define PEN_TEXT_2 "#454d57"
#define PEN_GRID "#d6dae0"
#define PEN_AXIS "#7d8692"
#define PEN_GROUND "#ffffff"
const char *pen_colour(unsigned colour); /* of a series */
const char *pen_dash(unsigned colour);   /* stroke-dasharray; NULL: a whole line */

enum { PEN_FONT = 13 };

#endif
