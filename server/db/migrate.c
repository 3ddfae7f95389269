/* migrate.c - brings the schema to this program's version, and notices when it cannot. Must not
 * know what the tables mean. */
#include "db/migrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assets.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/xalloc.h"

enum { CHECKSUM_SIZE = 17, DIGITS = 4 };

static struct sv checksum(struct sv sql, char *buf)
{
    int n = snprintf(buf, CHECKSUM_SIZE, "%016" PRIx64, hash_stable(sql.p, sql.n));
    return sv_make(buf, (size_t)n);
}

/* ---- what the program has built in ---- */

/* "migrations/0001_foundation.sql" -> 1 and "0001_foundation". */
static bool parse(const struct asset *a, struct migration *out)
{
    static const struct sv folder = {"migrations/", 11}, suffix = {".sql", 4};
    struct sv name = sv_of(a->name);
    if (!sv_starts(name, folder.p)) {
        return false;
    }
    BUG_IF(!sv_ends(name, suffix.p));
    name = sv_make(name.p + folder.n, name.n - folder.n - suffix.n);
    int64_t number = 0;
    BUG_IF(name.n <= DIGITS || name.p[DIGITS] != '_');
    BUG_IF(!sv_i64(sv_make(name.p, DIGITS), &number));
    *out = (struct migration){(int)number, name, sv_make((const char *)a->data, a->n)};
    return true;
}

/* The caller frees the list. */
static struct migration *built_in(size_t *n)
{
    struct migration *list = xcalloc(assets_count, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < assets_count; i++) {
        *n += parse(&assets[i], &list[*n]);
    }
    return list;
}

/* ---- what the database says ---- */

static enum err_code changed(int number, const char *how, struct err *err)
{
    return err_rule(err, ERR_CONFLICT, "migration-changed",
                    "Migration %04d of this database %s. Use the program that made it.", number,
                    how);
}

static enum err_code compare_applied(struct db *db, int have, const struct migration *list,
                                     struct err *err)
{
    struct db_rows rows;
    int seen = 0;
    enum err_code rc = OK;
    db_begin(db, "SELECT number, checksum FROM migration ORDER BY number", DB_NONE, &rows, err);
    while (rc == OK && db_step(&rows, err)) {
        char sum[CHECKSUM_SIZE];
        int64_t number = db_col_int(&rows, 0);
        if (seen == have || number != seen + 1) {
            rc = changed(seen + 1, "is not recorded as applied", err);
        } else if (!sv_eq(db_col_text(&rows, 1), checksum(list[seen].sql, sum))) {
            rc = changed(seen + 1, "differs from the one in this program", err);
        }
        seen++;
    }
    enum err_code end = db_end(&rows);
    if (rc == OK && end == OK && seen != have) {
        rc = changed(seen + 1, "is not recorded as applied", err);
    }
    return rc == OK ? end : rc;
}

static enum err_code inspect(struct db *db, const struct migration *list, struct migrate_state *out,
                             struct err *err)
{
    int64_t have = 0;
    int64_t table = 0;
    enum err_code rc = db_one_int(db, "PRAGMA user_version", DB_NONE, &have, err);
    if (rc == OK) {
        rc = db_one_int(db,
                        "SELECT count(*) FROM sqlite_schema"
                        " WHERE type = 'table' AND name = 'migration'",
                        DB_NONE, &table, err);
    }
    if (rc != OK) {
        return rc;
    }
    out->have = (int)have;
    if (have > out->want) {
        return err_rule(err, ERR_CONFLICT, "database-newer",
                        "The database has version %d, but this program only knows versions up to %d. Use a "
                        "newer program.",
                        out->have, out->want);
    }
    if (have < 0 || (have > 0 && table == 0)) {
        return changed(1, "is not recorded as applied", err);
    }
    return table ? compare_applied(db, out->have, list, err) : OK;
}

enum err_code migrate_check_list(struct db *db, const struct migration *list, size_t n,
                                 struct migrate_state *out, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        BUG_IF(list[i].number != (int)i + 1);
    }
    *out = (struct migrate_state){.want = (int)n};
    enum err_code rc = db_snapshot(db, err);
    if (rc == OK) {
        rc = inspect(db, list, out, err);
        db_snapshot_end(db);
    }
    return rc;
}

/* ---- applying ---- */

static enum err_code record(struct db *db, const struct migration *m, struct err *err)
{
    char sum[CHECKSUM_SIZE];
    char pragma[48];
    enum err_code rc = db_run(db,
                              "INSERT INTO migration (number, name, checksum, applied_at)"
                              " VALUES (?1, ?2, ?3, ?4)",
                              DB_VALS(db_int(m->number), db_text(m->name),
                                      db_text(checksum(m->sql, sum)), db_int(clock_wall_ms())),
                              err);
    snprintf(pragma, sizeof pragma, "PRAGMA user_version=%d", m->number);
    return rc == OK ? db_script(db, pragma, err) : rc;
}

/* Foreign keys are off while a migration runs, so that it may rebuild a table: look here. */
static enum err_code check_keys(struct db *db, struct err *err)
{
    struct db_rows rows;
    enum err_code rc = OK;
    db_begin(db, "PRAGMA foreign_key_check", DB_NONE, &rows, err);
    if (db_step(&rows, err)) {
        struct sv table = db_col_text(&rows, 0);
        rc = err_set(err, ERR_CONFLICT, "rows of table " SV_FMT " would refer to nothing",
                     SV_ARG(table));
    }
    enum err_code end = db_end(&rows);
    return rc == OK ? end : rc;
}

static enum err_code apply_in_tx(struct db *db, const struct migration *m, struct err *err)
{
    enum err_code rc = db_script(db,
                                 "CREATE TABLE IF NOT EXISTS migration ("
                                 "  number     INTEGER PRIMARY KEY,"
                                 "  name       TEXT NOT NULL,"
                                 "  checksum   TEXT NOT NULL,"
                                 "  applied_at INTEGER NOT NULL"
                                 ") STRICT",
                                 err);
    char *sql = xmalloc(m->sql.n + 1);
    memcpy(sql, m->sql.p, m->sql.n);
    sql[m->sql.n] = '\0';
    rc = rc == OK ? db_script(db, sql, err) : rc;
    free(sql);
    rc = rc == OK ? check_keys(db, err) : rc;
    return rc == OK ? record(db, m, err) : rc;
}

static enum err_code apply_one(struct db *db, const struct migration *m, struct err *err)
{
    struct err e = {0};
    enum err_code rc = db_tx_begin(db, &e);
    rc = rc == OK ? apply_in_tx(db, m, &e) : rc;
    rc = db_tx_end(db, rc, &e);
    if (rc != OK) {
        err_rule(err, e.code, e.rule, "Migration " SV_FMT " was not applied: %s", SV_ARG(m->name),
                 e.msg);
    }
    return rc;
}

enum err_code migrate_apply_list(struct db *db, const struct migration *list, size_t n,
                                 struct migrate_state *out, struct err *err)
{
    enum err_code rc = migrate_check_list(db, list, n, out, err);
    if (rc != OK || out->have == out->want) {
        return rc;
    }
    rc = db_script(db, "PRAGMA foreign_keys=OFF", err);
    while (rc == OK && out->have < out->want) {
        rc = apply_one(db, &list[out->have], err);
        out->have += rc == OK;
    }
    enum err_code on = db_script(db, "PRAGMA foreign_keys=ON", err);
    return rc == OK ? on : rc;
}

enum err_code migrate_check(struct db *db, struct migrate_state *out, struct err *err)
{
    size_t n;
    struct migration *list = built_in(&n);
    enum err_code rc = migrate_check_list(db, list, n, out, err);
    free(list);
    return rc;
}

enum err_code migrate_apply(struct db *db, struct migrate_state *out, struct err *err)
{
    size_t n;
    struct migration *list = built_in(&n);
    enum err_code rc = migrate_apply_list(db, list, n, out, err);
    free(list);
    return rc;
}

int migrate_newest(void)
{
    size_t n;
    free(built_in(&n));
    return (int)n;
}
