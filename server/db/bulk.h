/* bulk.h - writing many rows while a server runs, without stopping it.
 * CLI verbs and jobs use it for everything they write: transactions of at most 20 ms, then a
 * pause as long, so that submissions keep their p99. */
#ifndef DB_BULK_H
#define DB_BULK_H

#include "base/err.h"
#include "db/db.h"

enum { BULK_SLICE_MS = 20 };

/* Calls step(arg) again and again inside transactions until it says *more = false. Each call must
 * be small (well under a millisecond) and idempotent together with what was committed before: a
 * killed run is completed by the next. On failure the open slice is rolled back and earlier
 * slices stay. `alone` says that no server runs: short pauses, so that another command gets its turn. */
enum err_code bulk_write(struct db *db, bool alone,
                         enum err_code (*step)(struct db *db, void *arg, bool *more,
                                               struct err *err),
                         void *arg, struct err *err);

#endif
