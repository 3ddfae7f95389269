/* flag_dismissals.h - SQL for setting flags aside: all of a person, all of a surge. A dismissed
 * flag neither counts towards quarantine nor waits for a decision, until it is restored. What a
 * lead decided about an image is a decision (flags.h) and is left alone. */
#ifndef STORE_WORK_FLAG_DISMISSALS_H
#define STORE_WORK_FLAG_DISMISSALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/votes/flag_surges.h"

/* The newest flags that wait: neither dismissed nor followed by a decision; at most `most`, in the
 * order of their events. `hidden` is left false. */
enum err_code flags_open(struct db *db, size_t most, struct arena *a, struct flag_point **out,
                         size_t *n, struct err *err);

/* Which flags, and how far that went: all of one person, or those of events first to last. */
struct flag_dismissing {
    int64_t person; /* 0: whoever */
    int64_t first, last;
    int64_t action; /* 0 before the first row: the number by which it is restored */
    int64_t after;  /* flags up to this one are done; 0 to begin with */
    int64_t flags;  /* dismissed or restored so far */
    bool more;      /* call again */
};
enum { FLAGS_A_SLICE = 100 };
/* Writes at most FLAGS_A_SLICE rows, each with an event "flag.dismiss" on its image, in the
 * caller's transaction: under 5 ms. Whoever was cut off begins again from the start; nothing is
 * written twice. */
enum err_code flags_dismiss(struct db *db, struct flag_dismissing *d, int64_t account, int64_t now,
                            struct err *err);
/* The same for putting back what `d->action` dismissed, with events "flag.restore". */
enum err_code flags_restore(struct db *db, struct flag_dismissing *d, int64_t account, int64_t now,
                            struct err *err);

struct flag_action {
    int64_t action, at;
    int64_t flags, images, people;
    struct sv login; /* who did it; empty: erased */
};
/* Dismissals that hold, at least of one flag, newest first. */
enum err_code flags_actions(struct db *db, size_t most, struct arena *a, struct flag_action **out,
                            size_t *n, struct err *err);

#endif
