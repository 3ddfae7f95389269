/* settings.h - facts about the project and its secret keys. Called at creation and start. */
#ifndef STORE_SETTINGS_H
#define STORE_SETTINGS_H

#include "db/db.h"

enum err_code settings_put(struct db *db, const char *key, struct sv value, struct err *err);
/* Copies the text, cut between two characters where it is longer; "" when it is not set. */
enum err_code settings_text(struct db *db, const char *key, char *out, size_t n, struct err *err);
/* Stores a secret unless there is one. */
enum err_code settings_put_secret(struct db *db, const char *key, const void *p, size_t n,
                                  struct err *err);
/* Exactly n bytes, else ERR_IO: the database is not a project. */
enum err_code settings_secret(struct db *db, const char *key, void *out, size_t n,
                              struct err *err);

#endif
