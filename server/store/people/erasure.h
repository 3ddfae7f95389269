/* erasure.h - what follows a person who was forgotten (people.h): their ids are looked for in what
 * people typed, and the tables that held them are rebuilt, so that no byte is left in pages that
 * SQLite once moved rows between. In slices, because that takes 10 us for each person who is known by
 * an id; one erasure serves everybody who was forgotten before it began. */
#ifndef STORE_PEOPLE_ERASURE_H
#define STORE_PEOPLE_ERASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

/* Asks for one, in the transaction that forgets. */
enum err_code erasure_begin(struct db *db, struct err *err);
/* Whether one is under way, or was cut off by a crash. One seek. */
enum err_code erasure_pending(struct db *db, bool *out, struct err *err);
/* Does a part that takes about `ms`, in the caller's transaction. After the last part the log holds
 * what was erased, until db_erase_finish. */
enum err_code erasure_slice(struct db *db, int64_t ms, bool *more, struct err *err);

#endif
