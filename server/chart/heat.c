/* heat.c - a matrix as coloured cells that say their value, and the key of the colours. */
#include <math.h>

#include "chart/frame.h"

static const double small_text = 11.0 / PEN_FONT;

/* What the palest and the darkest colour stand for: given by the y axis, else the data; counts and
 * shares begin at zero. */
static void limits(const struct chart *c, double *lo, double *hi)
{
    const struct chart_axis *y = &c->o.y;
    const struct series *s = c->first;
    *lo = y->lo;
    *hi = y->hi;
    if (*lo < *hi) {
        return;
    }
    *lo = y->form == CHART_NUMBER ? INFINITY : 0;
    *hi = -INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        *lo = isnan(s->y[i]) ? *lo : fmin(*lo, s->y[i]);
        *hi = isnan(s->y[i]) ? *hi : fmax(*hi, s->y[i]);
    }
}

static unsigned level_of(double v, double lo, double hi)
{
    double part = hi > lo ? (v - lo) / (hi - lo) : 0;
    return (unsigned)fmin(fmax(floor(part * PEN_LEVELS), 0), PEN_LEVELS - 1);
}

struct cells {
    double width, height;
    double lo, hi;
};

static void cell_title(const struct frame *f, size_t row, size_t column, const char *value)
{
    const struct chart_options *o = &f->c->o;
    str_addz(f->out, "<title>");
    pen_text(f->out, o->y.names[row]);
    str_addz(f->out, ", ");
    pen_text(f->out, o->x.names[column]);
    str_printf(f->out, ": %s</title>", value);
}

/* Cells of one colour in one group: the colour is written once. */
static void level(const struct frame *f, const struct cells *k, unsigned which)
{
    const struct chart_options *o = &f->c->o;
    str_printf(f->out, "<g class=\"h%u\" fill=\"%s\">\n", which, pen_heat(which));
    for (size_t i = 0; i < f->c->first->n; i++) {
        double v = f->c->first->y[i];
        if (isnan(v) || level_of(v, k->lo, k->hi) != which) {
            continue;
        }
        size_t row = i / o->x.n_names, column = i % o->x.n_names;
        char text[FORM_TEXT];
        form_value(&o->y, v, text);
        PEN(f->out, "<path class=\"m\" d=\"M@ @h@v@h@z\">",
            scale_at(&f->x, (double)column) - k->width / 2,
            scale_at(&f->y, (double)row) - k->height / 2, k->width, k->height, -k->width);
        cell_title(f, row, column, text);
        str_addz(f->out, "</path>\n");
    }
    str_addz(f->out, "</g>\n");
}

static void missing(const struct frame *f, const struct cells *k)
{
    const struct chart_options *o = &f->c->o;
    str_addz(f->out, "<g class=\"none\" fill=\"" PEN_GROUND "\" stroke=\"" PEN_GRID "\">\n");
    for (size_t i = 0; i < f->c->first->n; i++) {
        if (isnan(f->c->first->y[i])) {
            size_t row = i / o->x.n_names, column = i % o->x.n_names;
            double x = scale_at(&f->x, (double)column), y = scale_at(&f->y, (double)row);
            double w = k->width - 2, h = k->height - 2;
            PEN(f->out, "<path class=\"m\" d=\"M@ @h@v@h@zl@ @\">", x - w / 2, y - h / 2, w, h, -w,
                w, h);
            cell_title(f, row, column, "no value");
            str_addz(f->out, "</path>\n");
        }
    }
    str_addz(f->out, "</g>\n");
}

/* The value in each cell that has room for it, pale on dark and dark on pale. */
static void values(const struct frame *f, const struct cells *k, bool dark)
{
    const struct chart_options *o = &f->c->o;
    str_printf(f->out,
               "<g class=\"%s\" fill=\"%s\" font-size=\"11\" text-anchor=\"middle\" "
               "pointer-events=\"none\">\n",
               dark ? "on-strong" : "on-pale", dark ? PEN_GROUND : PEN_TEXT);
    for (size_t i = 0; k->height >= 12 && i < f->c->first->n; i++) {
        double v = f->c->first->y[i];
        if (isnan(v) || pen_heat_dark(level_of(v, k->lo, k->hi)) != dark) {
            continue;
        }
        char text[FORM_TEXT];
        form_value(&o->y, v, text);
        if (pen_width(text) * small_text <= k->width - 2) {
            PEN(f->out, "<text x=\"@\" y=\"@\">", scale_at(&f->x, (double)(i % o->x.n_names)),
                scale_at(&f->y, (double)(i / o->x.n_names)) + 4);
            pen_text(f->out, text);
            str_addz(f->out, "</text>\n");
        }
    }
    str_addz(f->out, "</g>\n");
}

void heat_draw(const struct frame *f)
{
    struct cells k = {
        .width = (f->right - f->left) / (double)f->c->o.x.n_names,
        .height = (f->bottom - f->top) / (double)f->c->o.y.n_names,
    };
    limits(f->c, &k.lo, &k.hi);
    missing(f, &k);
    for (unsigned i = 0; i < PEN_LEVELS; i++) {
        level(f, &k, i);
    }
    values(f, &k, false);
    values(f, &k, true);
}

/* "0.00 [][][][][][][][][] 0.96" */
void heat_key(const struct frame *f)
{
    double lo, hi, x = f->left, y = 8;
    char text[FORM_TEXT];
    limits(f->c, &lo, &hi);
    form_value(&f->c->o.y, lo, text);
    str_addz(f->out, "<g class=\"text\" fill=\"" PEN_TEXT "\">\n");
    struct label first = {x, y + 12, 200, 0, "start", NULL};
    pen_label(f->out, &first, text);
    x += pen_width(text) + 6;
    form_value(&f->c->o.y, hi, text);
    struct label last = {x + 18 * PEN_LEVELS + 6, y + 12, 200, 0, "start", NULL};
    pen_label(f->out, &last, text);
    str_addz(f->out, "</g>\n<g class=\"key\" stroke=\"" PEN_GRID "\">\n");
    for (unsigned i = 0; i < PEN_LEVELS; i++) {
        str_printf(f->out, "<g class=\"h%u\" fill=\"%s\">", i, pen_heat(i));
        PEN(f->out, "<path d=\"M@ @h18v14h-18z\"/></g>\n", x + 18.0 * i, y);
    }
    str_addz(f->out, "</g>\n");
}
