/* tokens.h - API tokens of accounts: keyed hashes of their text, never the text. Writes need a
 * transaction of the caller. */
#ifndef STORE_PEOPLE_TOKENS_H
#define STORE_PEOPLE_TOKENS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

enum { TOKENS_PER_ACCOUNT = 100, TOKEN_NAME = 80 }; /* tokens in force; bytes */

struct api_token {
    int64_t id, account, person;
    struct sv login, name;
    struct sv role; /* tokens_find: never above the account's present role */
    int64_t created_at, expires_at;
    int64_t revoked_at; /* 0: not revoked */
};

/* The token in force at `now`, of an enabled account. ERR_NOT_FOUND without setting err. */
enum err_code tokens_find(struct db *db, const unsigned char *hash, int64_t now,
                          struct arena *arena, struct api_token *out, struct err *err);
/* Newest first, revoked and expired ones too; `account` 0 lists everybody's; `before` is the id
 * where the last list ended, 0 for the first. */
enum err_code tokens_list(struct db *db, int64_t account, int64_t before, size_t most,
                          struct arena *arena, struct api_token **out, size_t *n,
                          struct err *err);

struct token_new {
    const unsigned char *hash;
    int64_t account;
    struct sv name; /* 1 to TOKEN_NAME bytes */
    struct sv role; /* at most the account's */
    int64_t expires_at;
};
/* ERR_INPUT (rules "token-name", "role", "token-expiry"), ERR_DENIED (rules "token-role",
 * "disabled"), ERR_LIMIT (rule "tokens-full"). */
enum err_code tokens_create(struct db *db, int64_t now, int64_t by, const struct token_new *token,
                            int64_t *id, struct err *err);
/* `owner` 0 revokes anybody's; else ERR_NOT_FOUND for somebody else's. Twice is the same as
 * once. */
enum err_code tokens_revoke(struct db *db, int64_t now, int64_t by, int64_t owner, int64_t id,
                            struct err *err);
/* All of an account's that are in force; how many in *n. */
enum err_code tokens_revoke_all(struct db *db, int64_t now, int64_t by, int64_t account,
                                int64_t *n, struct err *err);

#endif
