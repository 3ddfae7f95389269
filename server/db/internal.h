/* internal.h - one connection, as db.c and tx.c share it. For no other file. */
#ifndef DB_INTERNAL_H
#define DB_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

struct sqlite3;
struct stmt;

struct db {
    struct sqlite3 *h;
    enum db_mode mode;
    struct stmt **slots; /* the cache: open addressing, at most half full, cap a power of two */
    size_t n, cap;
    size_t open;         /* statements begun and not ended */
    bool tx;             /* we began a transaction and did not end it */
    unsigned savepoints; /* open in it */
    unsigned nested;     /* snapshots asked for inside it */
    struct err lost;     /* why SQLite rolled it back on its own */
    bool erased;         /* the log holds what was erased */
    int busy_ms;
    int64_t busy_since;
    void *lent;          /* db_lend */
};

/* Fails when SQLite rolled the transaction back: its reason. tx.c */
enum err_code db_check_tx(struct db *db, struct err *err);
/* Runs BEGIN, COMMIT and the like, which must not be checked so. db.c */
enum err_code db_control(struct db *db, const char *sql, struct err *err);
/* What a result of SQLite means to our callers. db.c */
enum err_code db_code_of(struct sqlite3 *h, int rc);

#endif
