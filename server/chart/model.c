/* model.c - building a chart: everything is copied, text is made valid, and what is too much to
 * draw is refused with the reason. Knows nothing of how it looks. */
#include "chart/model.h"

#include <math.h>
#include <string.h>

#include "chart/form.h"

/* A range of two values must not overflow. */
static const double value_most = 1e300;

/* It can be drawn at all: finite, and not so large that a range of them overflows. */
static bool is_value(double v)
{
    return isfinite(v) && fabs(v) <= value_most;
}

/* Control characters and broken UTF-8 become U+FFFD: neither XML nor JSON can hold them. */
static const char *clean(struct arena *a, const char *text)
{
    struct sv rest = sv_of(text);
    char *copy = arena_alloc(a, 3 * rest.n + 1);
    size_t at = 0;
    while (rest.n) {
        size_t n = sv_utf8_first(rest);
        unsigned char first = (unsigned char)rest.p[0];
        bool bad = n == 0 || first < 0x20 || first == 0x7f ||
                   (n == 3 && (memcmp(rest.p, "\xef\xbf\xbe", 3) == 0 ||
                               memcmp(rest.p, "\xef\xbf\xbf", 3) == 0));
        if (bad && (first == '\n' || first == '\t' || first == '\r')) {
            copy[at++] = ' ';
        } else if (bad) {
            memcpy(copy + at, "\xef\xbf\xbd", 3);
            at += 3;
        } else {
            memcpy(copy + at, rest.p, n);
            at += n;
        }
        n = n ? n : 1;
        rest = sv_make(rest.p + n, rest.n - n);
    }
    copy[at] = '\0';
    return copy;
}

static const char *const *clean_all(struct arena *a, const char *const *texts, size_t n)
{
    if (!texts || !n) {
        return NULL;
    }
    const char **copies = arena_calloc(a, n, sizeof *copies);
    for (size_t i = 0; i < n; i++) {
        copies[i] = clean(a, texts[i] ? texts[i] : "");
    }
    return (const char *const *)copies;
}

/* A negative zero would be drawn and written as one. */
static const double *copy_values(struct arena *a, const double *v, size_t n)
{
    double *copy = arena_alloc(a, n * sizeof *copy + 1);
    for (size_t i = 0; i < n; i++) {
        copy[i] = is_value(v[i]) ? v[i] + 0.0 : NAN;
    }
    return copy;
}

static void copy_axis(struct arena *a, struct chart_axis *axis)
{
    axis->label = clean(a, axis->label ? axis->label : "");
    axis->names = clean_all(a, axis->names, axis->n_names);
    if (!axis->names) {
        axis->n_names = 0;
    }
    if (!is_value(axis->lo) || !is_value(axis->hi) || axis->lo > axis->hi) {
        axis->lo = axis->hi = 0;
    }
}

struct chart *chart_new(struct arena *a, const struct chart_options *o)
{
    struct chart *c = arena_calloc(a, 1, sizeof *c);
    c->arena = a;
    c->o = *o;
    c->o.title = clean(a, o->title ? o->title : "");
    c->o.description = clean(a, o->description ? o->description : "");
    c->o.empty = clean(a, o->empty ? o->empty : "There is nothing to show yet.");
    copy_axis(a, &c->o.x);
    copy_axis(a, &c->o.y);
    return c;
}

static unsigned colour_of(struct chart *c, const char *name)
{
    for (const struct series *s = c->first; s; s = s->next) {
        if (strcmp(s->name, name) == 0) {
            return s->colour;
        }
    }
    if (c->colours == CHART_COLOURS) {
        c->refused = "There are more than eight series: too many to tell apart. The table and the "
                     "CSV file have all values.";
        return CHART_COLOURS - 1;
    }
    return c->colours++;
}

/* NULL when it is too much: the chart then says so instead of being drawn. */
static struct series *add(struct chart *c, enum series_kind kind, const char *name, size_t n)
{
    if (n > CHART_VALUES || c->values + n > CHART_VALUES) {
        c->refused =
            "There are more than half a million values: too many to draw. Ask for fewer values.";
        return NULL;
    }
    struct series *s = arena_calloc(c->arena, 1, sizeof *s);
    name = clean(c->arena, name ? name : "");
    *s = (struct series){.kind = kind, .name = name, .colour = kind == SERIES_CELLS ? 0 : colour_of(c, name), .n = n};
    c->values += n;
    c->n_series++;
    if (c->last) {
        c->last->next = s;
    } else {
        c->first = s;
    }
    c->last = s;
    return s;
}

void chart_bars(struct chart *c, const char *name, size_t n, const double *y)
{
    BUG_IF(n != c->o.x.n_names);
    struct series *s = add(c, SERIES_BARS, name, n);
    if (s) {
        s->y = copy_values(c->arena, y, n);
    }
    if (n > CHART_BARS) {
        c->refused = "There are too many bars to draw. The table and the CSV file have all values.";
    }
}

void chart_cells(struct chart *c, const char *name, size_t n, const double *y)
{
    BUG_IF(n != c->o.x.n_names);
    struct series *s = add(c, SERIES_CELLS, name, n);
    if (s) {
        s->y = copy_values(c->arena, y, n);
    }
    if (n > CHART_CELLS || c->n_series > CHART_CELLS) {
        c->refused = "There are too many cells to draw. The table and the CSV file have all values.";
    }
}

void chart_intervals(struct chart *c, size_t n, const double *lo, const double *hi)
{
    struct series *s = c->last;
    if (!s) {
        return; /* the series was refused */
    }
    BUG_IF(s->n != n || s->kind == SERIES_BAND);
    s->lo = copy_values(c->arena, lo, n);
    s->hi = copy_values(c->arena, hi, n);
}

void chart_line(struct chart *c, const char *name, size_t n, const double *x, const double *y)
{
    struct series *s = add(c, SERIES_LINE, name, n);
    if (s) {
        s->x = copy_values(c->arena, x, n);
        s->y = copy_values(c->arena, y, n);
    }
}

void chart_points(struct chart *c, const char *name, size_t n, const double *x, const double *y,
                  const char *const *labels)
{
    struct series *s = add(c, SERIES_POINTS, name, n);
    if (s) {
        s->x = copy_values(c->arena, x, n);
        s->y = copy_values(c->arena, y, n);
        s->labels = clean_all(c->arena, labels, n);
    }
}

void chart_band(struct chart *c, const char *name, size_t n, const double *x, const double *lo,
                const double *hi)
{
    struct series *s = add(c, SERIES_BAND, name, n);
    if (s) {
        s->x = copy_values(c->arena, x, n);
        s->lo = copy_values(c->arena, lo, n);
        s->hi = copy_values(c->arena, hi, n);
    }
}

void chart_rule(struct chart *c, bool horizontal, double value, const char *label)
{
    if (!is_value(value)) {
        return;
    }
    struct rule *r = arena_calloc(c->arena, 1, sizeof *r);
    *r = (struct rule){horizontal, value + 0.0, clean(c->arena, label ? label : ""), NULL};
    struct rule **end = &c->rules;
    while (*end) {
        end = &(*end)->next;
    }
    *end = r;
}

double series_x(const struct series *s, size_t i)
{
    return s->x ? s->x[i] : (double)i;
}

bool chart_has_data(const struct chart *c)
{
    for (const struct series *s = c->first; s; s = s->next) {
        for (size_t i = 0; i < s->n; i++) {
            const double *v = s->y ? s->y : s->lo;
            if (!isnan(v[i]) && !isnan(series_x(s, i)) && (s->y || !isnan(s->hi[i]))) {
                return true;
            }
        }
    }
    return false;
}

const struct series *chart_of_colour(const struct chart *c, unsigned colour)
{
    const struct series *s = c->first;
    while (s && s->colour != colour) {
        s = s->next;
    }
    return s;
}

const char *chart_category(const struct chart *c, const struct series *s, size_t i)
{
    double x = series_x(s, i);
    size_t at = x >= 0 && x < (double)c->o.x.n_names ? (size_t)x : c->o.x.n_names;
    return at < c->o.x.n_names ? c->o.x.names[at] : "";
}
