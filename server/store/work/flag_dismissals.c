/* flag_dismissals.c - SQL for setting flags aside and for putting them back. */
#include "store/work/flag_dismissals.h"

#include "db/rows.h"
#include "store/core/events.h"

/* Of flag f: the newest row's field, and whether it waits. */
#define NEWEST(field)                                                                              \
    "(SELECT x." field " FROM flag_dismissal x WHERE x.flag = f.id ORDER BY x.id DESC LIMIT 1)"
#define WAITS                                                                                      \
    " coalesce(" NEWEST("dismissed") ", 0) = 0 AND f.id > coalesce((SELECT max(d.id)"              \
                                     "  FROM image_decision d WHERE d.image = f.image), 0) "

DB_ROW(flag_point_row, struct flag_point, id, at, image, person, counts);

enum err_code flags_open(struct db *db, size_t most, struct arena *a, struct flag_point **out,
                         size_t *n, struct err *err)
{
    return db_list(
        db, flag_point_row, out, n, a,
        "SELECT * FROM (SELECT f.id, e.at, f.image, f.person,"
        "  EXISTS (SELECT 1 FROM flag_counted c WHERE c.flag = f.id) FROM flag f"
        "  JOIN event e ON e.id = f.id WHERE" WAITS "ORDER BY f.id DESC LIMIT ?1) ORDER BY 1",
        DB_VALS(db_int((int64_t)most)), err);
}

/* --- writing a slice --- */

struct pair {
    int64_t flag, image;
};

/* Collects first: a table must not change under the statement that walks it. */
static enum err_code collect(struct db *db, const char *sql, const struct db_val *v, size_t n_v,
                             struct pair *out, size_t *n, struct err *err)
{
    struct db_rows r;
    *n = 0;
    db_begin(db, sql, v, n_v, &r, err);
    while (*n < FLAGS_A_SLICE && db_step(&r, err)) {
        out[(*n)++] = (struct pair){db_col_int(&r, 0), db_col_int(&r, 1)};
    }
    return db_end(&r);
}

static enum err_code write_rows(struct db *db, struct flag_dismissing *d, const struct pair *p,
                                size_t n, bool dismissed, int64_t account, int64_t now,
                                struct err *err)
{
    enum err_code rc = OK;
    int64_t id, action = dismissed ? d->action : 0;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = events_add(db, now, account, dismissed ? "flag.dismiss" : "flag.restore", p[i].image,
                        NULL, &id, err);
        action = action ? action : id;
        if (rc == OK) {
            rc = db_run(db,
                        "INSERT INTO flag_dismissal (id, flag, dismissed, action)"
                        " VALUES (?1, ?2, ?3, ?4)",
                        DB_VALS(db_int(id), db_int(p[i].flag), db_int(dismissed), db_int(action)),
                        err);
        }
    }
    if (rc == OK && n) {
        d->action = dismissed ? action : d->action;
        d->after = p[n - 1].flag;
        d->flags += (int64_t)n;
    }
    d->more = rc == OK && n == FLAGS_A_SLICE;
    return rc;
}

enum err_code flags_dismiss(struct db *db, struct flag_dismissing *d, int64_t account, int64_t now,
                            struct err *err)
{
    struct pair pairs[FLAGS_A_SLICE];
    size_t n;
    enum err_code rc =
        d->person
            ? collect(db,
                      "SELECT f.id, f.image FROM flag f WHERE f.person = ?1 AND f.id > ?2"
                      " AND" WAITS "ORDER BY f.id",
                      DB_VALS(db_int(d->person), db_int(d->after)), pairs, &n, err)
            : collect(db,
                      "SELECT f.id, f.image FROM flag f WHERE f.id BETWEEN ?1 AND ?2"
                      " AND f.id > ?3 AND" WAITS "ORDER BY f.id",
                      DB_VALS(db_int(d->first), db_int(d->last), db_int(d->after)), pairs, &n, err);
    return rc == OK ? write_rows(db, d, pairs, n, true, account, now, err) : rc;
}

enum err_code flags_restore(struct db *db, struct flag_dismissing *d, int64_t account, int64_t now,
                            struct err *err)
{
    struct pair pairs[FLAGS_A_SLICE];
    size_t n;
    enum err_code rc =
        collect(db,
                "SELECT f.id, f.image FROM flag_dismissal y"
                " JOIN flag f ON f.id = y.flag WHERE y.action = ?1"
                " AND y.dismissed = 1 AND f.id > ?2 AND y.id = " NEWEST("id") " ORDER BY f.id",
                DB_VALS(db_int(d->action), db_int(d->after)), pairs, &n, err);
    return rc == OK ? write_rows(db, d, pairs, n, false, account, now, err) : rc;
}

/* --- what was dismissed --- */

DB_ROW(flag_action_row, struct flag_action, action, at, flags, images, people, login);

enum err_code flags_actions(struct db *db, size_t most, struct arena *a, struct flag_action **out,
                            size_t *n, struct err *err)
{
    return db_list(
        db, flag_action_row, out, n, a,
        "SELECT y.action, e.at, count(*), count(DISTINCT f.image), count(DISTINCT f.person),"
        " coalesce(i.external_id, '') FROM flag_dismissal y JOIN flag f ON f.id = y.flag"
        " JOIN event e ON e.id = y.action LEFT JOIN account c ON c.id = e.account"
        " LEFT JOIN identity i ON i.person = c.person"
        " WHERE y.dismissed = 1 AND y.id = " NEWEST(
            "id") " GROUP BY y.action ORDER BY y.action DESC LIMIT ?1",
        DB_VALS(db_int((int64_t)most)), err);
}
