/* db.h - SQLite behind typed values; db.c, copy.c and fault_vfs.c alone include sqlite3.h.
 *
 * store/ calls it with literal SQL text and bound values. A struct db is one connection with its
 * statement cache, used by one thread at a time. Knows nothing of entities. */
#ifndef DB_DB_H
#define DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"

struct db;

enum db_mode {
    DB_READ,  /* opened read-write with query_only: a reader of a WAL must be able to write it */
    DB_ALONE, /* a reader of a file that nobody else has open, also where no memory can be shared */
    DB_WRITE  /* synchronous=FULL, foreign keys on, what is deleted is overwritten */
};

/* Opens an existing database, or with DB_WRITE creates it. WAL, busy timeout 5 s, small caches.
 * ERR_IO names the path. */
enum err_code db_open(const char *path, enum db_mode mode, struct db **out, struct err *err);
void db_close(struct db *db); /* NULL is allowed */
/* What whoever opened the connections of a process keeps for all of them, for layers above that know what it is; NULL
 * unless lent. Stays the lender's, who frees it after the connections. */
void db_lend(struct db *db, void *kept);
void *db_lent(const struct db *db);

/* One bound value. Text and blobs are borrowed until the statement is done. */
struct db_val {
    enum { DB_NULL, DB_INT, DB_REAL, DB_TEXT, DB_BLOB } type;
    int64_t i;
    double f;
    const void *p;
    size_t n;
};
static inline struct db_val db_null(void) { return (struct db_val){.type = DB_NULL}; }
static inline struct db_val db_int(int64_t i) { return (struct db_val){.type = DB_INT, .i = i}; }
static inline struct db_val db_real(double f) { return (struct db_val){.type = DB_REAL, .f = f}; }
static inline struct db_val db_text(struct sv s)
{
    return (struct db_val){.type = DB_TEXT, .p = s.p ? s.p : "", .n = s.n};
}
static inline struct db_val db_str(const char *s) { return db_text(sv_of(s)); }
static inline struct db_val db_blob(const void *p, size_t n)
{
    return (struct db_val){.type = DB_BLOB, .p = p ? p : "", .n = n};
}
/* The text, or NULL for an empty one: optional columns. */
static inline struct db_val db_text_opt(struct sv s) { return s.n ? db_text(s) : db_null(); }

/* A running statement. Every db_begin is followed by db_end, whatever db_step said; a reader
 * that ends its request with an open statement is a bug (db_assert_idle). */
struct db_rows {
    struct db *db;
    void *stmt;
    enum err_code rc;
};

/* `sql` must be a string literal (or live as long as the connection): the cache is keyed by its
 * address. `n` values are bound to ?1..?n, which must be all that the statement has. */
enum err_code db_begin(struct db *db, const char *sql, const struct db_val *v, size_t n,
                       struct db_rows *rows, struct err *err);
/* True for a row. False at the end or on failure; then rows->rc says which. ERR_LIMIT (rule
 * "memory") once the thread's budget is spent (base/arena.h). */
bool db_step(struct db_rows *rows, struct err *err);
/* Resets the statement; returns rows->rc. */
enum err_code db_end(struct db_rows *rows);
/* The same for a loop that may have failed by itself: returns `rc` unless that is OK. */
enum err_code db_end_after(struct db_rows *rows, enum err_code rc);

int64_t db_col_int(const struct db_rows *rows, int col);
double db_col_real(const struct db_rows *rows, int col);
struct sv db_col_text(const struct db_rows *rows, int col); /* borrowed until the next step */
struct sv db_col_blob(const struct db_rows *rows, int col); /* likewise */
bool db_col_null(const struct db_rows *rows, int col);

/* Runs a statement that returns no rows. */
enum err_code db_run(struct db *db, const char *sql, const struct db_val *v, size_t n,
                     struct err *err);
/* First column of the first row as an integer; ERR_NOT_FOUND (without setting err) when no row. */
enum err_code db_one_int(struct db *db, const char *sql, const struct db_val *v, size_t n,
                         int64_t *out, struct err *err);

#define DB_VALS(...)                                                                               \
    (struct db_val[]){__VA_ARGS__}, sizeof((struct db_val[]){__VA_ARGS__}) / sizeof(struct db_val)
#define DB_NONE NULL, 0

/* Several statements without values: migrations, pragmas. Not cached. */
enum err_code db_script(struct db *db, const char *sql, struct err *err);

int64_t db_last_id(struct db *db);
int64_t db_changes(struct db *db); /* rows touched by the last db_run */

/* A full or failing disk makes SQLite roll back on its own. Until db_tx_rollback every further
 * call then fails with the first failure, so that nothing commits outside the transaction. */
enum err_code db_tx_begin(struct db *db, struct err *err); /* BEGIN IMMEDIATE */
enum err_code db_tx_commit(struct db *db, struct err *err);
void db_tx_rollback(struct db *db); /* fine when there is no transaction */
/* Commits when `rc` is OK; after any failure, of BEGIN and COMMIT too, rolls back. Gives back what became of it. */
enum err_code db_tx_end(struct db *db, enum err_code rc, struct err *err);
bool db_in_tx(struct db *db);       /* false after SQLite rolled back on its own */
enum err_code db_savepoint(struct db *db, struct err *err);
enum err_code db_savepoint_release(struct db *db, struct err *err);
void db_savepoint_rollback(struct db *db); /* undoes and removes the savepoint */

/* A read transaction that sees one moment, for several statements of one request. Inside another
 * transaction it is a part of that. */
enum err_code db_snapshot(struct db *db, struct err *err);
void db_snapshot_end(struct db *db);

/* Changes whenever another connection committed. */
enum err_code db_data_version(struct db *db, int64_t *out, struct err *err);
void db_busy_timeout(struct db *db, int ms);
/* Passive checkpoint; never waits for readers. */
void db_checkpoint(struct db *db);
/* Says that this connection's transaction erases something for good. What was stored stays in the
 * log until that is emptied, so db_erase_finish must follow the commit. */
void db_erase_mark(struct db *db);
bool db_erase_due(const struct db *db); /* marked, and not yet finished */
/* Outside a transaction: copies the log into the database and cuts it to nothing, waiting about
 * `ms` for readers, other writers and checkpoints of others. ERR_BUSY (rule "log-in-use") leaves it due. */
enum err_code db_erase_finish(struct db *db, int ms, struct err *err);
/* Bytes of the -wal file, 0 when there is none. */
int64_t db_wal_size(const char *path);
/* Aborts when a statement of this connection, or a reader's snapshot, is still open: called at
 * every request's end. */
void db_assert_idle(struct db *db);
const char *db_library_version(void);

#endif
