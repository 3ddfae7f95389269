/* db.c - SQLite behind typed values: connections and cached statements.
 *
 * Transactions are in tx.c. Includes sqlite3.h, which only copy.c and fault_vfs.c may do besides.
 * Must not know a table or a thread. */
#include "db/db.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "db/fault_vfs.h"
#include "db/internal.h"

enum { BUSY_MS = 5000, BUSY_POLL_NS = 500 * 1000, SQL_SHOWN = 160 };

struct stmt {
    const char *sql; /* the key: the address of the literal */
    size_t n;        /* bytes of it that were compiled */
    sqlite3_stmt *s;
    bool busy;  /* between db_begin and db_end */
    bool done;  /* ran to its end: one more sqlite3_step would start it again */
    bool extra; /* not in the cache: the cached one was busy */
};

/* ---- errors ---- */

enum err_code db_code_of(sqlite3 *h, int rc)
{
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
        return ERR_BUSY;
    case SQLITE_FULL:
        return ERR_FULL;
    case SQLITE_IOERR: /* the -shm file reports a full disk so */
        return rc == SQLITE_IOERR_SHMSIZE ? ERR_FULL : ERR_IO;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return ERR_IO;
    case SQLITE_CONSTRAINT:
        return ERR_CONFLICT;
    case SQLITE_READONLY: /* by query_only it is our mistake, by the file system not */
        return sqlite3_db_readonly(h, "main") == 1 ? ERR_IO : ERR_BUG;
    default:
        return ERR_BUG;
    }
}

/* Reports what SQLite just answered, and remembers it when it cost us the transaction. */
static enum err_code fail(struct db *db, int rc, const char *sql, struct err *err)
{
    struct err e = {0};
    enum err_code code = db_code_of(db->h, rc);
    if (code == ERR_BUG) {
        err_set(&e, code, "database: %s (%d) in: %.*s", sqlite3_errmsg(db->h), rc, SQL_SHOWN, sql);
    } else if ((rc & 0xff) == SQLITE_CANTOPEN) {
        err_errno(&e, sqlite3_system_errno(db->h), "database: %s", sqlite3_errmsg(db->h));
    } else {
        err_set(&e, code, "database: %s", sqlite3_errmsg(db->h));
    }
    if (db->tx && !db_in_tx(db) && db->lost.code == OK) {
        db->lost = e;
    }
    err_rule(err, e.code, e.rule, "%s", e.msg);
    return code;
}

/* ---- opening and closing ---- */

/* Statistics of memory cost a global lock, and a path is a path even when it begins with file:. */
static void library_init(void)
{
    BUG_IF(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK);
    BUG_IF(sqlite3_config(SQLITE_CONFIG_URI, 0) != SQLITE_OK);
    BUG_IF(sqlite3_initialize() != SQLITE_OK);
    fault_vfs_register();
}

/* SQLite's own waits grow to 100 ms, which loses against a bulk writer's 20 ms pauses. */
static int wait_for_lock(void *arg, int count)
{
    struct db *db = arg;
    int64_t now = clock_mono_ns();
    if (count == 0) {
        db->busy_since = now;
    }
    if (now - db->busy_since >= (int64_t)db->busy_ms * 1000000) {
        return 0;
    }
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = BUSY_POLL_NS}, NULL);
    return 1;
}

void db_busy_timeout(struct db *db, int ms)
{
    db->busy_ms = ms;
    sqlite3_busy_handler(db->h, wait_for_lock, db);
}

static enum err_code use_wal(struct db *db, struct err *err)
{
    struct db_rows rows;
    bool wal = false;
    db_begin(db, "PRAGMA journal_mode=WAL", DB_NONE, &rows, err);
    while (db_step(&rows, err)) {
        struct sv mode = db_col_text(&rows, 0);
        wal = sv_is(mode, "wal") || sv_is(mode, "memory");
    }
    enum err_code rc = db_end(&rows);
    if (rc == OK && !wal) {
        rc = err_set(err, ERR_IO, "its file system does not support write-ahead logging");
    }
    return rc;
}

static enum err_code set_up(struct db *db, struct err *err)
{
    sqlite3_extended_result_codes(db->h, 1);
    db_busy_timeout(db, BUSY_MS);
    /* A project may come from elsewhere: its schema gets no say, and "x" is never a text. */
    sqlite3_db_config(db->h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->h, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db->h, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    if (sqlite3_db_readonly(db->h, "main") == 1) {
        return err_set(err, ERR_IO, "the file is not writable, which even reading requires");
    }
    enum err_code rc = OK;
    if (db->mode == DB_ALONE) { /* before the first look: network file systems lack shared memory */
        rc = db_script(db, "PRAGMA locking_mode=EXCLUSIVE", err);
    }
    rc = rc == OK ? use_wal(db, err) : rc;
    if (rc == OK) {
        rc = db_script(db,
                       fault_unflushed() ? "PRAGMA synchronous=OFF" : "PRAGMA synchronous=FULL", err);
    }
    if (rc == OK) {
        rc = db_script(db,
                       "PRAGMA foreign_keys=ON;"
                       "PRAGMA mmap_size=0;" /* a failing disk is an error then, not a signal */
                       "PRAGMA temp_store=MEMORY;"
                       "PRAGMA journal_size_limit=33554432;",
                       err);
    }
    if (rc == OK && db->mode != DB_WRITE) {
        rc = db_script(db, "PRAGMA cache_size=-1024; PRAGMA query_only=ON;", err);
    } else if (rc == OK) {
        /* 16 MiB: under steady load a commit in four thousand pages pays for a checkpoint; the
         * writer thread empties smaller logs while it is idle. */
        rc = db_script(db,
                       "PRAGMA cache_size=-4096; PRAGMA wal_autocheckpoint=4096;"
                       "PRAGMA secure_delete=ON;",
                       err);
    }
    return rc;
}

enum err_code db_open(const char *path, enum db_mode mode, struct db **out, struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, library_init);
    struct db *db = xcalloc(1, sizeof *db);
    struct err e = {0};
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    db->mode = mode;
    int rc =
        sqlite3_open_v2(path, &db->h, mode == DB_WRITE ? flags | SQLITE_OPEN_CREATE : flags, NULL);
    enum err_code code = rc == SQLITE_OK ? set_up(db, &e) : fail(db, rc, "", &e);
    if (code != OK) {
        err_rule(err, e.code, e.rule, "cannot open %s: %s", path, e.msg);
        db_close(db);
        return code;
    }
    *out = db;
    return OK;
}

void db_lend(struct db *db, void *kept) { db->lent = kept; }
void *db_lent(const struct db *db) { return db->lent; }

void db_close(struct db *db)
{
    if (!db) {
        return;
    }
    BUG_IF(db->open != 0);
    for (size_t i = 0; i < db->cap; i++) {
        if (db->slots[i]) {
            sqlite3_finalize(db->slots[i]->s);
            free(db->slots[i]);
        }
    }
    free(db->slots);
    BUG_IF(sqlite3_close(db->h) != SQLITE_OK);
    free(db);
}

const char *db_library_version(void)
{
    return sqlite3_libversion();
}

/* ---- the statement cache ---- */

/* Where the statement of this address is or would be. */
static struct stmt **find_slot(struct stmt **slots, size_t cap, const char *sql)
{
    size_t i = hash_u64((uint64_t)(uintptr_t)sql) & (cap - 1);
    while (slots[i] && slots[i]->sql != sql) {
        i = (i + 1) & (cap - 1);
    }
    return &slots[i];
}

static void grow_cache(struct db *db)
{
    size_t cap = db->cap ? db->cap * 2 : 64;
    struct stmt **slots = xcalloc(cap, sizeof *slots);
    for (size_t i = 0; i < db->cap; i++) {
        if (db->slots[i]) {
            *find_slot(slots, cap, db->slots[i]->sql) = db->slots[i];
        }
    }
    free(db->slots);
    db->slots = slots;
    db->cap = cap;
}

static enum err_code prepare(struct db *db, const char *sql, bool extra, struct stmt **out,
                             struct err *err)
{
    sqlite3_stmt *s = NULL;
    const char *tail = NULL;
    int rc = sqlite3_prepare_v3(db->h, sql, -1, extra ? 0 : SQLITE_PREPARE_PERSISTENT, &s, &tail);
    if (rc != SQLITE_OK) {
        return fail(db, rc, sql, err);
    }
    BUG_IF(!s);                                     /* empty text */
    BUG_IF(tail[strspn(tail, " \t\r\n;")] != '\0'); /* a second statement would never run */
    *out = xmalloc(sizeof **out);
    **out = (struct stmt){.sql = sql, .n = (size_t)(tail - sql), .s = s, .extra = extra};
    return OK;
}

/* The cached statement, or a second one when an outer loop is still using it. */
static enum err_code get_stmt(struct db *db, const char *sql, struct stmt **out, struct err *err)
{
    if (db->n * 2 >= db->cap) {
        grow_cache(db);
    }
    struct stmt **slot = find_slot(db->slots, db->cap, sql);
    if (!*slot) {
        enum err_code rc = prepare(db, sql, false, slot, err);
        if (rc != OK) {
            return rc;
        }
        db->n++;
    } else {
        /* Another text at the same address was not a literal: it would run the wrong SQL. */
        BUG_IF(strncmp(sqlite3_sql((*slot)->s), sql, (*slot)->n) != 0);
        if ((*slot)->busy) {
            return prepare(db, sql, true, out, err);
        }
    }
    *out = *slot;
    return OK;
}

/* ---- running statements ---- */

static int bind_one(sqlite3_stmt *s, int i, const struct db_val *v)
{
    switch (v->type) {
    case DB_NULL:
        return sqlite3_bind_null(s, i);
    case DB_INT:
        return sqlite3_bind_int64(s, i, v->i);
    case DB_REAL:
        return sqlite3_bind_double(s, i, v->f);
    case DB_TEXT:
        return sqlite3_bind_text64(s, i, v->p, v->n, SQLITE_STATIC, SQLITE_UTF8);
    case DB_BLOB:
        return sqlite3_bind_blob64(s, i, v->p, v->n, SQLITE_STATIC);
    }
    BUG_IF(true);
    return SQLITE_MISUSE;
}

/* db_begin without the look at the transaction, which its own BEGIN and COMMIT must not have. */
static enum err_code begin(struct db *db, const char *sql, const struct db_val *v, size_t n,
                           struct db_rows *rows, struct err *err)
{
    struct stmt *st;
    *rows = (struct db_rows){.db = db};
    rows->rc = get_stmt(db, sql, &st, err);
    if (rows->rc != OK) {
        return rows->rc;
    }
    BUG_IF(n != (size_t)sqlite3_bind_parameter_count(st->s));
    st->busy = true;
    st->done = false;
    db->open++;
    rows->stmt = st;
    for (size_t i = 0; i < n && rows->rc == OK; i++) {
        int rc = bind_one(st->s, (int)i + 1, &v[i]);
        if (rc != SQLITE_OK) {
            rows->rc = fail(db, rc, sql, err);
        }
    }
    return rows->rc;
}

enum err_code db_begin(struct db *db, const char *sql, const struct db_val *v, size_t n,
                       struct db_rows *rows, struct err *err)
{
    enum err_code rc = db_check_tx(db, err);
    if (rc != OK) {
        *rows = (struct db_rows){.db = db, .rc = rc};
        return rc;
    }
    return begin(db, sql, v, n, rows, err);
}

static bool step(struct db_rows *rows, struct err *err)
{
    struct stmt *st = rows->stmt;
    if (!st || st->done || rows->rc != OK) {
        return false;
    }
    int rc = sqlite3_step(st->s);
    if (rc == SQLITE_ROW) {
        return true;
    }
    st->done = true;
    if (rc != SQLITE_DONE) {
        rows->rc = fail(rows->db, rc, st->sql, err);
    }
    return false;
}

bool db_step(struct db_rows *rows, struct err *err)
{
    if (rows->rc == OK && arena_budget_spent()) {
        rows->rc = err_rule(err, ERR_LIMIT, "memory",
                            "This needs more memory than one request may have.");
    }
    return step(rows, err);
}

/* Leaving before the last row may commit (RETURNING outside a transaction) and so fail. */
static enum err_code end(struct db_rows *rows, struct err *err)
{
    struct stmt *st = rows->stmt;
    if (!st) {
        return rows->rc;
    }
    int rc = sqlite3_reset(st->s);
    if (rc != SQLITE_OK && rows->rc == OK) {
        rows->rc = fail(rows->db, rc, st->sql, err);
    }
    rows->stmt = NULL;
    rows->db->open--;
    st->busy = false;
    if (st->extra) {
        sqlite3_finalize(st->s);
        free(st);
    }
    return rows->rc;
}

enum err_code db_end(struct db_rows *rows)
{
    return end(rows, NULL);
}

enum err_code db_end_after(struct db_rows *rows, enum err_code rc)
{
    enum err_code own = db_end(rows);
    return rc == OK ? own : rc;
}

/* The statement, which must stand on a row that has this column. */
static sqlite3_stmt *at(const struct db_rows *rows, int col)
{
    const struct stmt *st = rows->stmt;
    BUG_IF(!st || col < 0 || col >= sqlite3_data_count(st->s));
    return st->s;
}

int64_t db_col_int(const struct db_rows *rows, int col)
{
    return sqlite3_column_int64(at(rows, col), col);
}

double db_col_real(const struct db_rows *rows, int col)
{
    return sqlite3_column_double(at(rows, col), col);
}

struct sv db_col_text(const struct db_rows *rows, int col)
{
    sqlite3_stmt *s = at(rows, col);
    const unsigned char *p = sqlite3_column_text(s, col);
    return p ? sv_make((const char *)p, (size_t)sqlite3_column_bytes(s, col)) : SV("");
}

struct sv db_col_blob(const struct db_rows *rows, int col)
{
    sqlite3_stmt *s = at(rows, col);
    const void *p = sqlite3_column_blob(s, col);
    return p ? sv_make(p, (size_t)sqlite3_column_bytes(s, col)) : SV("");
}

bool db_col_null(const struct db_rows *rows, int col)
{
    return sqlite3_column_type(at(rows, col), col) == SQLITE_NULL;
}

enum err_code db_control(struct db *db, const char *sql, struct err *err)
{
    struct db_rows rows;
    begin(db, sql, DB_NONE, &rows, err);
    while (step(&rows, err)) {
    }
    return end(&rows, err);
}

enum err_code db_run(struct db *db, const char *sql, const struct db_val *v, size_t n,
                     struct err *err)
{
    struct db_rows rows;
    db_begin(db, sql, v, n, &rows, err);
    while (db_step(&rows, err)) {
    }
    return end(&rows, err);
}

enum err_code db_one_int(struct db *db, const char *sql, const struct db_val *v, size_t n,
                         int64_t *out, struct err *err)
{
    struct db_rows rows;
    int64_t value = 0;
    db_begin(db, sql, v, n, &rows, err);
    bool found = db_step(&rows, err);
    if (found) {
        value = db_col_int(&rows, 0);
    }
    enum err_code rc = end(&rows, err);
    if (rc == OK && !found) {
        return ERR_NOT_FOUND;
    }
    if (rc == OK) {
        *out = value;
    }
    return rc;
}

enum err_code db_script(struct db *db, const char *sql, struct err *err)
{
    enum err_code code = db_check_tx(db, err);
    if (code != OK) {
        return code;
    }
    int rc = sqlite3_exec(db->h, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? OK : fail(db, rc, sql, err);
}

int64_t db_last_id(struct db *db)
{
    return sqlite3_last_insert_rowid(db->h);
}

int64_t db_changes(struct db *db)
{
    return sqlite3_changes64(db->h);
}

/* ---- the rest ---- */

bool db_in_tx(struct db *db)
{
    return !sqlite3_get_autocommit(db->h);
}

enum err_code db_data_version(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "PRAGMA data_version", DB_NONE, out, err);
}

void db_checkpoint(struct db *db)
{
    int rc = sqlite3_wal_checkpoint_v2(db->h, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (rc != SQLITE_OK && (rc & 0xff) != SQLITE_BUSY) {
        log_msg(LOG_ERROR, "checkpoint failed", LOG_TEXT("error", sv_of(sqlite3_errmsg(db->h))));
    }
}

void db_erase_mark(struct db *db)
{
    db->erased = true;
}

bool db_erase_due(const struct db *db)
{
    return db->erased;
}

/* SQLite waits for readers and writers, but not for somebody else's checkpoint: then it says at once that it is busy. */
static int empty_log(struct db *db, int ms)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    int64_t end = clock_mono_ns() + (int64_t)ms * 1000000;
    int rc = sqlite3_wal_checkpoint_v2(db->h, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    while ((rc & 0xff) == SQLITE_BUSY && clock_mono_ns() < end) {
        nanosleep(&pause, NULL);
        rc = sqlite3_wal_checkpoint_v2(db->h, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    }
    return rc;
}

enum err_code db_erase_finish(struct db *db, int ms, struct err *err)
{
    BUG_IF(db->tx);
    int usual = db->busy_ms;
    db_busy_timeout(db, ms);
    int rc = empty_log(db, ms);
    db_busy_timeout(db, usual);
    if ((rc & 0xff) == SQLITE_BUSY) {
        return err_rule(err, ERR_BUSY, "log-in-use",
                        "database: its log is in use and could not be emptied");
    }
    db->erased = db->erased && rc != SQLITE_OK;
    return rc == SQLITE_OK ? OK : fail(db, rc, "checkpoint", err);
}

int64_t db_wal_size(const char *path)
{
    struct str wal;
    str_init(&wal, PATH_MAX);
    str_printf(&wal, "%s-wal", path);
    int64_t n = wal.over ? 0 : fs_size(wal.p);
    str_release(&wal);
    return n < 0 ? 0 : n;
}

void db_assert_idle(struct db *db)
{
    BUG_IF(db->open != 0);
    BUG_IF(db->mode != DB_WRITE && db->tx); /* it would keep the log from being emptied */
}
