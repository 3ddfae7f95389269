/* health.h - SQL that asks the database about itself, for `holdout check`. */
#ifndef STORE_HEALTH_H
#define STORE_HEALTH_H

#include "db/db.h"

/* SQLite's own integrity and foreign key checks, and rules of the schema that no constraint
 * expresses: one call per problem, none when all is well. */
enum err_code health_database(struct db *db,
                              enum err_code (*each)(void *arg, struct sv text, struct err *err),
                              void *arg, struct err *err);

#endif
