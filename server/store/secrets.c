/* secrets.c - SQL for the secret table. Called by init, the server's start and the token command. */
#include "store/secrets.h"

#include <string.h>

enum err_code secrets_get(struct db *db, const char *name, unsigned char out[SECRET_KEY],
                          struct err *err)
{
    struct db_rows rows;
    enum err_code rc = db_begin(db, "SELECT value FROM secret WHERE key = ?1",
                                DB_VALS(db_str(name)), &rows, err);
    if (rc != OK) {
        return rc;
    }
    bool found = false;
    if (db_step(&rows, err)) {
        struct sv value = db_col_blob(&rows, 0);
        found = value.n == SECRET_KEY;
        if (found) {
            memcpy(out, value.p, SECRET_KEY);
        }
    }
    rc = db_end(&rows);
    if (rc == OK && !found) {
        rc = err_set(err, ERR_NOT_FOUND,
                     "The project has no %s; was it made by \"holdout init\"?", name);
    }
    return rc;
}

enum err_code secrets_put(struct db *db, const char *name, const unsigned char value[SECRET_KEY],
                          struct err *err)
{
    return db_run(db, "INSERT INTO secret (key, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                  DB_VALS(db_str(name), db_blob(value, SECRET_KEY)), err);
}
