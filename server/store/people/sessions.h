/* sessions.h - who is signed in: keyed hashes of cookie tokens, never the tokens. Writes need a
 * transaction of the caller. */
#ifndef STORE_PEOPLE_SESSIONS_H
#define STORE_PEOPLE_SESSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

enum {
    SESSIONS_PER_ACCOUNT = 50,     /* the oldest end when there are more */
    SESSION_SLIDE_MS = 3600 * 1000, /* an expiry moves at most this often */
    SESSION_AHEAD_MS = 24 * 3600 * 1000 /* how far a clock may be put back without anybody having to sign in again */
};

struct session {
    int64_t account, person;
    struct sv login, role;
    int64_t created_at, expires_at;
};

/* The session of an enabled account that is not over at `now` and was begun after `since`. One that was begun later
 * than SESSION_AHEAD_MS from now was begun while the clock ran ahead, and would outlive its time by that much: it is
 * over. ERR_NOT_FOUND without setting err. */
enum err_code sessions_find(struct db *db, const unsigned char *hash, int64_t now, int64_t since,
                            struct arena *arena, struct session *out, struct err *err);

/* How many sessions of the account are not over. */
enum err_code sessions_count(struct db *db, int64_t account, int64_t now, int64_t *out,
                             struct err *err);
enum err_code sessions_create(struct db *db, int64_t now, const unsigned char *hash,
                              int64_t account, int64_t expires_at, struct err *err);

/* True when a session with this expiry should be touched: a write per hour, not per request. */
bool sessions_due(int64_t expires_at, int64_t now, int64_t life_ms);
/* Moves the expiry; a session that ended meanwhile stays ended. No event: nothing was decided. */
enum err_code sessions_touch(struct db *db, const unsigned char *hash, int64_t expires_at,
                             struct err *err);

/* Signing out. Ending a session that is over is OK. */
enum err_code sessions_end(struct db *db, int64_t now, const unsigned char *hash,
                           struct err *err);
/* All sessions of an account but `keep` (NULL: all). */
enum err_code sessions_end_others(struct db *db, int64_t now, int64_t by, int64_t account,
                                  const unsigned char *keep, struct err *err);
/* Removes at most `most` rows that are over, for the writer's tick. */
enum err_code sessions_purge_expired(struct db *db, int64_t now, int64_t most, struct err *err);

#endif
