/* tx.c - transactions, savepoints, snapshots, and what happens when SQLite ends one on its own.
 *
 * A full or failing disk makes SQLite roll the whole transaction back in the middle of a
 * statement. What the caller runs next would then commit by itself, so db.c asks db_check_tx before
 * every statement. Must not know sqlite3.h. */
#include "base/log.h"
#include "db/db.h"
#include "db/internal.h"

enum err_code db_check_tx(struct db *db, struct err *err)
{
    if (!db->tx || db_in_tx(db)) {
        return OK;
    }
    if (db->lost.code == OK) {
        return err_set(err, ERR_IO, "database: the transaction ended before its commit");
    }
    return err_rule(err, db->lost.code, db->lost.rule, "%s", db->lost.msg);
}

static enum err_code tx_begin(struct db *db, const char *sql, struct err *err)
{
    BUG_IF(db->tx);
    enum err_code rc = db_control(db, sql, err);
    db->tx = rc == OK;
    return rc;
}

static void tx_over(struct db *db)
{
    db->tx = false;
    db->savepoints = 0;
    db->nested = 0;
    err_clear(&db->lost);
}

enum err_code db_tx_begin(struct db *db, struct err *err)
{
    return tx_begin(db, "BEGIN IMMEDIATE", err);
}

enum err_code db_tx_commit(struct db *db, struct err *err)
{
    BUG_IF(!db->tx || db->savepoints != 0 || db->nested != 0);
    enum err_code rc = db_check_tx(db, err);
    rc = rc == OK ? db_control(db, "COMMIT", err) : rc;
    if (rc == OK) {
        tx_over(db);
    }
    return rc;
}

void db_tx_rollback(struct db *db)
{
    if (db_in_tx(db)) {
        struct err err = {0};
        if (db_control(db, "ROLLBACK", &err) != OK) {
            log_msg(LOG_ERROR, "rollback failed", LOG_TEXT("error", sv_of(err.msg)));
        }
        BUG_IF(db_in_tx(db)); /* going on would mix this transaction with the next */
    }
    tx_over(db);
}

enum err_code db_tx_end(struct db *db, enum err_code rc, struct err *err)
{
    rc = rc == OK ? db_tx_commit(db, err) : rc;
    if (rc != OK) {
        db_tx_rollback(db);
    }
    return rc;
}

enum err_code db_savepoint(struct db *db, struct err *err)
{
    BUG_IF(!db->tx);
    enum err_code rc = db_check_tx(db, err);
    rc = rc == OK ? db_control(db, "SAVEPOINT s", err) : rc;
    db->savepoints += rc == OK;
    return rc;
}

enum err_code db_savepoint_release(struct db *db, struct err *err)
{
    BUG_IF(db->savepoints == 0);
    enum err_code rc = db_check_tx(db, err);
    rc = rc == OK ? db_control(db, "RELEASE s", err) : rc;
    db->savepoints -= rc == OK;
    return rc;
}

void db_savepoint_rollback(struct db *db)
{
    BUG_IF(db->savepoints == 0);
    db->savepoints--;
    if (!db_in_tx(db)) {
        return; /* it went with the transaction */
    }
    struct err err = {0};
    if (db_control(db, "ROLLBACK TO s", &err) == OK && db_control(db, "RELEASE s", &err) == OK) {
        return;
    }
    /* What is left of the transaction cannot be trusted: make it a lost one. */
    if (db_in_tx(db)) {
        db_control(db, "ROLLBACK", NULL);
        BUG_IF(db_in_tx(db));
    }
    if (db->lost.code == OK) {
        db->lost = err;
    }
}

enum err_code db_snapshot(struct db *db, struct err *err)
{
    if (db->tx) {
        db->nested++;
        return OK;
    }
    return tx_begin(db, "BEGIN", err);
}

void db_snapshot_end(struct db *db)
{
    if (db->nested) {
        db->nested--;
        return;
    }
    db_tx_rollback(db);
}
