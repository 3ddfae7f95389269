/* grids.c - SQL for grids and cells. */
#include "store/work/grids.h"

#include "db/rows.h"
#include "store/core/events.h"

static bool same_cells(const struct grid_cells *a, const struct grid_cells *b)
{
    bool same = a->n == b->n;
    for (unsigned i = 0; i < a->n && same; i++) {
        same = a->image[i] == b->image[i] && a->role[i] == b->role[i];
    }
    return same;
}

static bool same_options(const struct grid_options *a, const struct grid_options *b)
{
    bool same = a->n == b->n && a->known == b->known;
    for (unsigned i = 0; i < a->n && same; i++) {
        same = a->class_id[i] == b->class_id[i];
    }
    return same;
}

enum err_code grids_check(struct db *db, const struct grid_new *g, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT id, name = ?2 AND class = ?4 AND number IS nullif(?3, -1)"
             " FROM grid WHERE campaign = ?1 AND (name = ?2 OR number = ?3)",
             DB_VALS(db_int(g->campaign), db_text(g->name), db_int(g->number),
                     db_int(g->class_id)),
             &r, err);
    int64_t id = 0;
    bool same = true;
    while (db_step(&r, err)) {
        id = db_col_int(&r, 0);
        same = same && db_col_int(&r, 1);
    }
    enum err_code rc = db_end(&r);
    if (rc == OK && id && same) {
        struct grid_cells cells = {0};
        struct grid_options options = {0};
        rc = grids_cells(db, id, &cells, err);
        rc = rc == OK ? grids_options(db, id, &options, err) : rc;
        same = same_cells(&cells, &g->cells) && same_options(&options, &g->options);
    }
    return rc != OK || same
               ? rc
               : err_rule(err, ERR_CONFLICT, "grid-differs",
                          "grid " SV_FMT " is already in the campaign with another class, number, cells or options, "
                          "or its number belongs to another grid", SV_ARG(g->name));
}

enum err_code grids_create(struct db *db, const struct grid_new *g, int64_t now, int64_t *id,
                           struct err *err)
{
    *id = 0;
    enum err_code rc =
        db_run(db,
               "INSERT INTO grid (campaign, class, name, number, excluded, created_at, special,"
               " record, listed) VALUES (?1, ?2, ?3, nullif(?4, -1), ?5, ?6, ?7, ?8, ?9)"
               " ON CONFLICT (campaign, name) DO NOTHING",
               DB_VALS(db_int(g->campaign), db_int(g->class_id), db_text(g->name),
                       db_int(g->number), db_text_opt(g->excluded), db_int(now),
                       db_int(g->special), db_text_opt(g->record),
                       g->listed.n ? db_blob(g->listed.p, g->listed.n) : db_null()),
               err);
    if (rc != OK || db_changes(db) == 0) {
        return rc;
    }
    *id = db_last_id(db);
    for (unsigned i = 0; i < g->cells.n && rc == OK; i++) {
        rc = db_run(db,
                    "INSERT INTO grid_cell (grid, position, image, role) VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(*id), db_int(i), db_int(g->cells.image[i]),
                            db_int(g->cells.role[i])),
                    err);
    }
    for (unsigned i = 0; i < g->options.n && rc == OK; i++) {
        rc = db_run(db, "INSERT INTO grid_option (grid, position, class, known) VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(*id), db_int(i), db_int(g->options.class_id[i]), db_int(g->options.known >> i & 1)),
                    err);
    }
    return rc;
}

enum err_code grids_find_number(struct db *db, int64_t campaign, int64_t number, int64_t *id,
                                int64_t *cells, struct err *err)
{
    *id = *cells = 0;
    return db_maybe_ints(db,
                         "SELECT g.id, (SELECT count(*) FROM grid_cell c WHERE c.grid ="
                         " g.id) FROM grid g WHERE g.campaign = ?1 AND g.number = ?2",
                         DB_VALS(db_int(campaign), db_int(number)), id, cells, err);
}

enum err_code grids_find(struct db *db, int64_t campaign, struct sv name, int64_t *id,
                         bool *excluded, struct err *err)
{
    int64_t out = 0;
    *id = 0;
    enum err_code rc = db_maybe_ints(
        db, "SELECT id, excluded IS NOT NULL FROM grid WHERE campaign = ?1 AND name = ?2",
        DB_VALS(db_int(campaign), db_text(name)), id, &out, err);
    *excluded = out != 0;
    return rc;
}

enum err_code grids_named(struct db *db, struct sv name, bool *out, struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_one_int(db,
                                  "SELECT EXISTS (SELECT 1 FROM campaign k CROSS JOIN grid g"
                                  " ON g.campaign = k.id AND g.name = ?1)",
                                  DB_VALS(db_text(name)), &found, err);
    *out = found != 0;
    return rc;
}

enum err_code grids_first(struct db *db, int64_t campaign, int64_t *id, struct err *err)
{
    *id = 0;
    enum err_code rc = db_one_int(db, "SELECT id FROM grid WHERE campaign = ?1 ORDER BY id LIMIT 1",
                                  DB_VALS(db_int(campaign)), id, err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, ERR_NOT_FOUND, "no-grid", "The campaign has no grids.")
               : rc;
}

enum err_code grids_event(struct db *db, int64_t campaign, bool imported, uint64_t n, int64_t now,
                          struct err *err)
{
    char detail[48];
    snprintf(detail, sizeof detail, "{\"grids\":%llu}", (unsigned long long)n);
    return events_add(db, now, 0, imported ? "grids.import" : "grids.create", campaign, detail,
                      NULL, err);
}

enum err_code grids_cells(struct db *db, int64_t grid, struct grid_cells *out, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT image, role FROM grid_cell WHERE grid = ?1 ORDER BY position",
             DB_VALS(db_int(grid)), &r, err);
    out->n = 0;
    while (out->n < GRID_CELLS && db_step(&r, err)) {
        out->image[out->n] = db_col_int(&r, 0);
        out->role[out->n++] = (enum cell_role)db_col_int(&r, 1);
    }
    return db_end(&r);
}

enum err_code grids_options(struct db *db, int64_t grid, struct grid_options *out, struct err *err)
{
    struct db_rows r;
    db_begin(db, "SELECT class, known FROM grid_option WHERE grid = ?1 ORDER BY position", DB_VALS(db_int(grid)), &r, err);
    *out = (struct grid_options){0};
    while (out->n < GRID_OPTIONS && db_step(&r, err)) {
        out->known |= (uint32_t)db_col_int(&r, 1) << out->n;
        out->class_id[out->n++] = db_col_int(&r, 0);
    }
    return db_end(&r);
}

DB_ROW(grid_option_row, struct grid_option, class_id, wnid, synset, gloss);

enum err_code grids_option_list(struct db *db, int64_t grid, struct arena *a, struct grid_option **out, size_t *n,
                                struct err *err)
{
    return db_list(db, grid_option_row, out, n, a,
                   "SELECT k.id, k.wnid, k.synset, k.gloss FROM grid_option o CROSS JOIN class k ON k.id = o.class"
                   " WHERE o.grid = ?1 ORDER BY o.position",
                   DB_VALS(db_int(grid)), err);
}

DB_ROW(grid_row_columns, struct grid_row, id, campaign, class_id, chosen, excluded, labels, options, known);

enum err_code grids_each(struct db *db, int64_t after,
                         enum err_code (*grid)(void *arg, const struct grid_row *g,
                                               struct err *err),
                         enum err_code (*cell)(void *arg, int64_t image, enum cell_role role,
                                               bool expected, struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows g, c;
    struct grid_row row;
    db_begin(
        db,
        "SELECT g.id, g.campaign, g.class, k.task = 'contains' AND ("
        " instr('|' || v.kinds || '|', '|' || k.kind || '|') > 0 OR"
        " instr('|' || v.campaigns || '|', '|' || k.name || '|') > 0), g.excluded IS NOT NULL,"
        " k.kind = 'potential', CASE k.task WHEN 'classify' THEN (SELECT count(*) FROM grid_option o WHERE o.grid = g.id) END,"
        " CASE k.task WHEN 'classify' THEN (SELECT sum(o.known << o.position) FROM grid_option o WHERE o.grid = g.id) END"
        " FROM grid g JOIN campaign k ON k.id = g.campaign,"
        " (SELECT kinds, campaigns FROM vote_view WHERE name = 'default' ORDER BY id DESC LIMIT 1)"
        " v WHERE g.id > ?1 ORDER BY g.id",
        DB_VALS(db_int(after)), &g, err);
    enum err_code rc = db_begin(db,
                                "SELECT grid, image, role, CASE role WHEN 3 THEN"
                                " (SELECT i.class FROM image i WHERE i.id = image) ELSE 0 END"
                                " FROM grid_cell WHERE grid > ?1 ORDER BY grid, position",
                                DB_VALS(db_int(after)), &c, err);
    bool more = db_step(&c, err);
    while (rc == OK && db_next(&g, grid_row_columns, &row, NULL, err)) {
        rc = grid(arg, &row, err);
        for (; rc == OK && more && db_col_int(&c, 0) == row.id; more = db_step(&c, err)) {
            rc = cell(arg, db_col_int(&c, 1), (enum cell_role)db_col_int(&c, 2),
                      db_col_int(&c, 3) == row.class_id, err);
        }
    }
    return db_end_after(&g, db_end_after(&c, rc));
}

/* ---- exclusion ---- */

static enum err_code find_excluded(struct db *db, int64_t grid, int64_t *excluded, struct err *err)
{
    enum err_code rc = db_one_int(db, "SELECT excluded IS NOT NULL FROM grid WHERE id = ?1",
                                  DB_VALS(db_int(grid)), excluded, err);
    return rc == ERR_NOT_FOUND
               ? err_rule(err, ERR_NOT_FOUND, "no-grid", "There is no such grid.")
               : rc;
}

enum err_code grids_exclude(struct db *db, int64_t grid, struct sv reason, int64_t account,
                            int64_t now, struct err *err)
{
    int64_t was = 0, id = 0;
    enum err_code rc = find_excluded(db, grid, &was, err);
    if (rc != OK || (was != 0) == (reason.n > 0)) {
        return rc;
    }
    rc = events_add(db, now, account, reason.n ? "grid.exclude" : "grid.include", grid, NULL, &id,
                    err);
    if (rc == OK) {
        rc = db_run(db, "INSERT INTO grid_exclusion (id, grid, reason) VALUES (?1, ?2, ?3)",
                    DB_VALS(db_int(id), db_int(grid), db_text(reason)), err);
    }
    return rc == OK ? db_run(db, "UPDATE grid SET excluded = ?2 WHERE id = ?1",
                             DB_VALS(db_int(grid), db_text_opt(reason)), err)
                    : rc;
}

DB_ROW(grid_exclusion_row, struct grid_exclusion, id, grid, excluded);

enum err_code grids_exclusions(struct db *db,
                               enum err_code (*each)(void *arg, const struct grid_exclusion *x,
                                                     struct err *err),
                               void *arg, struct err *err)
{
    struct db_rows r;
    struct grid_exclusion x;
    enum err_code rc = db_begin(db, "SELECT id, grid, reason <> '' FROM grid_exclusion ORDER BY id",
                                DB_NONE, &r, err);
    while (rc == OK && db_next(&r, grid_exclusion_row, &x, NULL, err)) {
        rc = each(arg, &x, err);
    }
    return db_end_after(&r, rc);
}
