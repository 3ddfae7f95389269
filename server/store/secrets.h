/* secrets.h - the project's keys: "session_key" (sessions, tokens, invites) and "person_key"
 * (worker ids in logs). Made by init, read by the server at start and by the token command; they
 * never leave the project. */
#ifndef STORE_SECRETS_H
#define STORE_SECRETS_H

#include "base/err.h"
#include "db/db.h"

enum { SECRET_KEY = 32 };

/* ERR_NOT_FOUND says that the project is incomplete. */
enum err_code secrets_get(struct db *db, const char *name, unsigned char out[SECRET_KEY],
                          struct err *err);
/* Stores a key that the caller drew; one that is there stays as it is. */
enum err_code secrets_put(struct db *db, const char *name, const unsigned char value[SECRET_KEY],
                          struct err *err);

#endif
