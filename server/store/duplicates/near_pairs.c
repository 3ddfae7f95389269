/* near_pairs.c - SQL for pairs of near-duplicates and images that stay. Rows are only added: what
 * holds for a pair, or a name, is its newest. */
#include "store/duplicates/near_pairs.h"

#include "base/list.h"

static int64_t until(int64_t as_of)
{
    return as_of > 0 ? as_of : INT64_MAX;
}

/* The newest word on something; *event 0: nobody said anything, which counts as no. */
static enum err_code newest(struct db *db, const char *sql, const struct db_val *v, size_t n,
                            int64_t *event, bool *yes, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, sql, v, n, &r, err);
    if (rc != OK) {
        return rc;
    }
    *event = 0;
    *yes = false;
    if (db_step(&r, err)) {
        *event = db_col_int(&r, 0);
        *yes = db_col_int(&r, 1) == 1;
    }
    return db_end(&r);
}

static enum err_code said_twice(struct sv name, struct err *err)
{
    return err_rule(err, ERR_INPUT, "near-duplicate-twice",
                    "Both yes and no are said about near-duplicates of " SV_FMT
                    " at once. Nothing was "
                    "stored.",
                    SV_ARG(name));
}

enum err_code near_pairs_put(struct db *db, int64_t event, struct sv a, struct sv b, bool same,
                             bool *added, struct err *err)
{
    int64_t last = 0;
    bool held = false;
    int order = sv_cmp(a, b);
    struct sv first = order < 0 ? a : b, second = order < 0 ? b : a;
    *added = false;
    if (order == 0) {
        return err_rule(err, ERR_INPUT, "near-duplicate-self",
                        SV_FMT " cannot be a near-duplicate of itself. Nothing was stored.",
                        SV_ARG(a));
    }
    enum err_code rc = newest(db,
                              "SELECT event, same FROM near_duplicate WHERE a = ?1 AND b = ?2"
                              " ORDER BY event DESC LIMIT 1",
                              DB_VALS(db_text(first), db_text(second)), &last, &held, err);
    if (rc != OK || held == same || event == 0) {
        *added = rc == OK && held != same;
        return rc;
    }
    if (last == event) {
        return said_twice(first, err);
    }
    rc = db_run(db, "INSERT INTO near_duplicate (a, b, event, same) VALUES (?1, ?2, ?3, ?4)",
                DB_VALS(db_text(first), db_text(second), db_int(event), db_int(same)), err);
    *added = rc == OK;
    return rc;
}

/* SQLite takes `same` from the row that has the max(). */
enum err_code near_pairs_each(struct db *db, int64_t as_of,
                              enum err_code (*each)(void *arg, const struct near_pair *p,
                                                    struct err *err),
                              void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT a, b, max(event), same FROM near_duplicate WHERE event <= ?1"
                 " GROUP BY a, b HAVING same ORDER BY a, b",
                 DB_VALS(db_int(until(as_of))), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        const struct near_pair p = {db_col_text(&r, 0), db_col_text(&r, 1), db_col_int(&r, 2)};
        rc = each(arg, &p, err);
    }
    return db_end_after(&r, rc);
}

static enum err_code collect(struct db_rows *r, struct arena *arena, struct near_pair **out,
                             size_t *n, struct err *err)
{
    struct list l = {0};
    while (db_step(r, err)) {
        *LIST_ADD(&l, arena, struct near_pair) =
            (struct near_pair){arena_sv(arena, db_col_text(r, 0)),
                               arena_sv(arena, db_col_text(r, 1)), db_col_int(r, 2)};
    }
    *out = l.items;
    *n = l.n;
    return db_end(r);
}

/* Of the row p: it says yes, and nothing newer says anything. */
#define HOLDS                                                                                      \
    "p.same AND NOT EXISTS (SELECT 1 FROM near_duplicate q WHERE q.a = p.a AND q.b = p.b"          \
    " AND q.event > p.event)"

enum err_code near_pairs_of(struct db *db, struct sv name, struct arena *a, struct near_pair **out,
                            size_t *n, struct err *err)
{
    struct db_rows r;
    enum err_code rc =
        db_begin(db,
                 "SELECT p.a, p.b, p.event FROM near_duplicate p WHERE p.a = ?1 AND " HOLDS
                 " UNION ALL SELECT p.a, p.b, p.event FROM near_duplicate p"
                 " WHERE p.b = ?1 AND " HOLDS " ORDER BY 1, 2",
                 DB_VALS(db_text(name)), &r, err);
    return rc == OK ? collect(&r, a, out, n, err) : rc;
}

enum err_code near_pairs_of_class(struct db *db, int64_t class_id, struct arena *a,
                                  struct near_pair **out, size_t *n, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(
        db,
        "SELECT p.a, p.b, p.event FROM image i JOIN near_duplicate p ON p.a = i.name"
        " WHERE i.class = ?1 AND " HOLDS
        " UNION SELECT p.a, p.b, p.event FROM image i JOIN near_duplicate p ON p.b = i.name"
        " WHERE i.class = ?1 AND " HOLDS " ORDER BY 1, 2",
        DB_VALS(db_int(class_id)), &r, err);
    return rc == OK ? collect(&r, a, out, n, err) : rc;
}

/* ---- images that stay ---- */

enum err_code near_keeps_put(struct db *db, int64_t event, struct sv name, bool keep, bool *added,
                             struct err *err)
{
    int64_t last = 0;
    bool held = false;
    *added = false;
    enum err_code rc = newest(db,
                              "SELECT event, keep FROM near_duplicate_keep WHERE name = ?1"
                              " ORDER BY event DESC LIMIT 1",
                              DB_VALS(db_text(name)), &last, &held, err);
    if (rc != OK || held == keep || event == 0) {
        *added = rc == OK && held != keep;
        return rc;
    }
    if (last == event) {
        return said_twice(name, err);
    }
    rc = db_run(db, "INSERT INTO near_duplicate_keep (name, event, keep) VALUES (?1, ?2, ?3)",
                DB_VALS(db_text(name), db_int(event), db_int(keep)), err);
    *added = rc == OK;
    return rc;
}

enum err_code near_keeps_each(struct db *db, int64_t as_of,
                              enum err_code (*each)(void *arg, struct sv name, struct err *err),
                              void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db,
                                "SELECT name, max(event), keep FROM near_duplicate_keep"
                                " WHERE event <= ?1 GROUP BY name HAVING keep ORDER BY name",
                                DB_VALS(db_int(until(as_of))), &r, err);
    if (rc != OK) {
        return rc;
    }
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_text(&r, 0), err);
    }
    return db_end_after(&r, rc);
}
