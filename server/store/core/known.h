/* known.h - refusing a name that nothing of the project has: the refusal names the first of those that there are. */
#ifndef STORE_CORE_KNOWN_H
#define STORE_CORE_KNOWN_H

#include "db/db.h"

struct known {
    const char *rule; /* of the refusal */
    const char *what; /* "label review": what has no such name */
    const char *make; /* "Make one with `holdout label-review create`": where the project has none */
    const char *sql;  /* their names, sorted */
};
/* ERR_NOT_FOUND with the rule, or why the names could not be read. `values`, `n`: of the SQL. */
enum err_code known_refuse(struct db *db, const struct known *k, struct sv name, const struct db_val *values, size_t n, struct err *err);

#endif
