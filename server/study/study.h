/* study.h - what every service of this folder is given: the database, what is known in memory, the project's
 * secret, and where results and errors go. Made for one request or command. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "db/db.h"
#include "live/core/tally.h"
#include "live/work/board.h"
#include "live/work/desk.h"
#include "study/quarantine.h"

struct study {
    struct db *db;            /* a reader; in write steps the writer's */
    struct desk *desk;        /* the writer thread's: for write steps only */
    struct tally *tally;
    struct board *board;      /* what the desk said at the last commit */
    struct quarantine *quarantine; /* which images were hidden then */
    struct arena *arena;      /* what services return lives in it */
    struct err *err;          /* set by what fails */
    const unsigned char *key; /* the project's person_key, CRYPTO_HASH bytes */
    int64_t ahead_seconds, flags_per_person, flags_to_quarantine, flags_surge; /* settings of the same names */
    const char *public_url;   /* "" when it is not set */
    uint64_t number;          /* of what asks, for lines of the log */
    /* The secret that this browser keeps for a place, as addresses have it; empty when it keeps none. NULL: nobody
     * looks, for services that need no place. */
    struct sv (*kept)(void *arg, int64_t place);
    void *kept_arg;
};

#endif
