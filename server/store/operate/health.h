/* health.h - SQL that asks the database about itself, for `holdout check` and for backups. */
#ifndef STORE_OPERATE_HEALTH_H
#define STORE_OPERATE_HEALTH_H

#include "db/db.h"

/* SQLite's own integrity and foreign key checks, and rules of the schema that no constraint
 * expresses: one call per problem, none when all is well. */
enum err_code health_database(struct db *db,
                              enum err_code (*each)(void *arg, struct sv text, struct err *err),
                              void *arg, struct err *err);

/* What a failing disk does to a database, and no rule of ours: pages, rows, constraints and
 * indexes (SQLite's integrity_check), and foreign keys. Called back as above. */
enum err_code health_damage(struct db *db,
                            enum err_code (*each)(void *arg, struct sv text, struct err *err),
                            void *arg, struct err *err);

/* What a copy of the database is: its newest event, how many migrations it has. */
enum err_code health_moment(struct db *db, int64_t *event, int64_t *schema, struct err *err);

#endif
