/* table.c - a chart's numbers without the picture: as a table for people, as CSV and as JSON for
 * programs. One list of columns and cells, written three times. */
#include <math.h>
#include <string.h>

#include "base/xalloc.h"
#include "chart/form.h"
#include "chart/model.h"
#include "json/object.h"

/* What a cell holds: a text, or a value of one of the axes. */
struct cell {
    const char *text;
    double v;
    const struct chart_axis *axis; /* NULL: text */
};

/* A table is wide when every series has the same places: one row a place, one column a series. */
struct grid {
    const struct chart *c;
    bool wide, names;               /* names: places are categories */
    bool series, labels, intervals; /* columns of the long form */
    size_t columns, rows;
};

static bool same_places(const struct chart *c)
{
    const struct series *f = c->first;
    for (const struct series *s = f; s; s = s->next) {
        if (s->n != f->n || (s->x == NULL) != (f->x == NULL) || s->labels) {
            return false;
        }
        for (size_t i = 0; s->x && i < s->n; i++) {
            if (s->x[i] != f->x[i] && !(isnan(s->x[i]) && isnan(f->x[i]))) {
                return false;
            }
        }
    }
    return f != NULL;
}

static size_t series_columns(const struct series *s)
{
    return (s->y ? 1U : 0U) + (s->lo ? 2U : 0U);
}

static struct grid grid_of(const struct chart *c)
{
    struct grid g = {
        .c = c, .wide = same_places(c), .names = c->o.x.n_names > 0, .series = c->n_series > 1};
    size_t total = 0, columns = 1;
    for (const struct series *s = c->first; s; s = s->next) {
        total += s->n;
        columns += series_columns(s);
        g.labels = g.labels || s->labels;
        g.intervals = g.intervals || s->lo;
    }
    g.columns = g.wide ? columns : 2U + g.series + g.labels + (g.intervals ? 2U : 0U);
    g.rows = g.wide ? c->first->n : total;
    return g;
}

static const char *or_else(const char *text, const char *otherwise)
{
    return text[0] ? text : otherwise;
}

static const char *wide_head(const struct grid *g, size_t column)
{
    const struct chart *c = g->c;
    if (column == 0) {
        return or_else(c->o.x.label, "x");
    }
    column--;
    for (const struct series *s = c->first; s; s = s->next) {
        size_t n = series_columns(s);
        if (column >= n) {
            column -= n;
            continue;
        }
        const char *name = or_else(s->name, or_else(c->o.y.label, "y"));
        if (s->y && column == 0) {
            return name;
        }
        return arena_printf(c->arena, "%s, %s", name, column == (s->y ? 1U : 0U) ? "low" : "high");
    }
    return "";
}

static const char *head(const struct grid *g, size_t column)
{
    const struct chart *c = g->c;
    if (g->wide) {
        return wide_head(g, column);
    }
    const char *heads[6];
    size_t n = 0;
    if (g->series) {
        heads[n++] = "series";
    }
    if (g->labels) {
        heads[n++] = "name";
    }
    heads[n++] = or_else(c->o.x.label, "x");
    heads[n++] = or_else(c->o.y.label, "y");
    heads[n++] = "low";
    heads[n++] = "high";
    return heads[column];
}

static struct cell of_text(const char *text)
{
    return (struct cell){.text = text};
}

static struct cell of_value(const struct chart_axis *axis, double v)
{
    return (struct cell){.v = v, .axis = axis};
}

static struct cell place(const struct grid *g, const struct series *s, size_t i)
{
    return g->names ? of_text(chart_category(g->c, s, i)) : of_value(&g->c->o.x, series_x(s, i));
}

/* Value, low and high of a point; `part` counts those that the series has. */
static struct cell value_part(const struct grid *g, const struct series *s, size_t i, size_t part)
{
    const double *parts[3];
    size_t n = 0;
    if (s->y) {
        parts[n++] = s->y;
    }
    if (s->lo) {
        parts[n++] = s->lo;
        parts[n++] = s->hi;
    }
    return of_value(&g->c->o.y, part < n ? parts[part][i] : NAN);
}

static struct cell wide_cell(const struct grid *g, size_t row, size_t column)
{
    const struct series *s = g->c->first;
    if (column == 0) {
        return place(g, s, row);
    }
    for (column--; s && column >= series_columns(s); s = s->next) {
        column -= series_columns(s);
    }
    return s ? value_part(g, s, row, column) : of_text("");
}

/* `s` and `i` are the row's point: whoever writes goes through them in order. */
static struct cell long_cell(const struct grid *g, const struct series *s, size_t i, size_t column)
{
    if (g->series && column-- == 0) {
        return of_text(s->name);
    }
    if (g->labels && column-- == 0) {
        return of_text(s->labels ? s->labels[i] : "");
    }
    switch (column) {
    case 0:
        return place(g, s, i);
    case 1:
        return of_value(&g->c->o.y, s->y ? s->y[i] : NAN);
    case 2:
        return of_value(&g->c->o.y, s->lo ? s->lo[i] : NAN);
    default:
        return of_value(&g->c->o.y, s->hi ? s->hi[i] : NAN);
    }
}

typedef void (*row_fn)(const struct grid *g, const struct cell *cells, void *arg);

/* Calls `each` for the first `most` rows. */
static void each_row(const struct grid *g, size_t most, row_fn each, void *arg)
{
    struct cell *cells = xcalloc(g->columns + 1, sizeof *cells);
    const struct series *s = g->c->first;
    size_t i = 0;
    for (size_t row = 0; row < g->rows && row < most; row++) {
        while (!g->wide && i >= s->n) {
            s = s->next;
            i = 0;
        }
        for (size_t k = 0; k < g->columns; k++) {
            cells[k] = g->wide ? wide_cell(g, row, k) : long_cell(g, s, i, k);
        }
        each(g, cells, arg);
        i++;
    }
    free(cells);
}

/* ---- for people ---- */

static void text_row(const struct grid *g, const struct cell *cells, void *arg)
{
    json_t *list = json_array();
    for (size_t k = 0; k < g->columns; k++) {
        char text[FORM_TEXT] = "";
        if (cells[k].axis && !isnan(cells[k].v)) {
            form_value(cells[k].axis, cells[k].v, text);
        }
        object_add(list, field_text("text", cells[k].axis ? text : cells[k].text),
                   field_bool("number", cells[k].axis != NULL));
    }
    object_add(arg, field_json("cells", list));
}

static bool is_number_column(const struct grid *g, size_t column)
{
    size_t texts = (g->wide ? 0U : 0U + g->series + g->labels) + g->names;
    return column >= texts;
}

static json_t *series_json(const struct chart *c)
{
    json_t *list = json_array();
    for (unsigned k = 0; k < c->colours && k < CHART_COLOURS; k++) {
        char class[8];
        snprintf(class, sizeof class, "c%u", k + 1);
        object_add(list, field_text("name", chart_of_colour(c, k)->name),
                   field_text("class", class));
    }
    return list;
}

json_t *chart_table(const struct chart *c)
{
    struct grid g = grid_of(c);
    json_t *columns = json_array(), *rows = json_array();
    for (size_t k = 0; k < g.columns; k++) {
        object_add(columns, field_text("text", head(&g, k)),
                   field_bool("number", is_number_column(&g, k)));
    }
    each_row(&g, CHART_ROWS, text_row, rows);
    json_t *series = series_json(c);
    const char *more = g.rows <= CHART_ROWS
                           ? ""
                           : arena_printf(c->arena,
                                          "The first %d of %zu rows. All are in the CSV "
                                          "and JSON files.",
                                          CHART_ROWS, g.rows);
    json_t *table = object(
        field_text("title", c->o.title), field_text("description", c->o.description),
        field_text("empty", c->o.empty), field_bool("any", g.rows > 0), field_text("more", more),
        field_bool("switches", json_array_size(series) > 1), field_json("columns", columns),
        field_json("rows", rows), field_json("series", series));
    BUG_IF(!table);
    return table;
}

/* ---- for programs ---- */

static bool needs_quotes(const char *text)
{
    return text[strcspn(text, ",\"\r\n")] != '\0';
}

static void csv_text(struct str *out, const char *text)
{
    if (!needs_quotes(text)) {
        str_addz(out, text);
        return;
    }
    str_addc(out, '"');
    for (const char *p = text; *p; p++) {
        if (*p == '"') {
            str_addc(out, '"');
        }
        str_addc(out, *p);
    }
    str_addc(out, '"');
}

/* A time as programs read it, any other value as it is. */
static void raw_text(const struct cell *cell, char out[FORM_TEXT])
{
    out[0] = '\0';
    if (isnan(cell->v)) {
        return;
    }
    if (cell->axis->scale == CHART_TIME) {
        form_iso(cell->v, out);
    } else {
        form_raw(cell->v, out);
    }
}

static void csv_row(const struct grid *g, const struct cell *cells, void *arg)
{
    for (size_t k = 0; k < g->columns; k++) {
        char text[FORM_TEXT];
        if (k) {
            str_addc(arg, ',');
        }
        if (cells[k].axis) {
            raw_text(&cells[k], text);
            str_addz(arg, text);
        } else {
            csv_text(arg, cells[k].text);
        }
    }
    str_addz(arg, "\r\n");
}

void chart_csv(const struct chart *c, struct str *out)
{
    struct grid g = grid_of(c);
    for (size_t k = 0; k < g.columns; k++) {
        if (k) {
            str_addc(out, ',');
        }
        csv_text(out, head(&g, k));
    }
    str_addz(out, "\r\n");
    each_row(&g, SIZE_MAX, csv_row, out);
}

static json_t *cell_json(const struct cell *cell)
{
    if (!cell->axis) {
        return json_string(cell->text);
    }
    if (isnan(cell->v)) {
        return json_null();
    }
    if (cell->axis->scale == CHART_TIME) {
        char text[FORM_TEXT];
        form_iso(cell->v, text);
        return json_string(text);
    }
    bool whole = cell->v == floor(cell->v) && fabs(cell->v) < 9007199254740992.0;
    return whole ? json_integer((json_int_t)cell->v) : json_real(cell->v);
}

static void json_row(const struct grid *g, const struct cell *cells, void *arg)
{
    json_t *list = json_array();
    for (size_t k = 0; k < g->columns; k++) {
        json_array_append_new(list, cell_json(&cells[k]));
    }
    json_array_append_new(arg, list);
}

json_t *chart_json(const struct chart *c)
{
    struct grid g = grid_of(c);
    json_t *columns = json_array(), *rows = json_array();
    for (size_t k = 0; k < g.columns; k++) {
        json_array_append_new(columns, json_string(head(&g, k)));
    }
    each_row(&g, SIZE_MAX, json_row, rows);
    json_t *body =
        object(field_text("title", c->o.title), field_text("description", c->o.description),
               field_json("columns", columns), field_json("rows", rows));
    BUG_IF(!body);
    return body;
}
