/* frame.c - the layout of a chart and what surrounds its data: axes, names, legend, rules. Knows
 * nothing of how marks look. */
#include "chart/frame.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 640,
    HEIGHT = 280,
    LINE = 18, /* of text */
    EDGE = 8,
    NAMES_TURNED = 120, /* names of columns that stand aslant */
    NAMES_APART = 15,
    ENTRY_WIDE = 190, /* a name in the legend */
    SAMPLE = 30,
    TURN = 40,           /* degrees */
    MESSAGE_WIDTH = 320, /* small enough for a phone */
    MESSAGE_LINE = 44,   /* bytes */
    MESSAGE_TOP = 32,
};
static const double sin_turn = 0.643, cos_turn = 0.766;

/* ---- what the axes must hold ---- */

struct range {
    double lo, hi;
};

static void widen(struct range *r, const struct chart_axis *axis, double v)
{
    if (scale_takes(axis, v)) {
        r->lo = fmin(r->lo, v);
        r->hi = fmax(r->hi, v);
    }
}

static void widen_all(struct range *r, const struct chart_axis *axis, const double *v, size_t n)
{
    for (size_t i = 0; v && i < n; i++) {
        widen(r, axis, v[i]);
    }
}

static struct range range_of(const struct chart *c, bool horizontal)
{
    struct range r = {INFINITY, -INFINITY};
    const struct chart_axis *axis = horizontal ? &c->o.y : &c->o.x;
    for (const struct series *s = c->first; s; s = s->next) {
        if (horizontal) {
            widen_all(&r, axis, s->y, s->n);
            widen_all(&r, axis, s->lo, s->n);
            widen_all(&r, axis, s->hi, s->n);
        } else {
            widen_all(&r, axis, s->x, s->n);
        }
    }
    for (const struct rule *k = c->rules; k; k = k->next) {
        if (k->horizontal == horizontal) {
            widen(&r, axis, k->value);
        }
    }
    return r;
}

static bool has_place(const struct frame *f, const struct series *s, size_t i)
{
    const double *v[3] = {s->y, s->kind == SERIES_BAND ? s->lo : NULL,
                          s->kind == SERIES_BAND ? s->hi : NULL};
    double x = series_x(s, i);
    bool good = scale_takes(&f->c->o.x, x) && scale_shows(&f->x, x);
    for (int k = 0; k < 3; k++) {
        good = good && (!v[k] || (scale_takes(&f->c->o.y, v[k][i]) &&
                                  (s->kind == SERIES_BAND || scale_shows(&f->y, v[k][i]))));
    }
    return good;
}

static bool is_there(const struct series *s, size_t i)
{
    return !isnan(series_x(s, i)) && (!s->y || !isnan(s->y[i])) &&
           (s->kind != SERIES_BAND || (!isnan(s->lo[i]) && !isnan(s->hi[i])));
}

/* Values that are there but have no place on these axes. */
static size_t unplaced(const struct frame *f)
{
    size_t n = 0;
    for (const struct series *s = f->c->first; s; s = s->next) {
        for (size_t i = 0; i < s->n; i++) {
            n += is_there(s, i) && !has_place(f, s, i);
        }
    }
    return n;
}

static const char *note_of(const struct frame *f)
{
    size_t out = unplaced(f);
    if (out) {
        return arena_printf(f->c->arena, "%zu %s no place on these axes. The table has %s.", out,
                            out == 1 ? "value has" : "values have", out == 1 ? "it" : "them");
    }
    return marks_thinned(f->c)
               ? "Points near each other are drawn as one larger mark. The CSV file lists each one."
               : NULL;
}

/* ---- layout ---- */

static double widest(const char *const *names, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, pen_width(names[i]));
    }
    return most;
}

static double entry_width(const struct frame *f, unsigned colour)
{
    const char *name = chart_of_colour(f->c, colour)->name;
    return SAMPLE + 6 + fmin(pen_width(name), ENTRY_WIDE) + 18;
}

/* Places the next entry of the legend, on a new line when this one is full. */
static void next_entry(const struct frame *f, unsigned colour, double *x, double *y)
{
    if (*x > f->left && *x + entry_width(f, colour) > f->width) {
        *x = f->left;
        *y += LINE;
    }
}

static bool has_legend(const struct chart *c)
{
    return c->colours > 1;
}

static double legend_height(struct frame *f)
{
    double x = f->left, y = 0;
    for (unsigned k = 0; has_legend(f->c) && k < f->c->colours; k++) {
        next_entry(f, k, &x, &y);
        x += entry_width(f, k);
    }
    return has_legend(f->c) ? y + LINE + 4 : 0;
}

static double name_step(const struct frame *f)
{
    return (f->right - f->left) / (double)f->c->o.x.n_names;
}

/* Below the data: names or ticks, the axis' label, the note. */
static double bottom_height(struct frame *f)
{
    const struct chart_axis *x = &f->c->o.x;
    double h = LINE;
    if (x->n_names) {
        double wide = widest(x->names, x->n_names);
        f->turned = wide > name_step(f) - 6;
        h = f->turned ? fmin(wide, NAMES_TURNED) * sin_turn + LINE : LINE;
    }
    return EDGE + h + (x->label[0] ? LINE : 0) + (f->note ? LINE : 0);
}

static double left_width(const struct frame *f)
{
    const struct chart_axis *y = &f->c->o.y;
    double wide = 0;
    struct ticks t;
    scale_ticks(&f->y, 2.0 * LINE, &t);
    for (size_t i = 0; i < t.n; i++) {
        wide = fmax(wide, pen_width(t.text[i]));
    }
    return EDGE + (y->label[0] ? LINE : 0) + wide + 8;
}

static double auto_height(const struct frame *f)
{
    const struct chart *c = f->c;
    if (c->o.height) {
        return fmin(fmax(c->o.height, 120), 4000);
    }
    /* Names that stand aslant take no room of the data. */
    return HEIGHT + (f->turned ? fmax(0, f->height - f->bottom - 3 * LINE) : 0);
}

/* Edges depend on labels, and labels on edges: height first with a guess of the left edge, then the
 * left edge, then the height again with what is now known. */
static void settle(struct frame *f)
{
    f->left = 64;
    f->right = f->width - 14;
    for (int pass = 0; pass < 2; pass++) {
        f->legend = legend_height(f);
        f->top = EDGE + f->legend + 4;
        double below = bottom_height(f);
        f->height = below;
        f->bottom = 0;
        f->height = auto_height(f);
        f->bottom = fmax(f->height - below, f->top + 20);
        f->y.from = f->bottom;
        f->y.to = f->top;
        f->left = left_width(f);
        f->x.from = f->left;
        f->x.to = f->right;
    }
    f->height = fmax(f->height, f->bottom + bottom_height(f));
}

const char *frame_instead(const struct chart *c)
{
    return c->refused ? c->refused : chart_has_data(c) ? NULL : c->o.empty;
}

struct frame frame_of(const struct chart *c, const char *id, struct str *out)
{
    struct frame f = {.c = c, .id = id, .out = out};
    for (const struct series *s = c->first; s; s = s->next) {
        f.bars += s->kind == SERIES_BARS;
    }
    struct range x = range_of(c, false), y = range_of(c, true);
    f.x = scale_new(&c->o.x, x.lo, x.hi, false);
    f.y = scale_new(&c->o.y, y.lo, y.hi, f.bars > 0);
    f.width = c->o.width ? fmin(fmax(c->o.width, 240), 4000) : WIDTH;
    settle(&f);
    f.note = note_of(&f);
    settle(&f);
    return f;
}

/* ---- axes ---- */

static void y_axis(const struct frame *f)
{
    struct ticks t;
    scale_ticks(&f->y, 2.0 * LINE, &t);
    str_addz(f->out, "<g class=\"grid\" stroke=\"" PEN_GRID "\">");
    for (size_t i = 0; i < t.n; i++) {
        PEN(f->out, "<path d=\"M@ @H@\"/>", f->left, scale_at(&f->y, t.at[i]), f->right);
    }
    str_addz(f->out, "</g>\n<g class=\"tick\" fill=\"" PEN_TEXT_2 "\">\n");
    for (size_t i = 0; i < t.n; i++) {
        struct label at = {f->left - 6, scale_at(&f->y, t.at[i]) + 4, f->left, 0, "end", NULL};
        pen_label(f->out, &at, t.text[i]);
    }
    str_addz(f->out, "</g>\n");
}

static void x_axis(const struct frame *f)
{
    struct ticks t;
    scale_ticks(&f->x, f->c->o.x.scale == CHART_TIME ? 96 : 64, &t);
    str_addz(f->out, "<g class=\"axis\" stroke=\"" PEN_AXIS "\">");
    for (size_t i = 0; i < t.n; i++) {
        PEN(f->out, "<path d=\"M@ @v4\"/>", scale_at(&f->x, t.at[i]), f->bottom);
    }
    str_addz(f->out, "</g>\n<g class=\"tick\" fill=\"" PEN_TEXT_2 "\">\n");
    for (size_t i = 0; i < t.n; i++) {
        double half = pen_width(t.text[i]) / 2, x = scale_at(&f->x, t.at[i]);
        x = fmax(fmin(x, f->width - 2 - half), half + 2);
        struct label at = {x, f->bottom + LINE, 2 * half + 1, 0, "middle", NULL};
        pen_label(f->out, &at, t.text[i]);
    }
    str_addz(f->out, "</g>\n");
}

static void column_names(const struct frame *f)
{
    const struct chart_axis *x = &f->c->o.x;
    size_t every = (size_t)fmax(1, ceil(NAMES_APART / name_step(f)));
    str_addz(f->out, "<g class=\"tick\" fill=\"" PEN_TEXT_2 "\">\n");
    for (size_t i = 0; i < x->n_names; i += every) {
        double at = scale_at(&f->x, (double)i);
        struct label flat = {at, f->bottom + LINE, f->width, 0, "middle", NULL};
        struct label aslant = {
            at + 4, f->bottom + LINE - 2, fmin(NAMES_TURNED, at / cos_turn), -TURN, "end", NULL};
        pen_label(f->out, f->turned ? &aslant : &flat, x->names[i]);
    }
    str_addz(f->out, "</g>\n");
}

static void axis_labels(const struct frame *f)
{
    const struct chart_options *o = &f->c->o;
    double middle = (f->top + f->bottom) / 2;
    str_addz(f->out, "<g class=\"text\" fill=\"" PEN_TEXT "\">\n");
    if (o->x.label[0]) {
        const char *label = o->x.scale == CHART_TIME && !o->x.n_names
                                ? arena_printf(f->c->arena, "%s (UTC)", o->x.label)
                                : o->x.label;
        struct label at = {(f->left + f->right) / 2,
                           f->height - EDGE - (f->note ? LINE : 0),
                           f->right - f->left,
                           0,
                           "middle",
                           NULL};
        pen_label(f->out, &at, label);
    }
    if (o->y.label[0]) {
        struct label at = {EDGE + 9, middle, f->bottom - f->top + 20, -90, "middle", NULL};
        pen_label(f->out, &at, o->y.label);
    }
    if (f->note) {
        struct label at = {f->left, f->height - EDGE + 2, f->width - f->left, 0, "start", "note"};
        pen_label(f->out, &at, f->note);
    }
    str_addz(f->out, "</g>\n");
}

void frame_axes(const struct frame *f)
{
    y_axis(f);
    if (f->x.discrete) {
        column_names(f);
    } else {
        x_axis(f);
    }
    axis_labels(f);
    str_addz(f->out, "<path class=\"axis\" fill=\"none\" stroke=\"" PEN_AXIS "\"");
    PEN(f->out, " d=\"M@ @V@H@\"/>\n", f->left, f->top, f->bottom, f->right);
}

/* ---- legend, rules, message ---- */

void frame_group(const struct frame *f, unsigned colour, const char *more)
{
    const char *hex = pen_colour(colour);
    str_printf(f->out, "<g class=\"c%u\" fill=\"%s\" stroke=\"%s\"%s>\n", colour + 1, hex, hex,
               more);
}

void frame_legend(const struct frame *f)
{
    double x = f->left, y = 0;
    for (unsigned k = 0; has_legend(f->c) && k < f->c->colours; k++) {
        next_entry(f, k, &x, &y);
        frame_group(f, k, "");
        marks_sample(f, k, x, EDGE + y + LINE / 2.0);
        str_addz(f->out, "</g>\n<g class=\"text\" fill=\"" PEN_TEXT "\">\n");
        struct label at = {
            x + SAMPLE + 6, EDGE + y + LINE / 2.0 + 4.5, ENTRY_WIDE, 0, "start", NULL};
        pen_label(f->out, &at, chart_of_colour(f->c, k)->name);
        str_addz(f->out, "</g>\n");
        x += entry_width(f, k);
    }
}

void frame_rules(const struct frame *f)
{
    str_addz(f->out, "<g class=\"rule\" pointer-events=\"none\" stroke=\"" PEN_TEXT
                     "\" fill=\"" PEN_TEXT "\">\n");
    for (const struct rule *k = f->c->rules; k; k = k->next) {
        const struct scale *s = k->horizontal ? &f->y : &f->x;
        if (!scale_takes(s->axis, k->value) || !scale_shows(s, k->value)) {
            continue;
        }
        double at = scale_at(s, k->value);
        struct label name = {.turn = 0};
        if (k->horizontal) {
            PEN(f->out, "<path d=\"M@ @H@\" stroke-dasharray=\"5 4\"/>\n", f->left, at, f->right);
            bool under = at - f->top < LINE;
            name.x = f->right - 4;
            name.y = under ? at + 15 : at - 5;
            name.anchor = "end";
            name.most = f->right - f->left;
        } else {
            PEN(f->out, "<path d=\"M@ @V@\" stroke-dasharray=\"5 4\"/>\n", at, f->top, f->bottom);
            bool before = at > (f->left + f->right) / 2;
            name.x = before ? at - 5 : at + 5;
            name.y = f->top + 12;
            name.anchor = before ? "end" : "start";
            name.most = (before ? at - f->left : f->right - at) - 5;
        }
        /* Over marks: the letters have an edge of the ground's colour. */
        str_addz(f->out, "<g class=\"on-rule\" stroke=\"" PEN_GROUND "\" stroke-width=\"4\" "
                         "paint-order=\"stroke\">");
        pen_label(f->out, &name, k->label);
        str_addz(f->out, "</g>\n");
    }
    str_addz(f->out, "</g>\n");
}

/* As many bytes of the words as fit into a line of `most` bytes, at least one word. */
static size_t line_length(struct sv words, size_t most)
{
    size_t n = 0;
    for (size_t i = 1; i <= words.n && (i <= most || !n); i++) {
        n = i == words.n || words.p[i] == ' ' ? i : n;
    }
    return n;
}

/* An SVG does not wrap: line by line, from `y` down. Returns where the next one would stand. */
static double message_lines(const struct frame *f, const char *text, double y, bool draw)
{
    struct sv words = sv_trim(sv_of(text));
    while (words.n) {
        size_t n = line_length(words, MESSAGE_LINE);
        struct label at = {f->width / 2, y, f->width - 2 * EDGE, 0, "middle", NULL};
        if (draw) {
            pen_label(f->out, &at, arena_cstr(f->c->arena, sv_make(words.p, n)));
        }
        words = sv_trim(sv_make(words.p + n, words.n - n));
        y += LINE;
    }
    return y;
}

void frame_message(const struct frame *f)
{
    str_addz(f->out, "<g class=\"text\" fill=\"" PEN_TEXT_2 "\">\n");
    message_lines(f, frame_instead(f->c), MESSAGE_TOP, true);
    str_addz(f->out, "</g>\n");
}

struct frame frame_of_message(const struct chart *c, const char *id, struct str *out)
{
    struct frame f = {.c = c, .id = id, .out = out, .width = MESSAGE_WIDTH};
    f.height = fmin(message_lines(&f, frame_instead(c), MESSAGE_TOP, false), 4000);
    return f;
}
