/* quarantine.h - which images are hidden, in memory: asked for every image that is served. Derived
 * from store/work/flags; the writer thread refreshes it after commits, all threads ask. Knows nothing of
 * requests. */
#ifndef STUDY_QUARANTINE_H
#define STUDY_QUARANTINE_H

#include <stdbool.h>
#include <stdint.h>

#include "db/db.h"

struct quarantine;
/* `flags_to_quarantine` people's flags hide an image (option work.flags_to_quarantine). */
struct quarantine *quarantine_new(int64_t flags_to_quarantine);
void quarantine_free(struct quarantine *q); /* NULL is allowed */
/* Folds flags and decisions committed since the last call: four seeks when there are none, so that
 * votes pay nothing. One thread at a time. */
enum err_code quarantine_refresh(struct quarantine *q, struct db *db, struct err *err);
/* From any thread. */
bool quarantine_has(struct quarantine *q, int64_t image);
/* Images that were flagged and that nobody has decided about yet. From any thread. */
int64_t quarantine_waiting(struct quarantine *q);

#endif
