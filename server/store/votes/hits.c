/* hits.c - SQL for grids and answers in the study's formats. */
#include "store/votes/hits.h"

#include "store/people/panel_ids.h"

#define GRID_COLUMNS                                                                               \
    "SELECT g.id, g.created_at, coalesce(g.number, -1), g.name, k.wnid,"                           \
    " coalesce(g.excluded, ''), coalesce(g.record, ''), coalesce(g.listed, x''), g.special"        \
    " FROM grid g JOIN class k ON k.id = g.class "

static void read_grid(const struct db_rows *r, struct arena *a, struct hit *h)
{
    *h = (struct hit){
        .id = db_col_int(r, 0),
        .created_at = db_col_int(r, 1),
        .number = db_col_int(r, 2),
        .name = arena_sv(a, db_col_text(r, 3)),
        .wnid = arena_sv(a, db_col_text(r, 4)),
        .excluded = arena_sv(a, db_col_text(r, 5)),
        .record = arena_sv(a, db_col_text(r, 6)),
        .listed = arena_sv(a, db_col_blob(r, 7)),
        .special = db_col_int(r, 8) != 0,
    };
}

static enum err_code read_cells(struct db *db, struct arena *a, struct hit *h, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT i.name, coalesce(i.idx, -1), c.role FROM grid_cell c"
                                " JOIN image i ON i.id = c.image WHERE c.grid = ?1"
                                " ORDER BY c.position",
                                DB_VALS(db_int(h->id)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (h->n < GRID_CELLS && db_step(&r, err)) {
        h->cell[h->n++] = (struct hit_cell){arena_sv(a, db_col_text(&r, 0)), db_col_int(&r, 1),
                                            (enum cell_role)db_col_int(&r, 2)};
    }
    return db_end(&r);
}

enum err_code hits_get(struct db *db, int64_t grid, struct arena *a, struct hit *out,
                       struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, GRID_COLUMNS "WHERE g.id = ?1", DB_VALS(db_int(grid)), &r,
                                err);
    if (rc != OK) {
        return rc;
    }
    bool found = db_step(&r, err);
    if (found) {
        read_grid(&r, a, out);
    }
    rc = db_end(&r);
    if (rc == OK && !found) {
        return err_rule(err, ERR_NOT_FOUND, "no-grid", "There is no such grid.");
    }
    return rc != OK ? rc : read_cells(db, a, out, err);
}

enum err_code hits_each(struct db *db, int64_t campaign,
                        enum err_code (*each)(void *arg, const struct hit *h, struct err *err),
                        void *arg, struct err *err)
{
    struct db_rows r;
    struct arena a;
    enum err_code rc = db_begin(db, GRID_COLUMNS "WHERE g.campaign = ?1 ORDER BY g.id",
                                DB_VALS(db_int(campaign)), &r, err);
    if (rc != OK) {
        return rc;
    }
    arena_init(&a, 1 << 24);
    while (rc == OK && db_step(&r, err)) {
        struct hit h;
        read_grid(&r, &a, &h);
        rc = read_cells(db, &a, &h, err);
        if (rc == OK) {
            rc = each(arg, &h, err);
        }
        arena_release(&a);
    }
    return db_end_after(&r, rc);
}

enum err_code hits_unnumbered(struct db *db, int64_t campaign, struct arena *a, struct sv *out,
                              struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT i.name FROM grid g JOIN grid_cell c ON c.grid = g.id"
                                " JOIN image i ON i.id = c.image WHERE g.campaign = ?1"
                                " AND i.idx IS NULL LIMIT 1",
                                DB_VALS(db_int(campaign)), &r, err);
    *out = SV("");
    if (rc != OK) {
        return rc;
    }
    if (db_step(&r, err)) {
        *out = arena_sv(a, db_col_text(&r, 0));
    }
    return db_end(&r);
}

#define VOTES(order)                                                                               \
    "WITH state AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'analysis'"      \
    "   GROUP BY answer),"                                                                         \
    " paid AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'pay'"                \
    "   GROUP BY answer),"                                                                         \
    " place_paid AS (SELECT place, state, max(id) FROM pay GROUP BY place)"                        \
    " SELECT a.grid, coalesce(g.number, -1), a.id, coalesce(a.name, ''),"                          \
    " " PANEL_IDS_NAME("?2") ","                                                                   \
    " CASE WHEN coalesce(s.value, 'in') = 'out' THEN 'R'"                                          \
    "   WHEN coalesce(pp.state, m.value, '') = 'approved' THEN 'A' ELSE 'S' END,"                  \
    " w.surplus, g.excluded IS NOT NULL, a.leased_at,"                                             \
    " max(0, coalesce(w.active_ms, w.at - a.leased_at)), w.mask"                                   \
    " FROM grid g JOIN assignment a ON a.grid = g.id JOIN answer w ON w.assignment = a.id"         \
    " JOIN person p ON p.id = a.person LEFT JOIN identity i ON i.person = p.id"                    \
    " LEFT JOIN state s ON s.answer = w.id LEFT JOIN paid m ON m.answer = w.id"                    \
    " LEFT JOIN place_paid pp ON pp.place = a.place"                                               \
    " WHERE g.campaign = ?1 ORDER BY " order

enum err_code hits_votes(struct db *db, int64_t campaign, bool panel_ids, enum hit_order order,
                         enum err_code (*each)(void *arg, const struct hit_vote *v,
                                               struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, order == HITS_BY_TIME ? VOTES("w.id") : VOTES("g.id, w.id"),
                                DB_VALS(db_int(campaign), db_int(panel_ids)), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        struct hit_vote v = {
            .grid = db_col_int(&r, 0),
            .number = db_col_int(&r, 1),
            .assignment = db_col_int(&r, 2),
            .name = db_col_text(&r, 3),
            .worker = db_col_text(&r, 4),
            .status = db_col_text(&r, 5).p[0],
            .surplus = db_col_int(&r, 6) != 0,
            .excluded = db_col_int(&r, 7) != 0,
            .accepted_at = db_col_int(&r, 8),
            .duration_ms = db_col_int(&r, 9),
            .mask = (uint64_t)db_col_int(&r, 10),
        };
        rc = each(arg, &v, err);
    }
    return db_end_after(&r, rc);
}
