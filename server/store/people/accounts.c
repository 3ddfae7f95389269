/* accounts.c - SQL for the account table and the rule about the last administrator. Knows nothing
 * of passwords in clear, cookies or permissions. */
#include "store/people/accounts.h"

#include <stdio.h>
#include <string.h>

#include "base/outside.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/people/people.h"
#include "store/people/sessions.h"

#define COLUMNS                                                                                    \
    "SELECT a.id, a.person, i.external_id, a.role, a.password_hash, a.disabled, a.created_at "     \
    "FROM account a LEFT JOIN identity i ON i.person = a.person AND i.source = 'local' "

int account_role_rank(struct sv role)
{
    static const char *const names[] = {"worker", "expert", "lead", "admin"};
    for (int i = 0; i < 4; i++) {
        if (sv_is(role, names[i])) {
            return i + 1;
        }
    }
    return 0;
}

bool account_is_expert(const struct account *who)
{
    return !who->disabled && account_role_rank(who->role) >= account_role_rank(SV("expert"));
}

bool account_login_ok(struct sv login)
{
    if (login.n < 2 || login.n > 64) {
        return false;
    }
    for (size_t i = 0; i < login.n; i++) {
        char c = login.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!letter && c != '.' && c != '_' && c != '@' && c != '+' && c != '-') {
            return false;
        }
    }
    return true;
}

DB_ROW(account_row, struct account, id, person, login, role, password_hash, disabled, created_at);

enum err_code accounts_find_login(struct db *db, struct sv login, struct arena *arena,
                                  struct account *out, struct err *err)
{
    return db_find(db, account_row, out, arena, COLUMNS "WHERE i.external_id = ?1",
                   DB_VALS(db_text(login)), err);
}

static enum err_code no_account(struct err *err)
{
    return err_set(err, ERR_NOT_FOUND, "There is no such account.");
}

enum err_code accounts_get(struct db *db, int64_t id, struct arena *arena, struct account *out,
                           struct err *err)
{
    enum err_code rc = db_find(db, account_row, out, arena, COLUMNS "WHERE a.id = ?1",
                               DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? no_account(err) : rc;
}

enum err_code accounts_list(struct db *db, size_t most, struct arena *arena, struct account **out,
                            size_t *n, struct err *err)
{
    return db_list(db, account_row, out, n, arena,
                   COLUMNS "ORDER BY i.external_id IS NULL, i.external_id, a.id LIMIT ?1",
                   DB_VALS(db_int((int64_t)most)), err);
}

/* Enabled administrators. */
static enum err_code count_admins(struct db *db, int64_t *out, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM account WHERE role = 'admin' AND disabled = 0",
                      DB_NONE, out, err);
}

static enum err_code check_role(struct sv role, struct err *err)
{
    return account_role_rank(role)
               ? OK
               : err_rule(err, ERR_INPUT, "role",
                          "There is no role \"" SV_FMT "\"; choose worker, expert, lead or admin.",
                          SV_ARG(role));
}

static enum err_code check_login(struct db *db, struct sv login, struct err *err)
{
    if (!account_login_ok(login) || outside_formula(login)) {
        return err_rule(err, ERR_INPUT, "login-form",
                        "A login name must have 2 to 64 characters of a-z, 0-9 and . _ @ + - and must not "
                        "begin with @ + or -");
    }
    int64_t person;
    enum err_code rc = people_find_external(db, SV("local"), login, &person, err);
    if (rc == OK) {
        return err_rule(err, ERR_CONFLICT, "login-taken",
                        "The login name " SV_FMT " is taken; choose another.", SV_ARG(login));
    }
    return rc == ERR_NOT_FOUND ? OK : rc;
}

static enum err_code event_role(struct db *db, int64_t now, int64_t by, const char *kind,
                                int64_t id, struct sv role, struct err *err)
{
    char detail[64];
    snprintf(detail, sizeof detail, "{\"role\":\"" SV_FMT "\"}", SV_ARG(role));
    return events_add(db, now, by, kind, id, detail, NULL, err);
}

enum err_code accounts_create(struct db *db, int64_t now, int64_t by, struct sv login,
                              struct sv role, const char *password_hash, int64_t *id,
                              struct err *err)
{
    int64_t person = 0;
    enum err_code rc = check_role(role, err);
    rc = rc == OK ? check_login(db, login, err) : rc;
    rc = rc == OK ? people_create(db, now, by, "staff", &person, err) : rc;
    if (rc == OK) {
        rc = people_identify(db, now, by, person, SV("local"), login, (struct sv){0}, err);
    }
    if (rc == OK) {
        rc = db_run(db,
                    "INSERT INTO account (person, role, password_hash, created_at) "
                    "VALUES (?1, ?2, ?3, ?4)",
                    DB_VALS(db_int(person), db_text(role), db_str(password_hash), db_int(now)),
                    err);
    }
    if (rc != OK) {
        return rc;
    }
    *id = db_last_id(db);
    return event_role(db, now, by, "account.create", *id, role, err);
}

/* What a change needs to know of the account before it. */
struct before {
    int rank;
    bool disabled, forgotten;
};

static void read_rank(const struct db_rows *r, struct arena *a, void *out)
{
    (void)a;
    ((struct before *)out)->rank = account_role_rank(db_col_text(r, 2));
}
DB_ROW_THEN(before_row, struct before, read_rank, disabled, forgotten);

static enum err_code look(struct db *db, int64_t id, struct before *out, struct err *err)
{
    enum err_code rc = db_find(
        db, before_row, out, NULL,
        "SELECT disabled, NOT EXISTS (SELECT 1 FROM identity i WHERE i.person = a.person), role "
        "FROM account a WHERE id = ?1",
        DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? no_account(err) : rc;
}

/* Somebody must be able to let the others in. */
static enum err_code refuse_last_admin(struct db *db, const struct before *was, struct err *err)
{
    if (was->disabled || was->rank < account_role_rank(SV("admin"))) {
        return OK;
    }
    int64_t admins;
    enum err_code rc = count_admins(db, &admins, err);
    if (rc == OK && admins < 2) {
        rc = err_rule(err, ERR_DENIED, "last-admin",
                      "This is the last administrator. Make somebody else an administrator first.");
    }
    return rc;
}

enum err_code accounts_set_role(struct db *db, int64_t now, int64_t by, int64_t id,
                                struct sv role, const unsigned char *keep, struct err *err)
{
    struct before was = {0};
    enum err_code rc = check_role(role, err);
    rc = rc == OK ? look(db, id, &was, err) : rc;
    if (rc != OK || was.rank == account_role_rank(role)) {
        return rc;
    }
    rc = refuse_last_admin(db, &was, err);
    if (rc == OK) {
        rc = db_run(db, "UPDATE account SET role = ?2 WHERE id = ?1",
                    DB_VALS(db_int(id), db_text(role)), err);
    }
    rc = rc == OK ? event_role(db, now, by, "account.role", id, role, err) : rc;
    return rc == OK ? sessions_end_others(db, now, by, id, keep, err) : rc;
}

enum err_code accounts_set_password(struct db *db, int64_t now, int64_t by, int64_t id,
                                    const char *password_hash, const unsigned char *keep,
                                    struct err *err)
{
    enum err_code rc = db_run(db, "UPDATE account SET password_hash = ?2 WHERE id = ?1",
                              DB_VALS(db_int(id), db_str(password_hash)), err);
    if (rc == OK && db_changes(db) == 0) {
        rc = no_account(err);
    }
    rc = rc == OK ? events_add(db, now, by, "account.password", id, NULL, NULL, err) : rc;
    return rc == OK ? sessions_end_others(db, now, by, id, keep, err) : rc;
}

enum err_code accounts_set_disabled(struct db *db, int64_t now, int64_t by, int64_t id,
                                    bool disabled, struct err *err)
{
    struct before was = {0};
    enum err_code rc = look(db, id, &was, err);
    if (rc != OK || was.disabled == disabled) {
        return rc;
    }
    if (disabled) {
        rc = refuse_last_admin(db, &was, err);
    } else if (was.forgotten) {
        rc = err_rule(err, ERR_CONFLICT, "forgotten",
                      "The person of this account was forgotten; it stays disabled.");
    }
    if (rc == OK) {
        rc = db_run(db, "UPDATE account SET disabled = ?2 WHERE id = ?1",
                    DB_VALS(db_int(id), db_int(disabled)), err);
    }
    if (rc == OK) {
        rc = events_add(db, now, by, disabled ? "account.disable" : "account.enable", id, NULL,
                        NULL, err);
    }
    return rc == OK && disabled ? sessions_end_others(db, now, by, id, NULL, err) : rc;
}

enum err_code accounts_note_refusal(struct db *db, int64_t now, int64_t account,
                                    const char *address, struct err *err)
{
    char detail[96];
    bool plain = strspn(address, "0123456789abcdefABCDEF.:") == strlen(address);
    snprintf(detail, sizeof detail, "{\"from\":\"%s\"}", address);
    return events_add(db, now, 0, account ? "account.refuse" : "account.unknown", account,
                      plain ? detail : NULL, NULL, err);
}
