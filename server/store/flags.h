/* flags.h - SQL for flags that people put on images and what leads decide about them.
 * An image is hidden (in quarantine) when the newest decision says so, or when at least `k` different
 * people flagged it since the newest decision "clear" and none decided otherwise. Called by web/,
 * cli/ (planner). */
#ifndef STORE_FLAGS_H
#define STORE_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/* `kind`: "disturbing", "private", "illegal", "broken", "other". The same person and kind again is
 * the same flag. With an event "flag". */
enum err_code flags_add(struct db *db, int64_t image, int64_t person, int64_t assignment,
                        struct sv kind, struct sv note, int64_t now, bool *added, struct err *err);
/* `decision`: "quarantine", "clear", "takedown". With an event "image.<decision>". */
enum err_code flags_decide(struct db *db, int64_t image, const char *decision, struct sv reason,
                           int64_t account, int64_t now, struct err *err);
/* Every hidden image: in quarantine by decision or by k flags, or taken down. */
enum err_code flags_hidden(struct db *db, int64_t k,
                           enum err_code (*each)(void *arg, int64_t image, struct err *err),
                           void *arg, struct err *err);

struct flagged {
    int64_t image, people, newest_at;
    struct sv name, wnid, kinds; /* kinds joined by "|" */
    struct sv state;             /* "open", "quarantine", "clear", "takedown" */
};
/* Images with flags or decisions after a cursor, those with the newest flag first. */
enum err_code flags_list(struct db *db, int64_t k, int64_t before, size_t most, struct arena *a,
                         struct flagged **out, size_t *n, struct err *err);

#endif
