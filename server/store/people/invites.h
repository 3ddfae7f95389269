/* invites.h - links that make one account each. The link's token is a capability; the database keeps its keyed hash.
 * Writes need a transaction of the caller, which is what makes a link work once. */
#ifndef STORE_PEOPLE_INVITES_H
#define STORE_PEOPLE_INVITES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

enum { INVITE_NOTE = 200 }; /* bytes */

struct invite {
    int64_t id;
    struct sv role, note;
    int64_t created_by, created_at, expires_at;
    int64_t used_at; /* 0: open; used without an account: revoked */
    int64_t account; /* the account it became, 0 for none */
};

/* The invite that can be used at `now`. ERR_NOT_FOUND (rule "invite-over") alike for unknown, used,
 * revoked and expired ones, and when the one who made it may no longer give that role. */
enum err_code invites_find(struct db *db, const unsigned char *hash, int64_t now,
                           struct arena *arena, struct invite *out, struct err *err);
/* Newest first. */
enum err_code invites_list(struct db *db, size_t most, struct arena *arena, struct invite **out,
                           size_t *n, struct err *err);

/* ERR_INPUT (rules "role", "invite-note", "invite-expiry"). */
enum err_code invites_create(struct db *db, int64_t now, int64_t by, const unsigned char *hash,
                             struct sv role, struct sv note, int64_t expires_at, int64_t *id,
                             struct err *err);
/* Makes the account; errors of invites_find and accounts_create, after which the link still
 * works. */
enum err_code invites_use(struct db *db, int64_t now, const unsigned char *hash, struct sv login,
                          const char *password_hash, int64_t *account, struct err *err);
/* ERR_NOT_FOUND for an unknown one, ERR_CONFLICT (rule "invite-used") for one that became an
 * account. Twice is the same as once. */
enum err_code invites_revoke(struct db *db, int64_t now, int64_t by, int64_t id, struct err *err);

#endif
