/* model_facts_import.c - `holdout import model-facts`: what people say of models, from CSV with the column model and any
 * of those of domain/scores/model_facts.h. An empty cell takes back what was said; a column that is not there leaves it. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "store/core/events.h"
#include "store/models/model_facts.h"
#include "store/models/models.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

struct facts_import {
    struct import im;
    struct csv csv;
    int model, column[MODEL_FACTS]; /* -1: not there */
    struct model_facts_row *changed;
    size_t n, cap;
    uint64_t rows;
};

static enum err_code open_csv(struct facts_import *f)
{
    struct err *err = f->im.tr->err;
    int any = 0;
    enum err_code rc = csv_open(&f->csv, f->im.name, f->im.text, err);
    rc = rc == OK ? csv_need(&f->csv, "model", &f->model, err) : rc;
    for (size_t i = 0; i < MODEL_FACTS && rc == OK; i++) {
        f->column[i] = csv_column(&f->csv, model_fact_list[i].name);
        any += f->column[i] >= 0;
    }
    return rc == OK && any == 0 ? err_rule(err, ERR_INPUT, "model-facts",
                                           "%s has none of the columns group, family, architecture, year, training_data, parameters.",
                                           f->im.name)
                                : rc;
}

/* What the row makes of what is known; a bad cell is a bad row. */
static struct model_facts read_facts(struct facts_import *f, struct model_facts known)
{
    for (size_t i = 0; i < MODEL_FACTS; i++) {
        struct err why = {OK, "", ""};
        if (f->column[i] >= 0 &&
            model_facts_set(&known, &model_fact_list[i], arena_sv(f->im.tr->arena, f->csv.cells[f->column[i]]), &why) != OK) {
            import_bad(&f->im, f->csv.line, "%s", why.msg);
        }
    }
    return known;
}

static enum err_code read_row(struct facts_import *f, struct map_sv *seen)
{
    struct transfer *tr = f->im.tr;
    struct sv name = sv_trim(f->csv.cells[f->model]);
    struct err why = {OK, "", ""};
    struct model_row m;
    struct model_facts known;
    uint32_t row = (uint32_t)f->rows++;
    if (map_sv_put(seen, name, row) != row) {
        import_bad(&f->im, f->csv.line, "two rows are about " SV_FMT, SV_ARG(name));
    }
    enum err_code rc = models_find(tr->db, name, tr->arena, &m, &why);
    if (rc == ERR_NOT_FOUND) {
        import_bad(&f->im, f->csv.line, "%s", why.msg);
        return OK;
    }
    rc = rc == OK ? model_facts_of(tr->db, m.id, tr->arena, &known, &why) : rc;
    if (rc != OK) {
        *tr->err = why;
        return rc;
    }
    struct model_facts now = read_facts(f, known);
    if (!model_facts_same(&known, &now)) {
        xgrow(&f->changed, &f->cap, f->n + 1, sizeof *f->changed);
        f->changed[f->n++] = (struct model_facts_row){m.id, now};
    }
    return OK;
}

static enum err_code read_all(struct facts_import *f)
{
    struct map_sv seen;
    bool more = true;
    map_sv_init(&seen);
    enum err_code rc = open_csv(f);
    while (rc == OK && (rc = csv_next(&f->csv, &more, f->im.tr->err)) == OK && more) {
        rc = read_row(f, &seen);
    }
    csv_close(&f->csv);
    map_sv_release(&seen);
    return rc == OK ? import_checked(&f->im) : rc;
}

/* All at once: models are few. */
static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    const struct facts_import *f = arg;
    int64_t event;
    *more = false;
    const char *detail = arena_printf(f->im.tr->arena, "{\"n\":%zu}", f->n);
    enum err_code rc = events_add(db, f->im.now, 0, "model-facts.import", 0, detail, &event, err);
    for (size_t i = 0; i < f->n && rc == OK; i++) {
        rc = model_facts_put(db, event, f->changed[i].model, &f->changed[i].facts, err);
    }
    return rc;
}

enum err_code model_facts_import(struct transfer *tr, const char *path)
{
    struct facts_import f = {.rows = 0};
    enum err_code rc = import_open(&f.im, tr, path);
    rc = rc == OK ? read_all(&f) : rc;
    if (rc == OK && !tr->dry_run && f.n > 0) {
        rc = bulk_write(tr->db, tr->alone, write_step, &f, tr->err);
    }
    if (rc == OK) {
        transfer_note(tr, "%llu model%s read, %zu with new facts%s.", (unsigned long long)f.rows, f.rows == 1 ? "" : "s", f.n, tr->dry_run ? " (dry run)" : "");
    }
    free(f.changed);
    import_close(&f.im);
    return rc;
}
