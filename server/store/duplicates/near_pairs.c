/* near_pairs.c - SQL for pairs of near-duplicates and images that stay. Rows are only added: what
 * holds for a pair, or a name, is its newest. */
#include "store/duplicates/near_pairs.h"

#include "db/rows.h"
#include "store/core/photos.h"

static int64_t until(int64_t as_of)
{
    return as_of > 0 ? as_of : INT64_MAX;
}

/* The newest word on something; *event 0: nobody said anything, which counts as no. */
static enum err_code newest(struct db *db, const char *sql, const struct db_val *v, size_t n,
                            int64_t *event, bool *yes, struct err *err)
{
    int64_t said = 0;
    *event = 0;
    enum err_code rc = db_maybe_ints(db, sql, v, n, event, &said, err);
    *yes = said == 1;
    return rc;
}

static enum err_code said_twice(struct sv name, struct err *err)
{
    return err_rule(err, ERR_INPUT, "near-duplicate-twice",
                    "The input says both yes and no about near-duplicates of " SV_FMT ". Nothing was stored.",
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

DB_ROW(near_pair_row, struct near_pair, a, b, event);

/* SQLite takes `same` from the row that has the max(). */
enum err_code near_pairs_each(struct db *db, int64_t as_of,
                              enum err_code (*each)(void *arg, const struct near_pair *p,
                                                    struct err *err),
                              void *arg, struct err *err)
{
    struct db_rows r;
    struct near_pair p;
    enum err_code rc =
        db_begin(db,
                 "SELECT a, b, max(event), same FROM near_duplicate WHERE event <= ?1"
                 " GROUP BY a, b HAVING same ORDER BY a, b",
                 DB_VALS(db_int(until(as_of))), &r, err);
    while (rc == OK && db_next(&r, near_pair_row, &p, NULL, err)) {
        rc = each(arg, &p, err);
    }
    return db_end_after(&r, rc);
}

enum err_code near_pairs_of(struct db *db, struct sv name, struct arena *a, struct near_pair **out,
                            size_t *n, struct err *err)
{
    return db_list(db, near_pair_row, out, n, a,
                   "SELECT p.a, p.b, p.event FROM near_duplicate p WHERE p.a = ?1 AND " PHOTO_PAIR_HOLDS
                   " UNION ALL SELECT p.a, p.b, p.event FROM near_duplicate p"
                   " WHERE p.b = ?1 AND " PHOTO_PAIR_HOLDS " ORDER BY 1, 2",
                   DB_VALS(db_text(name)), err);
}

enum err_code near_pairs_of_class(struct db *db, int64_t class_id, struct arena *a,
                                  struct near_pair **out, size_t *n, struct err *err)
{
    return db_list(db, near_pair_row, out, n, a,
                   "SELECT p.a, p.b, p.event FROM image i JOIN near_duplicate p ON p.a = i.name"
                   " WHERE i.class = ?1 AND " PHOTO_PAIR_HOLDS
                   " UNION SELECT p.a, p.b, p.event FROM image i JOIN near_duplicate p ON p.b = i.name"
                   " WHERE i.class = ?1 AND " PHOTO_PAIR_HOLDS " ORDER BY 1, 2",
                   DB_VALS(db_int(class_id)), err);
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
    while (rc == OK && db_step(&r, err)) {
        rc = each(arg, db_col_text(&r, 0), err);
    }
    return db_end_after(&r, rc);
}

enum err_code near_pairs_trained(struct db *db, struct arena *a, int64_t **out, size_t *n, struct err *err)
{
    return db_list_int(db,
                       "WITH pair AS (SELECT a, b, same, max(event) FROM near_duplicate GROUP BY a, b),"
                       " side(one, other) AS (SELECT a, b FROM pair WHERE same UNION ALL SELECT b, a FROM pair WHERE same)"
                       " SELECT DISTINCT i.id FROM side CROSS JOIN image i ON i.name = side.one"
                       " CROSS JOIN image t ON t.name = side.other WHERE i.role <> 'training' AND t.role = 'training'"
                       " ORDER BY i.id",
                       DB_NONE, a, out, n, err);
}
