/* table.c - tables and charts of a report: the CSV as a file, and of that what the page shows, so that both have the same
 * numbers. */
#include <stdlib.h>
#include <string.h>

#include "formats/csv.h"
#include "json/object.h"
#include "report/run.h"
#include "view/data.h"

enum { AS_TEXT = -1, AS_IS = -2, COLUMNS_MOST = 24 };

void report_add_file(struct report_run *r, const char *name, struct sv text)
{
    *LIST_ADD(&r->files, r->a, struct report_file) = (struct report_file){name, arena_sv(r->a, text)};
}

/* ---- tables ---- */

static const char *number(struct report_run *r, const struct report_column *k, struct sv cell)
{
    double v = strtod(arena_cstr(r->a, cell), NULL) * (k->factor != 0 ? k->factor : 1);
    return report_number(r, v, k->decimals);
}

static struct sv cell_of(const struct csv *c, const char *name)
{
    int at = name ? csv_column(c, name) : -1;
    return at < 0 ? SV("") : c->cells[at];
}

static const char *cell_text(struct report_run *r, const struct csv *c, const struct report_column *k)
{
    struct sv value = cell_of(c, k->csv), lo = cell_of(c, k->lo), hi = cell_of(c, k->hi);
    if (k->decimals < 0) {
        return k->decimals == AS_TEXT ? arena_cstr(r->a, value) : data_minus(r->a, arena_cstr(r->a, value));
    }
    return value.n == 0 ? "\xe2\x80\x93"
           : lo.n == 0  ? number(r, k, value)
                        : arena_printf(r->a, "%s [%s, %s]", number(r, k, value), number(r, k, lo), number(r, k, hi));
}

static json_t *heads_json(const struct report_column *columns)
{
    json_t *heads = json_array();
    for (const struct report_column *k = columns; k->csv; k++) {
        object_add(heads, field_text("text", k->head), field_bool("number", k->decimals != AS_TEXT));
    }
    return heads;
}

static enum err_code rows_json(struct report_run *r, const struct report_table *t, struct sv text, size_t *n, json_t **out)
{
    struct csv c;
    bool more = true;
    *n = 0;
    *out = json_array();
    enum err_code rc = csv_open(&c, t->name, text, r->err);
    if (rc != OK) {
        return rc;
    }
    for (rc = csv_next(&c, &more, r->err); rc == OK && more; rc = csv_next(&c, &more, r->err)) {
        json_t *cells = json_array();
        for (const struct report_column *k = t->columns; k->csv && *n < REPORT_ROWS; k++) {
            object_add(cells, field_text("text", cell_text(r, &c, k)), field_bool("number", k->decimals != AS_TEXT));
        }
        if ((*n)++ < REPORT_ROWS) {
            object_add(*out, field_json("cells", cells));
        } else {
            json_decref(cells);
        }
    }
    csv_close(&c);
    return rc;
}

enum err_code report_add_table(struct report_run *r, struct report_part *p, const struct report_table *t, struct str *csv)
{
    const char *file = arena_printf(r->a, "tables/%s%s.csv", p->prefix, t->name);
    json_t *rows = NULL;
    size_t n = 0;
    enum err_code rc = str_check(csv, file, r->err);
    rc = rc == OK ? rows_json(r, t, str_sv(csv), &n, &rows) : rc;
    if (rc == OK) {
        report_add_file(r, file, str_sv(csv));
        r->n_tables++;
        const char *cut = n > REPORT_ROWS ? arena_printf(r->a, "The first %d of %zu rows; the file has all.", REPORT_ROWS, n) : NULL;
        object_add(p->blocks, field_null("figure"),
                   field_json("table", object(field_text("id", arena_printf(r->a, "%s%s", p->prefix, t->name)), field_text("title", t->title),
                                              field_text("note", t->note), field_text("cut", cut), field_text("file", file),
                                              field_json("columns", heads_json(t->columns)), field_json("rows", rows))));
    } else {
        json_decref(rows);
    }
    str_release(csv);
    return rc;
}

/* ---- charts ---- */

enum err_code report_add_chart(struct report_run *r, struct report_part *p, const char *name, const struct chart *chart)
{
    const char *id = arena_printf(r->a, "%s%s", p->prefix, name), *file = arena_printf(r->a, "charts/%s.svg", id);
    const char *numbers = arena_printf(r->a, "charts/%s.csv", id);
    struct str svg, csv;
    str_init(&svg, REPORT_TEXT_MOST);
    str_init(&csv, REPORT_TEXT_MOST);
    chart_svg(chart, id, &svg);
    chart_csv(chart, &csv);
    enum err_code rc = str_check(&svg, file, r->err);
    rc = rc == OK ? str_check(&csv, numbers, r->err) : rc;
    if (rc == OK) {
        report_add_file(r, file, str_sv(&svg));
        report_add_file(r, numbers, str_sv(&csv));
        r->n_charts++;
        object_add(p->blocks, field_null("table"),
                   field_json("figure", object(field_text("id", id), field_json("words", chart_table(chart)), field_sv("svg", str_sv(&svg)),
                                               field_text("file", file), field_text("numbers", numbers))));
    }
    str_release(&svg);
    str_release(&csv);
    return rc;
}
