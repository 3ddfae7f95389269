/* accounts.h - people who sign in: login, role, password hash. Hashes come from crypto/; nothing here sees a password
 * or a token. Writes need a transaction of the caller, which is also what makes the rules hold. */
#ifndef STORE_PEOPLE_ACCOUNTS_H
#define STORE_PEOPLE_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

enum { SECRET_HASH = 32 }; /* bytes of the keyed hash of a session, API token or invite */

/* worker 1 < expert 2 < lead 3 < admin 4; 0 for any other word. */
int account_role_rank(struct sv role);
/* 2 to 64 characters of a-z 0-9 . _ @ + - */
bool account_login_ok(struct sv login);

struct account {
    int64_t id, person;
    struct sv login; /* empty once the person was forgotten */
    struct sv role, password_hash;
    bool disabled;
    int64_t created_at;
};
/* Whether experts' work may be given to it: its role is expert or above, and it is not disabled. */
bool account_is_expert(const struct account *who);

/* By login name. ERR_NOT_FOUND without setting err. Disabled accounts are found too. */
enum err_code accounts_find_login(struct db *db, struct sv login, struct arena *arena,
                                  struct account *out, struct err *err);
/* ERR_NOT_FOUND when there is none. */
enum err_code accounts_get(struct db *db, int64_t id, struct arena *arena, struct account *out,
                           struct err *err);
/* The first `most` by login name. */
enum err_code accounts_list(struct db *db, size_t most, struct arena *arena, struct account **out,
                            size_t *n, struct err *err);

/* A person, an identity and an account. ERR_INPUT (rules "login-form", "role"), ERR_CONFLICT (rule
 * "login-taken"). `by` is the account that did it, 0 for none. */
enum err_code accounts_create(struct db *db, int64_t now, int64_t by, struct sv login,
                              struct sv role, const char *password_hash, int64_t *id,
                              struct err *err);

/* Changes end the account's sessions but the one with hash `keep` (NULL: all). The last enabled
 * administrator can neither be demoted nor disabled: ERR_DENIED, rule "last-admin". Setting what is
 * set already changes nothing. */
enum err_code accounts_set_role(struct db *db, int64_t now, int64_t by, int64_t id,
                                struct sv role, const unsigned char *keep, struct err *err);
enum err_code accounts_set_password(struct db *db, int64_t now, int64_t by, int64_t id,
                                    const char *password_hash, const unsigned char *keep,
                                    struct err *err);
/* Disabling ends all sessions. ERR_CONFLICT (rule "forgotten") for enabling an account whose person
 * was forgotten. */
enum err_code accounts_set_disabled(struct db *db, int64_t now, int64_t by, int64_t id,
                                    bool disabled, struct err *err);

/* Puts on record that somebody at `address` (digits, dots, colons) typed a wrong password for it; 0: a login
 * name that does not exist. What was typed is not kept: it may be a password. */
enum err_code accounts_note_refusal(struct db *db, int64_t now, int64_t account,
                                    const char *address, struct err *err);

#endif
