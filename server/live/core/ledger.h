/* ledger.h - every answer as a row of an array, in the order of its event, so that a vote view, the
 * scores of people and the pulse of a study are one pass over it: 208,000 answers are 6.7 MB.
 *
 * Part of the tally (live/core/tally.h): filled by the same fold, at the same cursor, under the same lock.
 * Append-only but for `out`. A server keeps it in a file without a name, written by calls and read
 * through a mapping, so that its memory does not grow with every answer; elsewhere, and where the
 * disk refuses, it is in memory. Read by live/. */
#ifndef LIVE_CORE_LEDGER_H
#define LIVE_CORE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "store/votes/votes.h"

struct ledger_answer { /* 32 bytes */
    uint64_t mask;      /* in planned order */
    uint32_t id;        /* its event */
    uint32_t grid;      /* index into tally_grids */
    uint32_t person;    /* database id */
    uint32_t at_s;      /* seconds since 1970 UTC */
    uint32_t active_ms; /* 0: not known */
    bool surplus;       /* paid, never counted */
    bool out;           /* out of the analysis, as of the cursor */
    bool shuffled;      /* its cells were shown in an order of its own */
};
/* A decision about an answer's part in the analysis, in order: what happened after an event is taken
 * back from the end. */
struct ledger_flip {
    uint32_t id, answer; /* event; index into the answers */
    bool out;            /* what it became; it was the opposite */
};
struct ledger {                     /* {0}: empty, in memory */
    struct ledger_answer *answers;  /* a mapping of the file must not be written to */
    size_t n, cap;
    struct ledger_flip *flips;
    size_t n_flips, cap_flips;
    struct ledger_answer *late;     /* not yet in the file, and not among the answers */
    size_t n_late;
    bool on_disk;
    int fd;
};

/* Keeps the answers of an empty ledger in a file of that folder from now on. Where that does not work
 * they stay in memory. */
void ledger_use_disk(struct ledger *l, const char *dir);
/* Back to empty, where it was. */
void ledger_clear(struct ledger *l);
void ledger_release(struct ledger *l);
/* Appends an answer to the grid of that index; *stored is borrowed until the next. It is among the
 * answers after ledger_flush. ERR_LIMIT when a number is beyond what 32 bits hold, ERR_BUG when it is
 * not newer than the newest. */
enum err_code ledger_add(struct ledger *l, const struct vote_answer *w, uint32_t grid,
                         const struct ledger_answer **stored, struct err *err);
void ledger_flush(struct ledger *l);
/* Lets go of the pages of the file that were read: they stay in the kernel's cache as long as it
 * has room. */
void ledger_rest(const struct ledger *l);
/* Applies a decision; *turned is NULL when the answer was in that state already. ERR_BUG when there
 * is no such answer. */
enum err_code ledger_turn(struct ledger *l, const struct vote_state *s,
                          const struct ledger_answer **turned, struct err *err);

/* Index of the answer with that event number; n when there is none. */
size_t ledger_find(const struct ledger *l, int64_t answer);
/* How many answers have an event number up to `as_of`. */
size_t ledger_until(const struct ledger *l, int64_t as_of);

#endif
