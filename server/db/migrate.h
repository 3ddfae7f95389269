/* migrate.h - the schema's history: migrations/NNNN_what.sql, built into the program.
 * Numbered without gaps, forward only, each in one transaction with its name and checksum
 * recorded in `migration` and PRAGMA user_version = its number. */
#ifndef DB_MIGRATE_H
#define DB_MIGRATE_H

#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

/* How the database stands to this program. */
struct migrate_state {
    int have, want; /* user_version, number of the newest built-in migration */
};

/* ERR_CONFLICT (rule "database-newer") when the database is newer than the program or an applied
 * migration was edited since (rule "migration-changed"); OK otherwise, also when some wait. */
enum err_code migrate_check(struct db *db, struct migrate_state *out, struct err *err);
/* Applies what waits. The caller holds the exclusive project lock. */
enum err_code migrate_apply(struct db *db, struct migrate_state *out, struct err *err);

/* Number of the newest built-in migration. */
int migrate_newest(void);

/* The same with a given list instead of the built-in one: for tests. Numbers are 1, 2, ... n.
 * Foreign keys are off while a migration runs (a table may be rebuilt) and checked before its
 * commit. */
struct migration {
    int number;
    struct sv name, sql; /* "0001_foundation" */
};
enum err_code migrate_check_list(struct db *db, const struct migration *list, size_t n,
                                 struct migrate_state *out, struct err *err);
enum err_code migrate_apply_list(struct db *db, const struct migration *list, size_t n,
                                 struct migrate_state *out, struct err *err);

#endif
