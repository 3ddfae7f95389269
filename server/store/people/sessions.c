/* sessions.c - SQL for the session table. Knows nothing of cookies. */
#include "store/people/sessions.h"

#include <stdio.h>

#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/accounts.h"

DB_ROW(session_row, struct session, account, person, login, role, created_at, expires_at);

enum err_code sessions_find(struct db *db, const unsigned char *hash, int64_t now, int64_t since,
                            struct arena *arena, struct session *out, struct err *err)
{
    return db_find(
        db, session_row, out, arena,
        "SELECT a.id, a.person, i.external_id, a.role, s.created_at, s.expires_at "
        "FROM session s JOIN account a ON a.id = s.account "
        "JOIN identity i ON i.person = a.person "
        "WHERE s.hash = ?1 AND s.expires_at > ?2 AND s.created_at > ?3 AND s.created_at <= ?4 AND a.disabled = 0",
        DB_VALS(db_blob(hash, SECRET_HASH), db_int(now), db_int(since), db_int(now + SESSION_AHEAD_MS)), err);
}

enum err_code sessions_count(struct db *db, int64_t account, int64_t now, int64_t *out,
                             struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM session WHERE account = ?1 AND expires_at > ?2",
                      DB_VALS(db_int(account), db_int(now)), out, err);
}

enum err_code sessions_create(struct db *db, int64_t now, const unsigned char *hash,
                              int64_t account, int64_t expires_at, struct err *err)
{
    enum err_code rc = db_run(
        db, "INSERT INTO session (hash, account, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
        DB_VALS(db_blob(hash, SECRET_HASH), db_int(account), db_int(now), db_int(expires_at)),
        err);
    if (rc == OK) {
        rc = db_run(db,
                    "DELETE FROM session WHERE hash IN "
                    "(SELECT hash FROM session WHERE account = ?1 "
                    "ORDER BY created_at DESC, hash = ?2 DESC LIMIT -1 OFFSET ?3)",
                    DB_VALS(db_int(account), db_blob(hash, SECRET_HASH),
                            db_int(SESSIONS_PER_ACCOUNT)),
                    err);
    }
    return rc == OK ? events_add(db, now, account, "session.start", account, NULL, NULL, err) : rc;
}

bool sessions_due(int64_t expires_at, int64_t now, int64_t life_ms)
{
    /* A life shorter than two slides moves at its half, so that it slides at all. */
    int64_t step = life_ms / 2 < SESSION_SLIDE_MS ? life_ms / 2 : SESSION_SLIDE_MS;
    return now + life_ms - expires_at >= step;
}

enum err_code sessions_touch(struct db *db, const unsigned char *hash, int64_t expires_at,
                             struct err *err)
{
    return db_run(db, "UPDATE session SET expires_at = max(expires_at, ?2) WHERE hash = ?1",
                  DB_VALS(db_blob(hash, SECRET_HASH), db_int(expires_at)), err);
}

enum err_code sessions_end(struct db *db, int64_t now, const unsigned char *hash, struct err *err)
{
    int64_t account;
    enum err_code rc = db_one_int(db, "SELECT account FROM session WHERE hash = ?1",
                                  DB_VALS(db_blob(hash, SECRET_HASH)), &account, err);
    if (rc == ERR_NOT_FOUND) {
        return OK;
    }
    if (rc == OK) {
        rc = db_run(db, "DELETE FROM session WHERE hash = ?1",
                    DB_VALS(db_blob(hash, SECRET_HASH)), err);
    }
    return rc == OK ? events_add(db, now, account, "session.end", account, NULL, NULL, err) : rc;
}

enum err_code sessions_end_others(struct db *db, int64_t now, int64_t by, int64_t account,
                                  const unsigned char *keep, struct err *err)
{
    enum err_code rc = db_run(
        db, "DELETE FROM session WHERE account = ?1 AND (?2 IS NULL OR hash <> ?2)",
        DB_VALS(db_int(account), keep ? db_blob(keep, SECRET_HASH) : db_null()), err);
    int64_t ended = rc == OK ? db_changes(db) : 0;
    if (!ended) {
        return rc;
    }
    char detail[48];
    snprintf(detail, sizeof detail, "{\"ended\":%lld}", (long long)ended);
    return events_add(db, now, by, "session.end", account, detail, NULL, err);
}

enum err_code sessions_purge_expired(struct db *db, int64_t now, int64_t most, struct err *err)
{
    return db_run(db,
                  "DELETE FROM session WHERE hash IN "
                  "(SELECT hash FROM session WHERE expires_at <= ?1 LIMIT ?2)",
                  DB_VALS(db_int(now), db_int(most)), err);
}
