/* events.h - the log of everything that happened: one row per change, in the order of commits.
 * Every store function that changes something calls events_add in the same transaction. */
#ifndef STORE_CORE_EVENTS_H
#define STORE_CORE_EVENTS_H

#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

/* Of an event e: neither one of the many nor what a row beside it says. A statement only walks the indexes
 * event_told, event_account and event_subject (0003) when it says this word by word, whatever kind it
 * asks for beside that; without them it reads every vote. */
#define EVENTS_TOLD                                                                                \
    "e.kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify')"

/* Adds an event and gives its number. `account` is who did it, 0 for a worker, the command line or
 * the server; `kind` a word such as "account.create"; `subject` the id in the table that the kind
 * names, 0 for none; `detail_json` what the subject's row does not say, NULL for nothing. `id` may
 * be NULL. */
enum err_code events_add(struct db *db, int64_t at, int64_t account, const char *kind,
                         int64_t subject, const char *detail_json, int64_t *id, struct err *err);

/* The number of the newest event, and when one happened; ERR_NOT_FOUND (without setting err) when there is none. */
enum err_code events_last(struct db *db, int64_t *out, struct err *err);
enum err_code events_time(struct db *db, int64_t id, int64_t *out, struct err *err);

#endif
