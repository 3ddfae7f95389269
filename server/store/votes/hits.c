/* hits.c - SQL for grids and answers in the study's formats. */
#include "store/votes/hits.h"

#include "db/rows.h"
#include "store/people/panel_ids.h"

#define GRID_COLUMNS                                                                               \
    "SELECT g.id, g.created_at, coalesce(g.number, -1), g.name, k.wnid,"                           \
    " coalesce(g.excluded, ''), coalesce(g.record, ''), coalesce(g.listed, x''), g.special"        \
    " FROM grid g JOIN class k ON k.id = g.class "

DB_ROW(hit_row, struct hit, id, created_at, number, name, wnid, excluded, record, listed, special);
DB_ROW(hit_cell_row, struct hit_cell, image, idx, role);

static enum err_code read_cells(struct db *db, struct arena *a, struct hit *h, struct err *err)
{
    struct db_rows r;
    db_begin(db,
             "SELECT i.name, coalesce(i.idx, -1), c.role FROM grid_cell c"
             " JOIN image i ON i.id = c.image WHERE c.grid = ?1"
             " ORDER BY c.position",
             DB_VALS(db_int(h->id)), &r, err);
    while (h->n < GRID_CELLS && db_next(&r, hit_cell_row, &h->cell[h->n], a, err)) {
        h->n++;
    }
    return db_end(&r);
}

enum err_code hits_get(struct db *db, int64_t grid, struct arena *a, struct hit *out,
                       struct err *err)
{
    enum err_code rc = db_find(db, hit_row, out, a, GRID_COLUMNS "WHERE g.id = ?1",
                               DB_VALS(db_int(grid)), err);
    if (rc == ERR_NOT_FOUND) {
        return err_rule(err, rc, "no-grid", "There is no such grid.");
    }
    return rc == OK ? read_cells(db, a, out, err) : rc;
}

enum err_code hits_each(struct db *db, int64_t campaign,
                        enum err_code (*each)(void *arg, const struct hit *h, struct err *err),
                        void *arg, struct err *err)
{
    struct db_rows r;
    struct arena a;
    struct hit h;
    enum err_code rc = db_begin(db, GRID_COLUMNS "WHERE g.campaign = ?1 ORDER BY g.id",
                                DB_VALS(db_int(campaign)), &r, err);
    arena_init(&a, 1 << 24);
    while (rc == OK && db_next(&r, hit_row, &h, &a, err)) {
        rc = read_cells(db, &a, &h, err);
        rc = rc == OK ? each(arg, &h, err) : rc;
        arena_release(&a);
    }
    return db_end_after(&r, rc);
}

enum err_code hits_unnumbered(struct db *db, int64_t campaign, struct arena *a, struct sv *out,
                              struct err *err)
{
    *out = SV("");
    return db_maybe_text(db,
                         "SELECT i.name FROM grid g JOIN grid_cell c ON c.grid = g.id"
                         " JOIN image i ON i.id = c.image WHERE g.campaign = ?1"
                         " AND i.idx IS NULL LIMIT 1",
                         DB_VALS(db_int(campaign)), a, out, err);
}

#define VOTES(order)                                                                               \
    "WITH state AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'analysis'"      \
    "   GROUP BY answer),"                                                                         \
    " paid AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'pay'"                \
    "   GROUP BY answer),"                                                                         \
    " place_paid AS (SELECT place, state, max(id) FROM pay GROUP BY place)"                        \
    " SELECT a.grid, coalesce(g.number, -1), a.id, coalesce(a.name, ''),"                          \
    " " PANEL_IDS_NAME("?2") ", w.surplus, g.excluded IS NOT NULL, a.leased_at,"                   \
    " max(0, coalesce(w.active_ms, w.at - a.leased_at)), w.mask,"                                  \
    " CASE WHEN coalesce(s.value, 'in') = 'out' THEN 'R'"                                          \
    "   WHEN coalesce(pp.state, m.value, '') = 'approved' THEN 'A' ELSE 'S' END"                   \
    " FROM grid g JOIN assignment a ON a.grid = g.id JOIN answer w ON w.assignment = a.id"         \
    " JOIN person p ON p.id = a.person LEFT JOIN identity i ON i.person = p.id"                    \
    " LEFT JOIN state s ON s.answer = w.id LEFT JOIN paid m ON m.answer = w.id"                    \
    " LEFT JOIN place_paid pp ON pp.place = a.place"                                               \
    " WHERE g.campaign = ?1 ORDER BY " order

static void read_status(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct hit_vote *)out)->status = db_col_text(r, 10).p[0];
}
DB_ROW_THEN(hit_vote_row, struct hit_vote, read_status, grid, number, assignment, name, worker,
            surplus, excluded, accepted_at, duration_ms, mask);

enum err_code hits_votes(struct db *db, int64_t campaign, bool panel_ids, enum hit_order order,
                         enum err_code (*each)(void *arg, const struct hit_vote *v,
                                               struct err *err),
                         void *arg, struct err *err)
{
    struct db_rows r;
    struct hit_vote v;
    enum err_code rc = db_begin(db, order == HITS_BY_TIME ? VOTES("w.id") : VOTES("g.id, w.id"),
                                DB_VALS(db_int(campaign), db_int(panel_ids)), &r, err);
    while (rc == OK && db_next(&r, hit_vote_row, &v, NULL, err)) {
        rc = each(arg, &v, err);
    }
    return db_end_after(&r, rc);
}
