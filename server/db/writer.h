/* writer.h - the one thread of the server that writes to the database.
 *
 * Operations queue here; the writer takes all that wait, runs each in its own savepoint inside
 * one transaction with synchronous=FULL, commits, and only then tells each how it went. So one
 * flush serves many clients, nothing is acknowledged before it is durable, and rules such as
 * "exactly N answers per task" are plain ifs. */
#ifndef DB_WRITER_H
#define DB_WRITER_H

#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

struct writer;

/* One operation. The memory belongs to the caller and must stay until `done` was called.
 * `run` may be called again after a rollback (a full disk re-runs the batch one by one), so it
 * must not act outside the database but for state that `reload` (below) rebuilds.
 * `done` runs on the writer thread after the commit, with the operation's own error or the
 * commit's (ERR_FULL, ERR_BUSY, ERR_IO); after it the writer forgets the pointer. */
struct write_op {
    enum err_code (*run)(struct db *db, void *arg, struct err *err);
    void (*done)(void *arg, const struct err *err); /* err->code is OK on success */
    void *arg;
    struct write_op *next; /* the writer's */
    struct err err;        /* the writer's */
};

/* Any may be NULL. committed and reload see one moment of the database; when one fails, it is
 * called again, and no operation runs until it succeeds. */
struct writer_hooks {
    void *arg;
    /* After every commit, before any `done`, and when another process committed: publish. */
    enum err_code (*committed)(void *arg, struct db *db, struct err *err);
    /* After a rollback of a whole batch: rebuild what run() changed in memory. */
    enum err_code (*reload)(void *arg, struct db *db, struct err *err);
    /* About once a second while idle, and between batches at most that often. */
    void (*tick)(void *arg, struct db *db);
};

struct writer_stats {
    uint64_t batches, operations, failed, slow, foreign, queued, largest;
    /* slow: operations that ran longer than WRITER_SLOW_MS; each is logged too */
};
enum { WRITER_SLOW_MS = 5, WRITER_BATCH = 512 };

/* Whether the last transaction that anything had to be written in was stored. */
struct writer_health {
    enum err_code failing;    /* OK, or why: ERR_FULL, ERR_BUSY (another process), ERR_IO */
    int64_t stored_ns;        /* monotonic: the last one that was stored, or the start */
};

/* Takes over `db` (mode DB_WRITE) unless it fails; `db`'s busy timeout is how long a batch waits
 * for another process. At most `queue_max` operations wait. The first batch begins with
 * hooks.committed, for what others stored since the caller loaded its state. */
enum err_code writer_start(struct db *db, const char *path, size_t queue_max,
                           const struct writer_hooks *hooks, struct writer **out,
                           struct err *err);
/* Queues an operation. ERR_BUSY when the queue is full or closing; then `done` is not called. */
enum err_code writer_submit(struct writer *w, struct write_op *op, struct err *err);
/* Runs an operation and waits for it: start-up, ticks, tests. Not from the writer thread. */
enum err_code writer_call(struct writer *w,
                          enum err_code (*run)(struct db *db, void *arg, struct err *err),
                          void *arg, struct err *err);
void writer_stats(struct writer *w, struct writer_stats *out);
void writer_health(struct writer *w, struct writer_health *out);
/* Refuses new operations, finishes those that wait, joins the thread, closes the connection. */
void writer_stop(struct writer *w);

#endif
