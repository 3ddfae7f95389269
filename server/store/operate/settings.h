/* settings.h - facts about the project and its secret keys. Called at creation and start. */
#ifndef STORE_OPERATE_SETTINGS_H
#define STORE_OPERATE_SETTINGS_H

#include "db/db.h"

/* Writes something that is gone again at once: whether anything can be stored. */
enum err_code settings_try(struct db *db, struct err *err);
enum err_code settings_put(struct db *db, const char *key, struct sv value, struct err *err);
/* Copies the text, cut between two characters where it is longer; "" when it is not set. */
enum err_code settings_text(struct db *db, const char *key, char *out, size_t n, struct err *err);
/* Stores a secret unless there is one. */
enum err_code settings_put_secret(struct db *db, const char *key, const void *p, size_t n,
                                  struct err *err);
/* Exactly n bytes, else ERR_IO: the database is not a project. */
enum err_code settings_secret(struct db *db, const char *key, void *out, size_t n,
                              struct err *err);

/* An address that sent X-Forwarded-For without being a trusted proxy. */
enum err_code settings_put_proxy(struct db *db, const char *address, int64_t now, struct err *err);
/* The one that was put last, in `out` of `n` bytes; "" when that was more than a day before `now`. */
enum err_code settings_proxy(struct db *db, int64_t now, char *out, size_t n, struct err *err);

#endif
