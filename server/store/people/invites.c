/* invites.c - SQL for the invite table. Knows nothing of links. */
#include "store/people/invites.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/accounts.h"

#define COLUMNS                                                                                    \
    "SELECT v.id, v.role, v.note, v.created_by, v.created_at, v.expires_at, v.used_at, "           \
    "v.account, a.role FROM invite v JOIN account a ON a.id = v.created_by "

DB_ROW(invite_row, struct invite, id, role, note, created_by, created_at, expires_at, used_at,
       account);

enum err_code invites_find(struct db *db, const unsigned char *hash, int64_t now,
                           struct arena *arena, struct invite *out, struct err *err)
{
    struct db_rows rows;
    db_begin(db,
             COLUMNS "WHERE v.hash = ?1 AND v.expires_at > ?2 "
                     "AND v.used_at IS NULL AND a.disabled = 0",
             DB_VALS(db_blob(hash, SECRET_HASH), db_int(now)), &rows, err);
    /* Nobody gives more than they have now. */
    bool found = db_next(&rows, invite_row, out, arena, err) &&
                 account_role_rank(db_col_text(&rows, 8)) >= account_role_rank(out->role);
    enum err_code rc = db_end(&rows);
    return rc == OK && !found
               ? err_rule(err, ERR_NOT_FOUND, "invite-over",
                          "This invitation does not exist, was used already or has expired. Ask for a new "
                          "one.")
               : rc;
}

enum err_code invites_list(struct db *db, size_t most, struct arena *arena, struct invite **out,
                           size_t *n, struct err *err)
{
    return db_list(db, invite_row, out, n, arena, COLUMNS "ORDER BY v.id DESC LIMIT ?1",
                   DB_VALS(db_int((int64_t)most)), err);
}

enum err_code invites_create(struct db *db, int64_t now, int64_t by, const unsigned char *hash,
                             struct sv role, struct sv note, int64_t expires_at, int64_t *id,
                             struct err *err)
{
    if (!account_role_rank(role)) {
        return err_rule(err, ERR_INPUT, "role",
                        "There is no such role; choose worker, expert, lead or admin.");
    }
    if (note.n > INVITE_NOTE || !sv_utf8(note)) {
        return err_rule(err, ERR_INPUT, "invite-note", "A note can have at most %d characters.",
                        INVITE_NOTE);
    }
    if (expires_at <= now) {
        return err_rule(err, ERR_INPUT, "invite-expiry", "An invite must expire in the future.");
    }
    enum err_code rc =
        db_run(db,
               "INSERT INTO invite (hash, role, note, created_by, created_at, expires_at) "
               "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
               DB_VALS(db_blob(hash, SECRET_HASH), db_text(role), db_text_opt(note), db_int(by),
                       db_int(now), db_int(expires_at)),
               err);
    if (rc != OK) {
        return rc;
    }
    *id = db_last_id(db);
    return events_add(db, now, by, "invite.create", *id, NULL, NULL, err);
}

enum err_code invites_use(struct db *db, int64_t now, const unsigned char *hash, struct sv login,
                          const char *password_hash, int64_t *account, struct err *err)
{
    struct arena arena;
    arena_init(&arena, 4096);
    struct invite invite;
    enum err_code rc = invites_find(db, hash, now, &arena, &invite, err);
    if (rc == OK) {
        rc = accounts_create(db, now, invite.created_by, login, invite.role, password_hash,
                             account, err);
    }
    if (rc == OK) {
        rc = db_run(db, "UPDATE invite SET used_at = ?2, account = ?3 WHERE id = ?1",
                    DB_VALS(db_int(invite.id), db_int(now), db_int(*account)), err);
    }
    rc = rc == OK ? events_add(db, now, *account, "invite.use", invite.id, NULL, NULL, err) : rc;
    arena_release(&arena);
    return rc;
}

enum err_code invites_revoke(struct db *db, int64_t now, int64_t by, int64_t id, struct err *err)
{
    int64_t used;
    enum err_code rc = db_one_int(db, "SELECT account IS NOT NULL FROM invite WHERE id = ?1",
                                  DB_VALS(db_int(id)), &used, err);
    if (rc == ERR_NOT_FOUND) {
        return err_set(err, ERR_NOT_FOUND, "There is no such invite.");
    }
    if (rc == OK && used) {
        return err_rule(err, ERR_CONFLICT, "invite-used",
                        "The invite was used; disable the account instead.");
    }
    if (rc == OK) {
        rc = db_run(db, "UPDATE invite SET used_at = ?2 WHERE id = ?1 AND used_at IS NULL",
                    DB_VALS(db_int(id), db_int(now)), err);
    }
    if (rc != OK || db_changes(db) == 0) {
        return rc;
    }
    return events_add(db, now, by, "invite.revoke", id, NULL, NULL, err);
}
