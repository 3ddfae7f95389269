/* cells.c - lays a heat map out and draws it. Shades are opacities of the first colour, which both themes have. */
#include "chart/cells.h"

#include <math.h>

#include "chart/form.h"

enum { NAME_MOST = 170, CELL_MOST = 44, CELL_LEAST = 14, ROW = 20, EDGE = 12, TURN = -40, HEAD = 110 };
static const double faintest = 0.05;

bool cells_are(const struct chart *c)
{
    return c->first && c->first->kind == SERIES_CELLS;
}

static double row_names_width(const struct chart *c)
{
    double most = 0;
    for (size_t i = 0; i < c->o.x.n_names; i++) {
        most = fmax(most, pen_width(c->o.x.names[i]));
    }
    return fmin(most, NAME_MOST);
}

struct frame cells_frame(const struct chart *c, const char *id, struct str *out)
{
    struct frame f = {.c = c, .id = id, .out = out};
    f.left = EDGE + row_names_width(c) + 8;
    double columns = (double)c->n_series, room = (c->o.width ? c->o.width : 760) - f.left - EDGE;
    double cell = fmax(CELL_LEAST, fmin(CELL_MOST, room / columns));
    f.right = f.left + cell * columns;
    f.top = HEAD;
    f.bottom = f.top + ROW * (double)c->o.x.n_names;
    f.width = fmax(f.right + HEAD * 0.7, 320); /* names of the last columns lean out */
    f.height = f.bottom + EDGE;
    return f;
}

static double column_width(const struct frame *f)
{
    return (f->right - f->left) / (double)f->c->n_series;
}

void cells_names(const struct frame *f)
{
    size_t at = 0;
    for (size_t i = 0; i < f->c->o.x.n_names; i++) {
        const struct label row = {.x = f->left - 8, .y = f->top + ROW * ((double)i + 0.5) + 4, .most = NAME_MOST, .anchor = "end", .class = "text"};
        pen_label(f->out, &row, f->c->o.x.names[i]);
    }
    for (const struct series *s = f->c->first; s; s = s->next, at++) {
        const struct label column = {.x = f->left + column_width(f) * ((double)at + 0.5), .y = f->top - 8, .most = HEAD * 1.3,
                                     .turn = TURN, .anchor = "start", .class = "text"};
        pen_label(f->out, &column, s->name);
    }
}

static double greatest(const struct chart *c)
{
    double most = 0;
    for (const struct series *s = c->first; s; s = s->next) {
        for (size_t i = 0; i < s->n; i++) {
            most = isnan(s->y[i]) ? most : fmax(most, s->y[i]);
        }
    }
    return most;
}

static void cell(const struct frame *f, const struct series *s, size_t column, size_t row, double most)
{
    char text[FORM_TEXT];
    double width = column_width(f), shade = most > 0 ? faintest + (1 - faintest) * (s->y[row] / most) : faintest;
    /* Two decimals: a tenth of a shade is seen. */
    str_printf(f->out, "<path class=\"m\" fill-opacity=\"%.2f\" ", shade);
    PEN(f->out, "d=\"M@ @h@v@h@z\"><title>", f->left + width * (double)column + 0.5, f->top + ROW * (double)row + 0.5, width - 1,
        ROW - 1.0, 1 - width);
    pen_text(f->out, f->c->o.x.names[row]);
    str_addz(f->out, ", ");
    pen_text(f->out, s->name);
    str_addz(f->out, ": ");
    form_value(&f->c->o.y, s->y[row], text);
    pen_text(f->out, text);
    str_addz(f->out, "</title></path>\n");
}

void cells_draw(const struct frame *f)
{
    double most = greatest(f->c);
    for (size_t row = 0; row < f->c->o.x.n_names; row++) {
        size_t column = 0;
        frame_group(f, 0, " stroke-width=\"0\"");
        for (const struct series *s = f->c->first; s; s = s->next, column++) {
            if (!isnan(s->y[row])) {
                cell(f, s, column, row, most);
            }
        }
        str_addz(f->out, "</g>\n");
    }
}
