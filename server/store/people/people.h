/* people.h - everybody who ever did something: a number and a random pseudonym. Who that is
 * is kept in `identity`, the one table that may be erased; events never hold a name. Writes need a
 * transaction of the caller. */
#ifndef STORE_PEOPLE_PEOPLE_H
#define STORE_PEOPLE_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"

/* A new person; `kind` is "worker", "staff", "imported" or "simulated". `by` is the account that
 * did it, 0 for none. */
enum err_code people_create(struct db *db, int64_t now, int64_t by, const char *kind,
                            int64_t *person, struct err *err);

/* Who has this id in that source ("local" for login names, else a panel). ERR_NOT_FOUND without
 * setting err. */
enum err_code people_find_external(struct db *db, struct sv source, struct sv external_id,
                                   int64_t *person, struct err *err);

/* Says who a person is; `name` may be empty. ERR_CONFLICT (rule "identity-taken") when the person
 * has an identity or somebody else has this one, ERR_INPUT (rule "id-formula") for an id that a
 * spreadsheet would run. */
enum err_code people_identify(struct db *db, int64_t now, int64_t by, int64_t person,
                              struct sv source, struct sv external_id, struct sv name,
                              struct err *err);

/* Whose place it is. ERR_NOT_FOUND (rule "no-place"). */
enum err_code people_of_place(struct db *db, int64_t place, int64_t *person, struct err *err);

struct person {
    int64_t id, created_at;
    struct sv pseudonym, kind;
    struct sv source, external_id, name; /* empty when forgotten or never told */
};
enum err_code people_get(struct db *db, int64_t person, struct arena *arena, struct person *out,
                         struct err *err);
/* Whether people_forget would erase anything: an identity, or what a panel's link said. */
enum err_code people_known(struct db *db, int64_t person, bool *known, struct err *err);

/* The person of that pseudonym. ERR_NOT_FOUND (rule "no-person"). */
enum err_code people_find_pseudonym(struct db *db, struct sv pseudonym, int64_t *person,
                                    struct err *err);

/* Erases who the person is: identity, what panels' links said, their ids in notes and reasons; what
 * they answered stays under the pseudonym. An account of theirs is disabled for good. Twice is the
 * same as once. Nobody finds them any more after the commit; the bytes are gone when the erasure that
 * it asks for is over and the log was emptied: the server sees to that within seconds, others run
 * erasure_slice to its end and call db_erase_finish.
 * ERR_NOT_FOUND (rule "no-person"), ERR_DENIED (rule "last-admin") for the last enabled
 * administrator. */
enum err_code people_forget(struct db *db, int64_t now, int64_t by, int64_t person,
                            struct err *err);

#endif
