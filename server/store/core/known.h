/* known.h - names that people give to things of a project: what such a name may be, and refusing one that nothing has. The refusal
 * names the first of those that there are. */
#ifndef STORE_CORE_KNOWN_H
#define STORE_CORE_KNOWN_H

#include "db/db.h"

/* Letters, digits, "-", "_" and ".", which it does not begin with; at most `most` bytes. ERR_INPUT with the rule otherwise; `what`:
 * "a subset", whose name it is. */
enum err_code known_name_check(struct sv name, size_t most, const char *rule, const char *what, struct err *err);

struct known {
    const char *rule; /* of the refusal */
    const char *what; /* "label review": what has no such name */
    const char *make; /* "Make one with `holdout label-review create`": where the project has none */
    const char *sql;  /* their names, sorted */
};
/* ERR_NOT_FOUND with the rule, or why the names could not be read. `values`, `n`: of the SQL. */
enum err_code known_refuse(struct db *db, const struct known *k, struct sv name, const struct db_val *values, size_t n, struct err *err);

#endif
