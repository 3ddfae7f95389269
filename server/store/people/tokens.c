/* tokens.c - SQL for the api_token table. Knows nothing of the text of a token. */
#include "store/people/tokens.h"

#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/accounts.h"

#define COLUMNS                                                                                    \
    "SELECT t.id, t.account, a.person, i.external_id, t.name, t.role, t.created_at, "              \
    "t.expires_at, t.revoked_at, a.role "                                                          \
    "FROM api_token t JOIN account a ON a.id = t.account "                                         \
    "LEFT JOIN identity i ON i.person = a.person "

DB_ROW(token_row, struct api_token, id, account, person, login, name, role, created_at, expires_at,
       revoked_at);

enum err_code tokens_find(struct db *db, const unsigned char *hash, int64_t now,
                          struct arena *arena, struct api_token *out, struct err *err)
{
    struct db_rows rows;
    db_begin(db,
             COLUMNS "WHERE t.hash = ?1 AND t.expires_at > ?2 "
                     "AND t.revoked_at IS NULL AND a.disabled = 0",
             DB_VALS(db_blob(hash, SECRET_HASH), db_int(now)), &rows, err);
    bool found = db_next(&rows, token_row, out, arena, err);
    if (found && account_role_rank(db_col_text(&rows, 9)) < account_role_rank(out->role)) {
        out->role = arena_sv(arena, db_col_text(&rows, 9)); /* the account was demoted since */
    }
    enum err_code rc = db_end(&rows);
    return rc == OK && !found ? ERR_NOT_FOUND : rc;
}

enum err_code tokens_list(struct db *db, int64_t account, int64_t before, size_t most,
                          struct arena *arena, struct api_token **out, size_t *n,
                          struct err *err)
{
    return db_list(db, token_row, out, n, arena,
                   COLUMNS "WHERE (?1 = 0 OR t.account = ?1) "
                           "AND (?2 = 0 OR t.id < ?2) ORDER BY t.id DESC LIMIT ?3",
                   DB_VALS(db_int(account), db_int(before), db_int((int64_t)most)), err);
}

static enum err_code check_form(int64_t now, const struct token_new *token, struct err *err)
{
    if (!token->name.n || token->name.n > TOKEN_NAME || !sv_utf8(token->name)) {
        return err_rule(err, ERR_INPUT, "token-name",
                        "A token needs a name of at most %d characters.", TOKEN_NAME);
    }
    if (!account_role_rank(token->role)) {
        return err_rule(err, ERR_INPUT, "role",
                        "There is no such role; choose worker, expert, lead or admin.");
    }
    if (token->expires_at <= now) {
        return err_rule(err, ERR_INPUT, "token-expiry", "A token must expire in the future.");
    }
    return OK;
}

static enum err_code check_account(struct db *db, int64_t now, const struct token_new *token,
                                   struct err *err)
{
    struct arena arena;
    arena_init(&arena, 4096);
    struct account account;
    int64_t in_force = 0;
    enum err_code rc = accounts_get(db, token->account, &arena, &account, err);
    if (rc != OK) {
        goto out;
    }
    if (account.disabled) {
        rc = err_rule(err, ERR_DENIED, "disabled", "The account is disabled.");
        goto out;
    }
    if (account_role_rank(token->role) > account_role_rank(account.role)) {
        rc = err_rule(err, ERR_DENIED, "token-role",
                      "The account has the role " SV_FMT ", so its token cannot have the role " SV_FMT ".",
                      SV_ARG(account.role), SV_ARG(token->role));
        goto out;
    }
    rc = db_one_int(db,
                    "SELECT count(*) FROM api_token "
                    "WHERE account = ?1 AND revoked_at IS NULL AND expires_at > ?2",
                    DB_VALS(db_int(token->account), db_int(now)), &in_force, err);
    if (rc == OK && in_force >= TOKENS_PER_ACCOUNT) {
        rc = err_rule(err, ERR_LIMIT, "tokens-full",
                      "The account already has %d tokens. Revoke one that is no longer needed.",
                      TOKENS_PER_ACCOUNT);
    }
out:
    arena_release(&arena);
    return rc;
}

enum err_code tokens_create(struct db *db, int64_t now, int64_t by, const struct token_new *token,
                            int64_t *id, struct err *err)
{
    enum err_code rc = check_form(now, token, err);
    rc = rc == OK ? check_account(db, now, token, err) : rc;
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO api_token (hash, account, name, role, created_at, expires_at) "
                    "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    DB_VALS(db_blob(token->hash, SECRET_HASH), db_int(token->account),
                            db_text(token->name), db_text(token->role), db_int(now),
                            db_int(token->expires_at)),
                    err);
    }
    if (rc != OK) {
        return rc;
    }
    *id = db_last_id(db);
    return events_add(db, now, by, "token.create", *id, NULL, NULL, err);
}

enum err_code tokens_revoke(struct db *db, int64_t now, int64_t by, int64_t owner, int64_t id,
                            struct err *err)
{
    int64_t known;
    enum err_code rc =
        db_one_int(db, "SELECT 1 FROM api_token WHERE id = ?1 AND (?2 = 0 OR account = ?2)",
                   DB_VALS(db_int(id), db_int(owner)), &known, err);
    if (rc == ERR_NOT_FOUND) {
        return err_set(err, ERR_NOT_FOUND, "There is no such token.");
    }
    if (rc == OK) {
        rc = db_run(db, "UPDATE api_token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL",
                    DB_VALS(db_int(id), db_int(now)), err);
    }
    if (rc != OK || db_changes(db) == 0) {
        return rc;
    }
    return events_add(db, now, by, "token.revoke", id, NULL, NULL, err);
}

enum err_code tokens_revoke_all(struct db *db, int64_t now, int64_t by, int64_t account,
                                int64_t *n, struct err *err)
{
    enum err_code rc = OK;
    *n = 0;
    for (;;) {
        int64_t id;
        rc = db_one_int(db,
                        "SELECT id FROM api_token WHERE account = ?1 AND revoked_at IS NULL"
                        " AND expires_at > ?2 ORDER BY id LIMIT 1",
                        DB_VALS(db_int(account), db_int(now)), &id, err);
        rc = rc == OK ? tokens_revoke(db, now, by, account, id, err) : rc;
        if (rc != OK) {
            return rc == ERR_NOT_FOUND ? OK : rc;
        }
        ++*n;
    }
}
