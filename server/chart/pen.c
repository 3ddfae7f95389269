/* pen.c - writing SVG piece by piece. */
#include "chart/pen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Series: at least 3:1 on white. static/css/chart.css has the same for pages, and a dark set;
 * tests/unit/view/look_test compares them and computes the contrast. */
static const char *const colours[] = {"#0b6672", "#c2410c", "#5b3fa8", "#8a6d00",
                                      "#b0246f", "#2f6fd0", "#4a7a12", "#5b6470"};
static const char *const dashes[] = {NULL,   "7 3", "2 3", "9 3 2 3",
                                     "12 4", "4 2", "1 2", "6 2 1 2 1 2"};

const char *pen_colour(unsigned colour)
{
    return colours[colour % (sizeof colours / sizeof *colours)];
}

const char *pen_dash(unsigned colour)
{
    return dashes[colour % (sizeof dashes / sizeof *dashes)];
}

static void number(struct str *out, double v)
{
    char text[32];
    double tenths = nearbyint(v * 10);
    BUG_IF(!(fabs(tenths) < 1e9));
    snprintf(text, sizeof text, "%.1f", tenths == 0 ? 0 : tenths / 10);
    size_t n = strlen(text);
    str_add(out, text, text[n - 1] == '0' ? n - 2 : n);
}

void pen_numbers(struct str *out, const char *form, const double *v, size_t n)
{
    size_t used = 0;
    for (const char *rest = form; *rest;) {
        size_t plain = strcspn(rest, "@");
        str_add(out, rest, plain);
        rest += plain;
        if (*rest == '@') {
            BUG_IF(used == n);
            number(out, v[used++]);
            rest++;
        }
    }
    BUG_IF(used != n);
}

static void escaped(struct str *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (text[i]) {
        case '&':
            str_addz(out, "&amp;");
            break;
        case '<':
            str_addz(out, "&lt;");
            break;
        case '>':
            str_addz(out, "&gt;");
            break;
        case '"':
            str_addz(out, "&quot;");
            break;
        default:
            str_addc(out, text[i]);
        }
    }
}

void pen_text(struct str *out, const char *text)
{
    escaped(out, text, strlen(text));
}

/* "<title>TEXT</title>" */
static void pen_title(struct str *out, const char *text)
{
    str_addz(out, "<title>");
    pen_text(out, text);
    str_addz(out, "</title>");
}

/* Of one character, in parts of the font size; widths as in Helvetica and its kin, rounded up. */
static double width_of(struct sv character)
{
    unsigned char c = (unsigned char)character.p[0];
    if (character.n >= 3) {
        return c == 0xe2 ? 0.6 : 1.0; /* dashes and signs; the rest may be as wide as high */
    }
    if (character.n == 2) {
        return 0.65;
    }
    if (strchr("ijl.,:;'|!()[] ftrI", c)) {
        return 0.36;
    }
    if (strchr("mwMW@%", c)) {
        return 0.92;
    }
    return c >= 'A' && c <= 'Z' ? 0.7 : 0.58;
}

/* How many bytes of the text fit; *width is what they take. */
static size_t fitting(const char *text, double most, double *width)
{
    struct sv rest = sv_of(text);
    size_t used = 0;
    *width = 0;
    while (rest.n) {
        size_t n = sv_utf8_first(rest);
        n = n ? n : 1;
        double w = width_of(sv_make(rest.p, n)) * PEN_FONT;
        if (*width + w > most) {
            break;
        }
        *width += w;
        used += n;
        rest = sv_make(rest.p + n, rest.n - n);
    }
    return used;
}

double pen_width(const char *text)
{
    double width;
    fitting(text, INFINITY, &width);
    return width;
}

void pen_label(struct str *out, const struct label *at, const char *text)
{
    double width;
    size_t n = strlen(text), fits = fitting(text, at->most, &width);
    PEN(out, "<text x=\"@\" y=\"@\"", at->x, at->y);
    if (strcmp(at->anchor, "start") != 0) {
        str_printf(out, " text-anchor=\"%s\"", at->anchor);
    }
    if (at->turn != 0) {
        PEN(out, " transform=\"rotate(@ @ @)\"", at->turn, at->x, at->y);
    }
    if (at->class) {
        str_printf(out, " class=\"%s\"", at->class);
    }
    str_addc(out, '>');
    if (fits == n) {
        pen_text(out, text);
    } else {
        pen_title(out, text);
        escaped(out, text, fitting(text, at->most - PEN_FONT * 0.8, &width));
        str_addz(out, "\xe2\x80\xa6");
    }
    str_addz(out, "</text>\n");
}
