/* names.h - keeping the ids that panels give people out of free text. Only `identity` and
 * `arrival` hold such ids, so that forgetting somebody can erase them; a note that repeats one
 * would outlive that. Every note and reason is checked here before it is written. */
#ifndef STORE_PEOPLE_NAMES_H
#define STORE_PEOPLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

/* ERR_INPUT (rule "text-names-person") when the text holds the person's id or something else that the panel's
 * link said of them alone, anywhere; one of less than 8 characters only as a word of its own. */
enum err_code names_refuse(struct db *db, int64_t person, struct sv text, struct err *err);

/* Forgetting somebody, step by step (erasure.h). Keeps the person's ids, which are erased from
 * `identity` and `arrival` next, so that they can be looked for. */
enum err_code names_keep(struct db *db, int64_t person, struct err *err);
/* All ids that are kept; names_free also after a failure. */
struct names;
enum err_code names_to_erase(struct db *db, struct names **out, struct err *err);
void names_free(struct names *names); /* NULL is allowed */
/* Replaces the ids by "[erased]" in some rows of one of the tables that hold notes, reasons and flags:
 * those after *after, which it moves on. A text about one person may name another, so all are
 * looked at. */
enum { NAMES_TABLES = 7 };
enum err_code names_erase_some(struct db *db, struct names *names, size_t table, int64_t *after,
                               bool *more, struct err *err);

#endif
