/* svg.c - draws a chart: the root element with its names, then layers from the grid to the marks. */
#include "chart/svg.h"

#include "chart/cells.h"

/* Style sheets let text shrink with its picture to a point: how far depends on the width. */
enum { NARROW = 500, WIDE = 800 };

static void root(const struct frame *f, const char *size, const char *about)
{
    const struct chart_options *o = &f->c->o;
    struct str *out = f->out;
    str_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart-svg%s%s\" id=\"", size,
               about);
    pen_text(out, f->id);
    PEN(out, "\" viewBox=\"0 0 @ @\" width=\"@\" height=\"@\"", f->width, f->height, f->width,
        f->height);
    str_addz(out, " role=\"img\" aria-labelledby=\"");
    pen_text(out, f->id);
    str_addz(out, "-title ");
    pen_text(out, f->id);
    str_printf(out, "-desc\" font-family=\"system-ui, sans-serif\" font-size=\"%d\">\n<title id=\"",
               PEN_FONT);
    pen_text(out, f->id);
    str_addz(out, "-title\">");
    pen_text(out, o->title);
    str_addz(out, "</title>\n<desc id=\"");
    pen_text(out, f->id);
    str_addz(out, "-desc\">");
    pen_text(out, o->description);
    str_addz(out, "</desc>\n");
    /* Files need a ground of their own: viewers may be dark. On pages it is clear. */
    str_addz(out, "<rect class=\"ground\" fill=\"" PEN_GROUND "\"");
    PEN(out, " width=\"@\" height=\"@\"/>\n", f->width, f->height);
}

/* Limits that were given may leave data outside: nothing of it stands over the labels. */
static void clip(const struct frame *f)
{
    str_addz(f->out, "<defs>\n<clipPath id=\"");
    pen_text(f->out, f->id);
    PEN(f->out, "-data\"><rect x=\"@\" y=\"@\" width=\"@\" height=\"@\"/></clipPath>\n",
        f->left - 6, f->top - 6, f->right - f->left + 12, f->bottom - f->top + 12);
    marks_patterns(f);
    str_addz(f->out, "</defs>\n");
}

static void data(const struct frame *f, void (*draw)(const struct frame *f))
{
    str_addz(f->out, "<g class=\"data\" clip-path=\"url(#");
    pen_text(f->out, f->id);
    str_addz(f->out, "-data)\">\n");
    draw(f);
    str_addz(f->out, "</g>\n");
}

void chart_svg(const struct chart *c, const char *id, struct str *out)
{
    if (frame_instead(c)) {
        struct frame f = frame_of_message(c, id, out);
        root(&f, " small", "");
        frame_message(&f);
    } else if (cells_are(c)) {
        struct frame f = cells_frame(c, id, out);
        root(&f, f.width >= WIDE ? " wide" : "", "");
        clip(&f);
        cells_names(&f);
        data(&f, cells_draw);
    } else {
        struct frame f = frame_of(c, id, out);
        /* Pages open a picture of times at its newest end (chart.js). */
        bool times = c->o.x.scale == CHART_TIME && !c->o.x.n_names;
        root(&f, f.width <= NARROW ? " narrow" : f.width >= WIDE ? " wide" : "",
             times ? " times" : "");
        clip(&f);
        frame_axes(&f);
        data(&f, marks_draw);
        frame_rules(&f);
        frame_legend(&f);
    }
    str_addz(out, "</svg>");
}
