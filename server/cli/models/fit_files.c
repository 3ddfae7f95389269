/* fit_files.c - reads accuracies and families from CSV. */
#include "cli/models/fit_files.h"

#include <math.h>

#include "base/fs.h"
#include "base/list.h"
#include "base/map.h"
#include "formats/csv.h"

enum { FILE_MOST = 16 << 20 };

struct fit_file {
    struct cli *cli;
    struct csv csv;
    struct map_sv names; /* of models, each once */
    const char *x_name, *y_name; /* NULL: families are read */
    int model, x, y, use, family; /* columns; -1: none */
};

static enum err_code wrong(const struct fit_file *f, const char *what)
{
    return err_rule(&f->cli->err, ERR_INPUT, "fit-file", "%s:%llu: %s", f->csv.name, (unsigned long long)f->csv.line, what);
}

/* A cell's text in the command's arena: the file goes. */
static struct sv text_of(const struct fit_file *f, int column)
{
    return column < 0 ? (struct sv){0} : arena_sv(&f->cli->arena, sv_trim(f->csv.cells[column]));
}

static enum err_code read_model(struct fit_file *f, struct sv *out)
{
    *out = text_of(f, f->model);
    uint32_t next = (uint32_t)f->names.n;
    if (out->n == 0) {
        return wrong(f, "the model has no name");
    }
    if (next == FIT_MODELS_MOST) {
        return err_rule(&f->cli->err, ERR_LIMIT, "fit-file", "%s has more than %d models.", f->csv.name, FIT_MODELS_MOST);
    }
    return map_sv_put(&f->names, *out, next) == next
               ? OK
               : wrong(f, arena_printf(&f->cli->arena, "model " SV_FMT " has a row already", SV_ARG(*out)));
}

/* What is not there leaves the model out. */
static enum err_code read_percent(const struct fit_file *f, int column, double *out, const char **left_out)
{
    double percent;
    if (sv_trim(f->csv.cells[column]).n == 0) {
        *out = (double)NAN;
        *left_out = arena_printf(&f->cli->arena, "no accuracy in column " SV_FMT, SV_ARG(f->csv.header[column]));
        return OK;
    }
    if (!sv_f64(sv_trim(f->csv.cells[column]), &percent) || percent < 0 || percent > 100) {
        return wrong(f, arena_printf(&f->cli->arena, SV_FMT " must be an accuracy in percent, 0 to 100",
                                     SV_ARG(f->csv.header[column])));
    }
    *out = percent / 100;
    return OK;
}

static enum err_code read_use(const struct fit_file *f, const char **left_out)
{
    struct sv use = text_of(f, f->use);
    *left_out = f->use < 0 || sv_is(use, "1") ? NULL : "use_for_fit is 0";
    return !*left_out || sv_is(use, "0") ? OK : wrong(f, "use_for_fit must be 1 or 0");
}

/* What a row of either file is read into. */
typedef enum err_code read_row(struct fit_file *f, struct list *rows);

static enum err_code point_row(struct fit_file *f, struct list *rows)
{
    struct fit_point p = {.family = text_of(f, f->family)};
    enum err_code rc = read_model(f, &p.model);
    rc = rc == OK ? read_use(f, &p.left_out) : rc;
    rc = rc == OK ? read_percent(f, f->x, &p.x, &p.left_out) : rc;
    rc = rc == OK ? read_percent(f, f->y, &p.y, &p.left_out) : rc;
    if (rc == OK) {
        *LIST_ADD(rows, &f->cli->arena, struct fit_point) = p;
    }
    return rc;
}

static enum err_code family_row(struct fit_file *f, struct list *rows)
{
    struct set_fit_family row = {.family = text_of(f, f->family)};
    enum err_code rc = read_model(f, &row.model);
    if (rc == OK && row.family.n == 0) {
        rc = wrong(f, "the family has no name");
    }
    if (rc == OK) {
        *LIST_ADD(rows, &f->cli->arena, struct set_fit_family) = row;
    }
    return rc;
}

static enum err_code find_columns(struct fit_file *f)
{
    bool points = f->x_name != NULL;
    struct err *err = &f->cli->err;
    f->family = csv_column(&f->csv, "family");
    f->use = csv_column(&f->csv, "use_for_fit");
    enum err_code rc = csv_need(&f->csv, "model", &f->model, err);
    rc = rc == OK && points ? csv_need(&f->csv, f->x_name, &f->x, err) : rc;
    rc = rc == OK && points ? csv_need(&f->csv, f->y_name, &f->y, err) : rc;
    return rc == OK && !points ? csv_need(&f->csv, "family", &f->family, err) : rc;
}

static enum err_code read_rows(struct fit_file *f, struct list *rows)
{
    read_row *read = f->x_name ? point_row : family_row;
    bool more = true;
    enum err_code rc = find_columns(f);
    while (rc == OK && (rc = csv_next(&f->csv, &more, &f->cli->err)) == OK && more) {
        rc = read(f, rows);
    }
    return rc;
}

static enum err_code read_file(struct cli *cli, const char *path, const char *x, const char *y, struct list *rows)
{
    struct fit_file f = {.cli = cli, .x_name = x, .y_name = y};
    struct str text;
    str_init(&text, FILE_MOST);
    enum err_code rc = fs_read(path, &text, &cli->err);
    rc = rc == OK ? csv_open(&f.csv, path, sv_make(text.p, text.n), &cli->err) : rc;
    if (rc == OK) {
        map_sv_init(&f.names);
        rc = read_rows(&f, rows);
        map_sv_release(&f.names);
        csv_close(&f.csv);
    }
    str_release(&text);
    return rc;
}

enum err_code fit_files_points(struct cli *cli, const char *path, const char *x, const char *y, struct fit_point **out, size_t *n)
{
    struct list rows = {0};
    enum err_code rc = read_file(cli, path, x, y, &rows);
    *out = rows.items;
    *n = rows.n;
    return rc;
}

enum err_code fit_files_families(struct cli *cli, const char *path, struct set_fit_family **out, size_t *n)
{
    struct list rows = {0};
    enum err_code rc = read_file(cli, path, NULL, NULL, &rows);
    *out = rows.items;
    *n = rows.n;
    return rc;
}
