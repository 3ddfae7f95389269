/* bulk.c - many rows in short transactions with pauses, beside a serving process. Must not know what is written. */
#include "db/bulk.h"

#include <time.h>

#include "base/clock.h"

enum {
    BEGIN_TRIES = 4,   /* each as long as the busy timeout */
    ALONE_SHARE = 16   /* of the time that the lock was held: for another command beside this one */
};

/* Another command may be writing for a long time, slice after slice. */
static enum err_code begin(struct db *db, struct err *err)
{
    for (int tries = 1;; tries++) {
        enum err_code rc = db_tx_begin(db, err);
        if (rc != ERR_BUSY || tries == BEGIN_TRIES) {
            return rc;
        }
        err_clear(err);
    }
}

/* One transaction. *held_ns is how long the write lock was ours. */
static enum err_code slice(struct db *db,
                           enum err_code (*step)(struct db *, void *, bool *, struct err *),
                           void *arg, bool *more, int64_t *held_ns, struct err *err)
{
    enum err_code rc = begin(db, err);
    if (rc != OK) {
        return rc;
    }
    int64_t start = clock_mono_ns();
    int64_t until = start + (int64_t)BULK_SLICE_MS * 1000000;
    do {
        rc = step(db, arg, more, err);
    } while (rc == OK && *more && clock_mono_ns() < until);
    db_assert_idle(db);
    rc = db_tx_end(db, rc, err);
    *held_ns = clock_mono_ns() - start;
    return rc;
}

/* Beside a server as long as the lock was held, so that its writer gets half of the time. */
static void give_way(int64_t ns)
{
    struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

enum err_code bulk_write(struct db *db, bool alone,
                         enum err_code (*step)(struct db *db, void *arg, bool *more,
                                               struct err *err),
                         void *arg, struct err *err)
{
    bool more = true;
    while (more) {
        int64_t held = 0;
        enum err_code rc = slice(db, step, arg, &more, &held, err);
        if (rc != OK) {
            return rc;
        }
        if (more) {
            give_way(alone ? held / ALONE_SHARE : held);
        }
    }
    return OK;
}
