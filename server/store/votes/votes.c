/* votes.c - SQL over answers as measurements. */
#include "store/votes/votes.h"

#include "base/str.h"
#include "db/rows.h"
#include "domain/votes/cell_counts.h"
#include "store/core/events.h"
#include "store/people/panel_ids.h"

enum err_code votes_news(struct db *db, int64_t after, struct votes_news *out, struct err *err)
{
    *out = (struct votes_news){.last = after};
    struct db_rows r;
    enum err_code rc = events_last(db, &out->last, err);
    if (rc != OK || out->last == after) {
        return rc;
    }
    db_begin(db, "SELECT kind FROM event WHERE id > ?1 AND id <= ?2",
             DB_VALS(db_int(after), db_int(out->last)), &r, err);
    while (db_step(&r, err)) {
        struct sv kind = db_col_text(&r, 0);
        if (sv_starts(kind, "grids.") || sv_starts(kind, "campaign.")) {
            out->plan_changed = true;
        } else if (sv_starts(kind, "view.") || sv_starts(kind, "grid.")) {
            out->view_changed = true;
        } else if (sv_starts(kind, "images.") || sv_is(kind, "person.forget")) {
            out->shown_changed = true;
        }
    }
    return db_end(&r);
}

DB_ROW(vote_answer_row, struct vote_answer, id, grid, person, at, active_ms, mask, seed, surplus,
       has_seed);

enum err_code votes_answers(struct db *db, int64_t after, int64_t last,
                            enum err_code (*each)(void *arg, const struct vote_answer *w,
                                                  struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    struct vote_answer w;
    enum err_code rc = db_begin(
        db,
        "SELECT w.id, a.grid, a.person, w.at, w.active_ms, w.mask, a.seed, w.surplus, a.seed IS NOT NULL"
        " FROM answer w JOIN assignment a ON a.id = w.assignment WHERE w.id > ?1 AND w.id <= ?2 ORDER BY w.id",
        DB_VALS(db_int(after), db_int(last)), &r, err);
    while (rc == OK && db_next(&r, vote_answer_row, &w, NULL, err)) {
        rc = each(arg, &w, err);
    }
    return db_end_after(&r, rc);
}

DB_ROW(vote_state_row, struct vote_state, id, answer, seed, out, has_seed);

enum err_code votes_states(struct db *db, int64_t after, int64_t last,
                           enum err_code (*each)(void *arg, const struct vote_state *s,
                                                 struct err *err),
                           void *arg, struct err *err)
{
    struct db_rows r;
    struct vote_state s;
    enum err_code rc = db_begin(
        db,
        "SELECT s.id, s.answer, a.seed, s.value = 'out', a.seed IS NOT NULL FROM answer_state s"
        " JOIN answer w ON w.id = s.answer JOIN assignment a ON a.id = w.assignment"
        " WHERE s.id > ?1 AND s.id <= ?2 AND s.field = 'analysis' ORDER BY s.id",
        DB_VALS(db_int(after), db_int(last)), &r, err);
    while (rc == OK && db_next(&r, vote_state_row, &s, NULL, err)) {
        rc = each(arg, &s, err);
    }
    return db_end_after(&r, rc);
}

/* What the default view counts, and the state of each answer: the beginning of both recounts. */
#define COUNTED                                                                                 \
    "WITH view AS (SELECT kinds, campaigns FROM vote_view WHERE name = 'default'"               \
    "   ORDER BY id DESC LIMIT 1),"                                                             \
    " counted AS (SELECT g.id, g.class FROM grid g JOIN campaign k ON k.id = g.campaign, view v" \
    "   WHERE g.excluded IS NULL AND k.task = 'contains' AND (instr('|' || v.kinds || '|', '|' || k.kind || '|') > 0"   \
    "   OR instr('|' || v.campaigns || '|', '|' || k.name || '|') > 0)),"                       \
    " state AS (SELECT s.answer, s.value, max(s.id) FROM answer_state s"                        \
    "   WHERE s.field = 'analysis' GROUP BY s.answer),"                                         \
    " good AS (SELECT a.grid, w.mask FROM answer w JOIN assignment a ON a.id = w.assignment"    \
    "   LEFT JOIN state s ON s.answer = w.id"                                                   \
    "   WHERE w.surplus = 0 AND coalesce(s.value, 'in') = 'in')"

DB_ROW(vote_pair_row, struct vote_pair, image, class_id, image_name, wnid, shown, selected);

enum err_code votes_recount(struct db *db,
                            enum err_code (*each)(void *arg, const struct vote_pair *p,
                                                  struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    struct vote_pair p;
    enum err_code rc = db_begin(
        db,
        /* Per counted grid and bit the number of votes, then summed over an image's cells. */
        COUNTED
        " SELECT i.id, g.class, i.name, k.wnid, count(w.mask),"
        "   coalesce(sum((w.mask >> c.position) & 1), 0)"
        " FROM counted g JOIN grid_cell c ON c.grid = g.id"
        " LEFT JOIN good w ON w.grid = g.id"
        " JOIN image i ON i.id = c.image JOIN class k ON k.id = g.class"
        " GROUP BY i.id, g.class ORDER BY i.id, g.class",
        DB_NONE, &r, err);
    while (rc == OK && db_next(&r, vote_pair_row, &p, NULL, err)) {
        rc = each(arg, &p, err);
    }
    return db_end_after(&r, rc);
}

enum err_code votes_sum(struct db *db, uint64_t *shown, uint64_t *selected, struct err *err)
{
    struct db_rows r;
    *shown = *selected = 0;
    db_begin(db,
             COUNTED
             ", cells AS (SELECT grid, count(*) AS n FROM grid_cell GROUP BY grid)"
             " SELECT c.n, w.mask FROM good w JOIN counted g ON g.id = w.grid"
             " JOIN cells c ON c.grid = w.grid",
             DB_NONE, &r, err);
    while (db_step(&r, err)) {
        *shown += (uint64_t)db_col_int(&r, 0);
        *selected += (uint64_t)__builtin_popcountll((uint64_t)db_col_int(&r, 1));
    }
    return db_end(&r);
}

/* One answer: person, name, out of the analysis, mask, active time, controls of its grid as masks. */
static void add_to_worker(struct vote_worker *w, int64_t *active_ms, const struct db_rows *r)
{
    uint64_t mask = (uint64_t)db_col_int(r, 3);
    uint64_t pos = (uint64_t)db_col_int(r, 5), neg = (uint64_t)db_col_int(r, 6);
    w->assignments++;
    if (db_col_int(r, 2)) {
        w->rejected++;
        return;
    }
    *active_ms += db_col_int(r, 4);
    w->pos_correct += cells_in(mask & pos);
    w->pos_total += cells_in(pos);
    w->neg_correct += cells_in(~mask & neg);
    w->neg_total += cells_in(neg);
    w->n_selected += cells_in(mask);
    w->total_duration_s = *active_ms / 1000;
}

/* Rows come person by person; one is told when the next begins. */
static enum err_code tell_workers(struct db_rows *r,
                                  enum err_code (*each)(void *arg, const struct vote_worker *w,
                                                        struct err *err),
                                  void *arg, struct err *err)
{
    struct str name;
    struct vote_worker w = {0};
    int64_t active_ms = 0;
    enum err_code rc = OK;
    str_init(&name, 1 << 16);
    while (rc == OK && db_step(r, err)) {
        if (db_col_int(r, 0) != w.person) {
            rc = w.person ? each(arg, &w, err) : OK;
            str_clear(&name);
            str_addsv(&name, db_col_text(r, 1));
            w = (struct vote_worker){.person = db_col_int(r, 0), .worker = str_sv(&name)};
            active_ms = 0;
        }
        add_to_worker(&w, &active_ms, r);
    }
    if (rc == OK && r->rc == OK && w.person) {
        rc = each(arg, &w, err);
    }
    str_release(&name);
    return rc;
}

enum err_code votes_workers(struct db *db, bool panel_ids,
                            enum err_code (*each)(void *arg, const struct vote_worker *w,
                                                  struct err *err),
                            void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        /* A grid's controls as masks are made once and not once an answer. */
        "WITH state AS (SELECT answer, value, max(id) FROM answer_state WHERE field = 'analysis'"
        "   GROUP BY answer),"
        " key AS MATERIALIZED (SELECT grid, sum((role = 1) << position) AS pos,"
        "   sum((role = 2) << position) AS neg FROM grid_cell GROUP BY grid)"
        " SELECT p.id, " PANEL_IDS_NAME("?1") ", coalesce(s.value, 'in') = 'out',"
        "   w.mask, w.active_ms, c.pos, c.neg"
        " FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid"
        " JOIN campaign t ON t.id = g.campaign AND t.task = 'contains'"
        " JOIN person p ON p.id = a.person LEFT JOIN key c ON c.grid = g.id"
        " LEFT JOIN identity i ON i.person = p.id LEFT JOIN state s ON s.answer = w.id"
        " WHERE g.excluded IS NULL ORDER BY 2, 1",
        DB_VALS(db_int(panel_ids)), &r, err);
    rc = rc == OK ? tell_workers(&r, each, arg, err) : rc;
    return db_end_after(&r, rc);
}

enum err_code votes_over_n(struct db *db, int64_t *grids, struct err *err)
{
    return db_one_int(
        db,
        "SELECT count(*) FROM (SELECT a.grid FROM answer w JOIN assignment a ON a.id ="
        " w.assignment JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign"
        " WHERE w.surplus = 0 AND k.imported = 0 GROUP BY a.grid HAVING count(*) >"
        " k.answers_per_grid + (SELECT coalesce(sum(r.n), 0) FROM grid_reopened r"
        "  WHERE r.grid = a.grid))",
        DB_NONE, grids, err);
}
