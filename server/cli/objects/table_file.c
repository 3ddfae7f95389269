/* table_file.c - rows of a file, and the labels in their cells. */
#include "cli/objects/table_file.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/fs.h"
#include "formats/responses.h"

enum err_code table_file_open(struct table_file *f, struct cli *cli, const char *path)
{
    *f = (struct table_file){.cli = cli};
    str_init(&f->text, TABLE_FILE_MOST);
    enum err_code rc = fs_read(path, &f->text, &cli->err);
    return rc == OK ? csv_open(&f->csv, path, str_sv(&f->text), &cli->err) : rc;
}

void table_file_close(struct table_file *f)
{
    csv_close(&f->csv);
    str_release(&f->text);
}

enum err_code table_file_next(struct table_file *f, bool *more) { return csv_next(&f->csv, more, &f->cli->err); }

struct sv table_file_cell(const struct table_file *f, int column)
{
    return column < 0 ? (struct sv){0} : sv_trim(f->csv.cells[column]);
}

enum err_code table_file_wrong(const struct table_file *f, const char *fmt, ...)
{
    char what[sizeof f->cli->err.msg];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return err_rule(&f->cli->err, ERR_INPUT, "row", "%s:%" PRIu64 ": %s", f->csv.name, f->csv.line, what);
}

void labels_known_init(struct labels_known *k, struct cli *cli)
{
    *k = (struct labels_known){.cli = cli};
    names_init(&k->names);
}

void labels_known_release(struct labels_known *k) { names_release(&k->names); }

static enum err_code read_class(struct names *names, const struct table_file *f, int column)
{
    struct sv text = table_file_cell(f, column);
    if (!response_label_good(text)) {
        return table_file_wrong(f,
                                "a class must have 1 to %d bytes, without control characters, \"+\", \"|\" and \":\"",
                                (int)RESPONSE_LABEL_BYTES);
    }
    size_t before = names->n;
    names_put(names, text);
    return names->n > before ? OK : table_file_wrong(f, "class " SV_FMT " has a row already", SV_ARG(text));
}

enum err_code labels_known_classes(struct labels_known *k, const char *path)
{
    struct table_file f;
    int column;
    bool more = true;
    enum err_code rc = table_file_open(&f, k->cli, path);
    column = csv_column(&f.csv, "class");
    rc = rc == OK && column < 0 ? csv_need(&f.csv, "wnid", &column, &k->cli->err) : rc;
    while (rc == OK && (rc = table_file_next(&f, &more)) == OK && more) {
        rc = read_class(&k->names, &f, column);
    }
    table_file_close(&f);
    k->classes = path;
    return rc;
}

enum err_code labels_known_read(struct labels_known *k, const struct table_file *f, struct sv cell, uint32_t *out)
{
    if (!response_label_good(cell)) {
        return table_file_wrong(f,
                                "a label must have 1 to %d bytes, without control characters, \"+\", \"|\" and \":\"",
                                (int)RESPONSE_LABEL_BYTES);
    }
    *out = k->classes ? names_get(&k->names, cell) : names_put(&k->names, cell);
    return *out != MAP_NONE
               ? OK
               : table_file_wrong(f, "label " SV_FMT " is not among the classes of %s", SV_ARG(cell), k->classes);
}

void labels_known_end(struct labels_known *k)
{
    k->id = arena_calloc(&k->cli->arena, k->names.n + 1, sizeof *k->id);
    k->text = arena_calloc(&k->cli->arena, k->names.n + 1, sizeof *k->text);
    names_rank(&k->names, k->id);
    for (size_t i = 0; i < k->names.n; i++) {
        k->text[k->id[i]] = k->names.at[i];
    }
}
