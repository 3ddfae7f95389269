/* quarantine.h - which images are hidden, in memory: asked for every image that is served. Derived
 * from store/flags; the writer thread refreshes it after commits, all threads ask. Knows nothing of
 * requests. */
#ifndef WEB_QUARANTINE_H
#define WEB_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct quarantine;
/* `k` people's flags hide an image (option work.flags_to_quarantine). */
struct quarantine *quarantine_new(int64_t k);
void quarantine_free(struct quarantine *q); /* NULL is allowed */
/* Folds flags and decisions committed since the last call: two seeks when there are none, so that
 * votes pay nothing. One thread at a time. */
enum err_code quarantine_refresh(struct quarantine *q, struct db *db, struct err *err);
/* From any thread. */
bool quarantine_has(struct quarantine *q, int64_t image);

#endif
