/* marks.c - bars, bands, lines, points and intervals. What can be hovered or walked has the class
 * "m" and a <title>; static/js/chart.js reads nothing else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "chart/thin.h"

enum { MARKED_LINE = 40 /* a line of so many points shows each with its series' shape */ };
static const double bars_share = 0.82; /* of a category's width */

/* ---- shapes ---- */

/* A series' shape around a place: told apart without colour. `r` is the radius of the circle. */
static void shape(struct str *out, unsigned colour, double x, double y, double r)
{
    double a = r * 0.9, t = r * 1.2, d = r * 1.3;
    switch (colour % CHART_COLOURS) {
    case 1:
        PEN(out, "d=\"M@ @h@v@h@z\"", x - a, y - a, 2 * a, 2 * a, -2 * a);
        break;
    case 2:
        PEN(out, "d=\"M@ @l@ @h@z\"", x, y - t, t, 2 * t - r * 0.3, -2 * t);
        break;
    case 3:
        PEN(out, "d=\"M@ @l@ @l@ @l@ @z\"", x, y - d, d, d, -d, d, -d, -d);
        break;
    case 4:
        PEN(out, "d=\"M@ @l@ @h@z\"", x, y + t, t, -2 * t + r * 0.3, -2 * t);
        break;
    case 5:
        PEN(out, "stroke-width=\"2\" d=\"M@ @l@ @m@ 0l@ @\"", x - a, y - a, 2 * a, 2 * a, -2 * a,
            2 * a, -2 * a);
        break;
    case 6:
        PEN(out, "stroke-width=\"2\" d=\"M@ @h@m@ @v@\"", x - r, y, 2 * r, -r, -r, 2 * r);
        break;
    case 7:
        str_addz(out, "fill-opacity=\"0\" stroke-width=\"2\" "); /* fall through */
    default:
        PEN(out, "d=\"M@ @a@ @ 0 1 0 @ 0a@ @ 0 1 0 @ 0z\"", x - r, y, r, r, 2 * r, r, r, -2 * r);
    }
}

/* Bars: the first series is whole, the others are hatched in their own way. */
void marks_patterns(const struct frame *f)
{
    static const char *const lines[CHART_COLOURS] = {NULL,
                                                     "M-2 2l4-4M0 8l8-8M6 10l4-4",
                                                     "M0 2h8M0 6h8",
                                                     "M2 0v8M6 0v8",
                                                     "M-2 6l4 4M0 0l8 8M6-2l4 4",
                                                     "M0 4h8M4 0v8",
                                                     "M1 1h2v2h-2zM5 5h2v2h-2z",
                                                     "M0 0l8 8M0 8l8-8"};
    bool done[CHART_COLOURS] = {false};
    for (const struct series *s = f->c->first; s; s = s->next) {
        if (s->kind != SERIES_BARS || !lines[s->colour] || done[s->colour]) {
            continue;
        }
        done[s->colour] = true;
        str_addz(f->out, "<pattern id=\"");
        pen_text(f->out, f->id);
        str_printf(f->out, "-p%u\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">",
                   s->colour + 1);
        str_printf(f->out,
                   "<path class=\"c%u\" stroke=\"%s\" stroke-width=\"2\" d=\"%s\"/></pattern>\n",
                   s->colour + 1, pen_colour(s->colour), lines[s->colour]);
    }
}

static void bar_fill(const struct frame *f, unsigned colour)
{
    if (colour == 0) {
        str_addz(f->out, "<g stroke-width=\"1.5\">\n");
        return;
    }
    str_addz(f->out, "<g stroke-width=\"1.5\" fill=\"url(#");
    pen_text(f->out, f->id);
    str_printf(f->out, "-p%u)\">\n", colour + 1);
}

static void dash(struct str *out, unsigned colour)
{
    if (pen_dash(colour)) {
        str_printf(out, " stroke-dasharray=\"%s\"", pen_dash(colour));
    }
}

/* ---- what a mark says ---- */

static void named(struct str *out, const struct chart_axis *axis, double v)
{
    char text[FORM_TEXT];
    form_value(axis, v, text);
    if (axis->label[0]) {
        pen_text(out, axis->label);
        str_addc(out, ' ');
    }
    str_addz(out, text);
}

static void interval_text(const struct frame *f, const struct series *s, size_t i)
{
    char text[FORM_TEXT];
    if (!s->lo || isnan(s->lo[i]) || isnan(s->hi[i])) {
        return;
    }
    form_value(&f->c->o.y, s->lo[i], text);
    str_printf(f->out, " (%s", text);
    form_value(&f->c->o.y, s->hi[i], text);
    str_printf(f->out, "\xe2\x80\x93%s)", text);
}

/* "SERIES, PLACE: VALUE (LOW-HIGH)"; the series only where there are several. */
static void title(const struct frame *f, const struct series *s, size_t i, size_t together)
{
    struct str *out = f->out;
    const struct chart_options *o = &f->c->o;
    str_addz(out, "<title>");
    if (f->c->colours > 1) {
        pen_text(out, s->name);
        str_addz(out, ", ");
    }
    if (together > 1) {
        str_printf(out, "%zu points near ", together);
    } else if (s->labels && s->labels[i][0]) {
        pen_text(out, s->labels[i]);
        str_addz(out, ": ");
    }
    if (o->x.n_names) {
        pen_text(out, chart_category(f->c, s, i));
    } else {
        named(out, &o->x, series_x(s, i));
    }
    str_addz(out, s->kind == SERIES_POINTS ? ", " : ": ");
    named(out, &o->y, s->y[i]);
    interval_text(f, s, i);
    str_addz(out, "</title>");
}

/* ---- layers ---- */

/* A line up and down with ends; nothing where one of the two is not there. */
static void interval(const struct frame *f, const struct series *s, size_t i, double x, double half)
{
    const struct chart_axis *y = &f->c->o.y;
    if (scale_takes(y, s->lo[i]) && scale_takes(y, s->hi[i])) {
        double lo = scale_at(&f->y, s->lo[i]), hi = scale_at(&f->y, s->hi[i]);
        PEN(f->out, "<path d=\"M@ @h@M@ @h@M@ @V@\"/>", x - half, lo, 2 * half, x - half, hi,
            2 * half, x, lo, hi);
    }
}

struct bar {
    double x, width;
};

static struct bar bar_of(const struct frame *f, size_t i, size_t index)
{
    double step = scale_at(&f->x, 1) - scale_at(&f->x, 0), all = step * bars_share;
    double gap = all / (double)f->bars > 8 ? 1.5 : 0;
    double each = all / (double)f->bars;
    return (struct bar){scale_at(&f->x, (double)i) - all / 2 + (double)index * each,
                        fmax(each - gap, 0.4)};
}

static void bars(const struct frame *f, const struct series *s, size_t index)
{
    const struct chart_axis *axis = &f->c->o.y;
    double base = axis->scale == CHART_LINEAR ? fmin(fmax(0, f->y.lo), f->y.hi) : f->y.lo;
    double foot = scale_at(&f->y, base);
    frame_group(f, s->colour, "");
    bar_fill(f, s->colour);
    for (size_t i = 0; i < s->n; i++) {
        if (!scale_takes(axis, s->y[i])) {
            continue;
        }
        struct bar b = bar_of(f, i, index);
        double at = scale_at(&f->y, s->y[i]);
        PEN(f->out, "<path class=\"m\" d=\"M@ @h@V@h@z\">", b.x, foot, b.width, at, -b.width);
        title(f, s, i, 1);
        str_addz(f->out, "</path>\n");
    }
    str_addz(f->out, "</g>\n</g>\n");
}

static void bar_intervals(const struct frame *f, const struct series *s, size_t index)
{
    if (!s->lo) {
        return;
    }
    str_printf(f->out,
               "<g class=\"c%u whisker\" pointer-events=\"none\" fill=\"none\" stroke=\"" PEN_TEXT
               "\">\n",
               s->colour + 1);
    for (size_t i = 0; i < s->n; i++) {
        struct bar b = bar_of(f, i, index);
        interval(f, s, i, b.x + b.width / 2, fmin(4, b.width / 3));
    }
    str_addz(f->out, "</g>\n");
}

/* The stretch [from, to) as one closed shape: along the lower border, back along the upper. */
static void band_part(const struct frame *f, const struct spot *lo, const struct spot *hi,
                      size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        PEN(f->out, i == from ? "M@ @" : "L@ @", lo[i].x, lo[i].y);
    }
    for (size_t i = to; i > from; i--) {
        PEN(f->out, "L@ @", hi[i - 1].x, hi[i - 1].y);
    }
    str_addc(f->out, 'z');
}

/* One place per unit of width: the lowest low and the highest high. Lows are larger numbers. */
static size_t band_thin(struct spot *lo, struct spot *hi, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        bool same = left && n > THIN_TURNS / 4 && lo[i].n == lo[left - 1].n &&
                    floor(lo[i].x) == floor(lo[left - 1].x);
        if (same) {
            lo[left - 1].y = fmax(lo[left - 1].y, lo[i].y);
            hi[left - 1].y = fmin(hi[left - 1].y, hi[i].y);
        } else {
            lo[left] = lo[i];
            hi[left++] = hi[i];
        }
    }
    return left;
}

static void band(const struct frame *f, const struct series *s)
{
    const struct chart_options *o = &f->c->o;
    struct spot *lo = xmalloc((s->n + 1) * sizeof *lo);
    struct spot *hi = xmalloc((s->n + 1) * sizeof *hi);
    size_t n = 0, part = 0;
    for (size_t i = 0; i < s->n; i++) {
        double x = series_x(s, i);
        if (scale_takes(&o->x, x) && scale_takes(&o->y, s->lo[i]) && scale_takes(&o->y, s->hi[i])) {
            lo[n] = (struct spot){scale_at(&f->x, x), scale_at(&f->y, s->lo[i]), i, part};
            hi[n++] = (struct spot){scale_at(&f->x, x), scale_at(&f->y, s->hi[i]), i, part};
        } else {
            part++; /* a gap */
        }
    }
    n = band_thin(lo, hi, n);
    frame_group(f, s->colour, " fill-opacity=\"0.18\"");
    str_addz(f->out, "<path stroke-opacity=\"0.5\"");
    dash(f->out, s->colour);
    str_addz(f->out, " d=\"");
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && lo[to].n == lo[from].n; to++) {
        }
        band_part(f, lo, hi, from, to);
    }
    str_addz(f->out, "\"/>\n</g>\n");
    free(lo);
    free(hi);
}

/* Values that are not there part a line: spots[i].n counts the parts. */
static void part_line(struct spot *spots, size_t n)
{
    size_t part = 0;
    for (size_t i = 0; i < n; i++) {
        part += i > 0 && spots[i].i != spots[i - 1].i + 1;
        spots[i].n = part;
    }
}

/* A point between two gaps is a line of no length, which its round ends make visible. */
static void line_path(const struct frame *f, const struct series *s, const struct spot *spots,
                      size_t n)
{
    str_addz(f->out, "<path fill=\"none\" stroke-linecap=\"round\"");
    dash(f->out, s->colour);
    str_addz(f->out, " d=\"");
    for (size_t i = 0; i < n; i++) {
        bool begins = i == 0 || spots[i].n != spots[i - 1].n;
        bool ends = i + 1 == n || spots[i].n != spots[i + 1].n;
        PEN(f->out, begins ? "M@ @" : "L@ @", spots[i].x, spots[i].y);
        str_addz(f->out, begins && ends ? "h0" : "");
    }
    str_addz(f->out, "\"/>\n");
}

/* What of a line can be pointed at: each point while they are few, which then have their series'
 * shape, else so many that one is always near. */
static void line_dots(const struct frame *f, const struct series *s, const struct spot *spots,
                      size_t n)
{
    bool marked = n <= MARKED_LINE;
    size_t every = (n + THIN_DOTS - 1) / THIN_DOTS;
    str_addz(f->out,
             marked ? "<g stroke-width=\"1\">\n" : "<g fill-opacity=\"0\" stroke-width=\"0\">\n");
    for (size_t i = 0; i < n; i += every) {
        str_addz(f->out, marked ? "<path class=\"m\" " : "<path class=\"m dot\" ");
        shape(f->out, marked ? s->colour : 0, spots[i].x, spots[i].y, marked ? 3.5 : 5);
        str_addc(f->out, '>');
        title(f, s, spots[i].i, 1);
        str_addz(f->out, "</path>\n");
    }
    str_addz(f->out, "</g>\n");
}

static void line(const struct frame *f, const struct series *s)
{
    size_t n;
    struct spot *all = thin_spots(f, s, &n), *turns = xmalloc((n + 1) * sizeof *turns);
    part_line(all, n);
    memcpy(turns, all, n * sizeof *turns);
    frame_group(f, s->colour, " stroke-width=\"2\" stroke-linejoin=\"round\"");
    line_path(f, s, turns, thin_line(turns, n));
    line_dots(f, s, all, n);
    str_addz(f->out, "</g>\n");
    free(turns);
    free(all);
}

static size_t point_count(const struct chart *c)
{
    size_t n = 0;
    for (const struct series *s = c->first; s; s = s->next) {
        n += s->kind == SERIES_POINTS ? s->n : 0;
    }
    return n;
}

bool marks_thinned(const struct chart *c)
{
    return point_count(c) > THIN_MARKS;
}

/* How large a cell must be so that all point series together have few enough marks; 0: each point
 * is a mark of its own. */
static double cell_side(const struct frame *f)
{
    double side = 0;
    for (size_t left = point_count(f->c); left > THIN_MARKS;) {
        side = side == 0 ? 2 : side * 1.5;
        left = 0;
        for (const struct series *s = f->c->first; s; s = s->next) {
            size_t n;
            if (s->kind == SERIES_POINTS) {
                struct spot *spots = thin_spots(f, s, &n);
                left += thin_merge(f, spots, n, side, false);
                free(spots);
            }
        }
    }
    return side;
}

static void points(const struct frame *f, const struct series *s, double side)
{
    size_t n;
    struct spot *spots = thin_spots(f, s, &n);
    n = side > 0 ? thin_merge(f, spots, n, side, true) : n;
    frame_group(f, s->colour, " fill-opacity=\"0.75\"");
    if (s->lo && side == 0) {
        str_addz(f->out, "<g fill=\"none\">");
        for (size_t k = 0; k < n; k++) {
            interval(f, s, spots[k].i, spots[k].x, 3);
        }
        str_addz(f->out, "</g>\n");
    }
    str_addz(f->out, side > 0 ? "<g stroke-width=\"0\">\n" : "<g>\n");
    for (size_t k = 0; k < n; k++) {
        double r = side > 0 ? fmin(1.5 + log2((double)spots[k].n) / 2, side * 0.6) : 4;
        str_addz(f->out, "<path class=\"m\" ");
        shape(f->out, s->colour, spots[k].x, spots[k].y, r);
        str_addc(f->out, '>');
        title(f, s, spots[k].i, spots[k].n);
        str_addz(f->out, "</path>\n");
    }
    str_addz(f->out, "</g>\n</g>\n");
    free(spots);
}

static void layer(const struct frame *f, enum series_kind kind)
{
    double side = kind == SERIES_POINTS ? cell_side(f) : 0;
    size_t index = 0;
    for (const struct series *s = f->c->first; s; s = s->next) {
        if (s->kind != kind) {
            continue;
        }
        switch (kind) {
        case SERIES_BAND:
            band(f, s);
            break;
        case SERIES_BARS:
            bars(f, s, index++);
            break;
        case SERIES_LINE:
            line(f, s);
            break;
        case SERIES_POINTS:
            points(f, s, side);
            break;
        case SERIES_CELLS: /* cells.c */
            break;
        }
    }
}

void marks_draw(const struct frame *f)
{
    layer(f, SERIES_BAND);
    layer(f, SERIES_BARS);
    size_t index = 0;
    for (const struct series *s = f->c->first; s; s = s->next) {
        if (s->kind == SERIES_BARS) {
            bar_intervals(f, s, index++);
        }
    }
    layer(f, SERIES_LINE);
    layer(f, SERIES_POINTS);
}

/* ---- the legend's sample ---- */

void marks_sample(const struct frame *f, unsigned colour, double x, double y)
{
    for (const struct series *s = f->c->first; s; s = s->next) {
        if (s->colour != colour) {
            continue;
        }
        switch (s->kind) {
        case SERIES_BARS:
            bar_fill(f, colour);
            PEN(f->out, "<path d=\"M@ @h22v12h-22z\"/></g>\n", x + 4, y - 6);
            break;
        case SERIES_BAND:
            str_addz(f->out, "<path fill-opacity=\"0.18\" stroke-opacity=\"0.5\"");
            PEN(f->out, " d=\"M@ @h28v12h-28z\"/>\n", x, y - 6);
            break;
        case SERIES_LINE:
            str_addz(f->out, "<path stroke-width=\"2\"");
            dash(f->out, colour);
            PEN(f->out, " d=\"M@ @h30\"/>\n", x, y);
            if (s->n > MARKED_LINE) {
                break;
            }
            /* fall through */
        case SERIES_POINTS:
            str_addz(f->out, "<path ");
            shape(f->out, colour, x + 15, y, 4);
            str_addz(f->out, "/>\n");
            break;
        case SERIES_CELLS:
            break;
        }
    }
}
