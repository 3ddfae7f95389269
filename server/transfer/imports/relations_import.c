/* relations_import.c - `holdout import relations`: how classes relate, from CSV a,b,kind and, if there is one, note. Of kind
 * contains a has b in it; of kind redefined images of a show what b means; none takes back what was said. */
#include "base/list.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/classes/relations.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

struct relations_import {
    struct import im;
    struct csv csv;
    int a, b, kind, note;
    struct list rows; /* of struct relation_new */
    size_t stored;
};

static void read_row(struct relations_import *r)
{
    struct arena *a = r->im.tr->arena;
    struct relation_new v = {.a = import_class(&r->im, r->csv.line, r->csv.cells[r->a]), .b = import_class(&r->im, r->csv.line, r->csv.cells[r->b]),
                             .kind = relation_of(r->csv.cells[r->kind]), .note = r->note < 0 ? SV("") : arena_sv(a, sv_trim(r->csv.cells[r->note]))};
    if (v.kind == RELATIONS) {
        import_bad(&r->im, r->csv.line, "unknown kind \"" SV_FMT "\": choose equal, contains, confusable, redefined or none",
                   SV_ARG(r->csv.cells[r->kind]));
    }
    if (v.a && v.a == v.b) {
        import_bad(&r->im, r->csv.line, "a class does not relate to itself");
    }
    if (v.note.n > RELATION_NOTE) {
        import_bad(&r->im, r->csv.line, "the note has more than %d bytes", RELATION_NOTE);
    }
    *LIST_ADD(&r->rows, a, struct relation_new) = v;
}

static enum err_code read_all(struct relations_import *r)
{
    struct err *err = r->im.tr->err;
    bool more = true;
    enum err_code rc = csv_open(&r->csv, r->im.name, r->im.text, err);
    rc = rc == OK ? csv_need(&r->csv, "a", &r->a, err) : rc;
    rc = rc == OK ? csv_need(&r->csv, "b", &r->b, err) : rc;
    rc = rc == OK ? csv_need(&r->csv, "kind", &r->kind, err) : rc;
    r->note = rc == OK ? csv_column(&r->csv, "note") : -1;
    while (rc == OK && (rc = csv_next(&r->csv, &more, err)) == OK && more) {
        read_row(r);
    }
    csv_close(&r->csv);
    return rc == OK ? import_checked(&r->im) : rc;
}

/* All at once: people write them. */
static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct relations_import *r = arg;
    const struct relation_new *list = r->rows.items;
    enum err_code rc = OK;
    *more = false;
    r->stored = 0;
    for (size_t i = 0; i < r->rows.n && rc == OK; i++) {
        int64_t id;
        rc = relations_put(db, &list[i], 0, -1, r->im.now, &id, err);
        r->stored += id != 0;
    }
    return rc;
}

enum err_code relations_import(struct transfer *tr, const char *path)
{
    struct relations_import r = {.stored = 0};
    enum err_code rc = import_open(&r.im, tr, path);
    rc = rc == OK ? read_all(&r) : rc;
    if (rc == OK && !tr->dry_run && r.rows.n) {
        rc = bulk_write(tr->db, tr->alone, write_step, &r, tr->err);
    }
    if (rc == OK) {
        transfer_note(tr, "%zu relation%s read, %zu new%s.", r.rows.n, r.rows.n == 1 ? "" : "s", r.stored, tr->dry_run ? " (dry run)" : "");
    }
    import_close(&r.im);
    return rc;
}
