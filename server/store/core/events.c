/* events.c - SQL for the event table. Knows nothing of what the kinds mean. */
#include "store/core/events.h"

static struct db_val id_or_null(int64_t id)
{
    return id ? db_int(id) : db_null();
}

enum err_code events_add(struct db *db, int64_t at, int64_t account, const char *kind,
                         int64_t subject, const char *detail_json, int64_t *id, struct err *err)
{
    enum err_code rc =
        db_run(db,
               "INSERT INTO event (at, account, kind, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
               DB_VALS(db_int(at), id_or_null(account), db_str(kind), id_or_null(subject),
                       detail_json ? db_str(detail_json) : db_null()),
               err);
    if (rc == OK && id) {
        *id = db_last_id(db);
    }
    return rc;
}

enum err_code events_last(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT id FROM event ORDER BY id DESC LIMIT 1", DB_NONE, out, err);
}

enum err_code events_time(struct db *db, int64_t id, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT at FROM event WHERE id = ?1", DB_VALS(db_int(id)), out, err);
}
