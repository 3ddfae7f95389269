/* writer.c - the thread that writes: batches, group commit, recovery from failed commits.
 *
 * Started by serve, fed by web/ through writer_submit. Must not know what the operations store,
 * nor HTTP. A batch ends in one of three ways (enum outcome); only a transaction whose COMMIT
 * returned OK is reported as a success. */
#include "db/writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/xalloc.h"

enum {
    NS_PER_MS = 1000000,
    TICK_MS = 1000,
    RERUN_MS = 2000,
    WAL_KEPT = 4 * 1024 * 1024,
    ERASE_WAIT_MS = 20 /* for readers; the next tick tries again */
};

struct list {
    struct write_op *first, *last;
};

struct writer {
    struct db *db;
    char *path;
    struct writer_hooks hooks;
    size_t queue_max;
    pthread_t thread;

    pthread_mutex_t lock; /* guards the next five */
    pthread_cond_t wake;
    struct list queue;
    struct writer_stats stats; /* `queued` counts the queue and `pending` */
    struct writer_health health;
    bool closing;

    struct list pending;     /* from here on only the thread looks */
    struct writer_stats own; /* copied to `stats` before the operations hear of it */
    int64_t next_tick;
    int64_t version; /* PRAGMA data_version as last seen */
    bool behind;     /* hooks.committed has rows to see */
    bool stale;      /* hooks.reload has something to rebuild */
};

/* REFUSED: no transaction began. LOST: it was rolled back as a whole. */
enum outcome { FINISHED, REFUSED, LOST };

static void append(struct list *to, struct list *from)
{
    if (!from->first) {
        return;
    }
    if (to->first) {
        to->last->next = from->first;
    } else {
        to->first = from->first;
    }
    to->last = from->last;
    *from = (struct list){0};
}

/* ---- keeping the state in memory true to the database ---- */

static enum err_code call_hook(enum err_code (*hook)(void *, struct db *, struct err *),
                               struct writer *w, bool *due, struct err *err)
{
    enum err_code rc = *due && hook ? hook(w->hooks.arg, w->db, err) : OK;
    *due = *due && rc != OK;
    db_assert_idle(w->db);
    return rc == OK ? OK : err_set(err, rc, "following the database failed: %s", err_word(rc));
}

/* Runs the hooks that are due, inside a transaction. What fails stays due. */
static enum err_code refresh(struct writer *w, struct err *err)
{
    int64_t version = 0;
    enum err_code rc = db_data_version(w->db, &version, err);
    if (rc == OK && version != w->version) {
        w->version = version;
        w->behind = true;
        w->own.foreign++;
    }
    rc = rc == OK ? call_hook(w->hooks.reload, w, &w->stale, err) : rc;
    return rc == OK ? call_hook(w->hooks.committed, w, &w->behind, err) : rc;
}

/* Outside a transaction. A failure is not the operations': the next batch tries again before it
 * runs any. */
static void refresh_alone(struct writer *w)
{
    struct err err = {0};
    enum err_code rc = db_snapshot(w->db, &err);
    if (rc == OK) {
        rc = refresh(w, &err);
        db_snapshot_end(w->db);
    }
    if (rc != OK) {
        log_msg(LOG_ERROR, "cannot follow the database", LOG_TEXT("error", sv_of(err.msg)));
    }
}

/* ---- one transaction ---- */

static enum err_code begin(struct writer *w, struct err *err)
{
    enum err_code rc = db_tx_begin(w->db, err);
    if (rc == OK) {
        rc = refresh(w, err);
        if (rc != OK) {
            db_tx_rollback(w->db);
        }
    }
    return rc;
}

static void call_run(struct writer *w, struct write_op *op)
{
    enum err_code rc = op->run(w->db, op->arg, &op->err);
    db_assert_idle(w->db);
    if (rc == OK) {
        err_clear(&op->err); /* it got over a failure of one of its steps */
    } else {
        err_set(&op->err, rc, "the operation failed: %s", err_word(rc));
    }
}

/* Its own failure undoes the operation alone. */
static void run_in_savepoint(struct writer *w, struct write_op *op)
{
    if (db_savepoint(w->db, &op->err) != OK) {
        return;
    }
    call_run(w, op);
    if (op->err.code != OK || db_savepoint_release(w->db, &op->err) != OK) {
        db_savepoint_rollback(w->db);
    }
}

static void run_one(struct writer *w, struct write_op *op, bool savepoint)
{
    int64_t start = clock_mono_ns();
    err_clear(&op->err);
    if (savepoint) {
        run_in_savepoint(w, op);
    } else {
        call_run(w, op);
    }
    int64_t ns = clock_mono_ns() - start;
    if (ns > (int64_t)WRITER_SLOW_MS * NS_PER_MS) {
        w->own.slow++;
        log_msg(LOG_WARN, "slow write", LOG_NUM("ms", ns / NS_PER_MS));
    }
}

/* How a transaction went: the first failure in a row and the first success after it are logged. */
static void note_health(struct writer *w, enum err_code rc, const struct err *err)
{
    pthread_mutex_lock(&w->lock);
    struct writer_health *h = &w->health;
    bool turned = (h->failing == OK) != (rc == OK);
    h->failing = rc;
    if (rc == OK) {
        h->stored_ns = clock_mono_ns();
    }
    pthread_mutex_unlock(&w->lock);
    if (turned && rc == OK) {
        log_text(LOG_INFO, "writes are stored again");
    } else if (turned) {
        log_msg(LOG_ERROR, "writes cannot be stored", LOG_TEXT("error", sv_of(err->msg)));
    }
}

/* Runs n operations in one transaction. FINISHED: each op->err says how it went. Otherwise *err
 * says why nothing was stored. */
static enum outcome transact(struct writer *w, struct write_op *first, size_t n, struct err *err)
{
    enum err_code rc = begin(w, err);
    if (rc != OK) {
        note_health(w, rc, err);
        return REFUSED;
    }
    struct write_op *op = first;
    for (size_t i = 0; i < n && db_in_tx(w->db); i++, op = op->next) {
        run_one(w, op, n > 1);
    }
    if (n == 1 && first->err.code != OK && db_in_tx(w->db)) {
        db_tx_rollback(w->db); /* alone, the transaction is its savepoint */
        return FINISHED;
    }
    rc = db_tx_commit(w->db, err);
    note_health(w, rc, err);
    enum outcome how = rc == OK ? FINISHED : LOST;
    if (how == FINISHED) {
        w->behind = true;
    } else {
        db_tx_rollback(w->db);
        w->stale = true;
    }
    refresh_alone(w);
    return how;
}

/* ---- batches ---- */

/* Tells n operations how they went. Each may be gone afterwards. */
static void finish(struct writer *w, struct write_op *op, size_t n)
{
    const struct write_op *o = op;
    for (size_t i = 0; i < n; i++, o = o->next) {
        w->own.failed += o->err.code != OK;
    }
    w->own.operations += n;
    pthread_mutex_lock(&w->lock);
    w->own.queued = w->stats.queued;
    w->stats = w->own;
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < n; i++) {
        struct write_op *next = op->next;
        op->done(op->arg, &op->err);
        op = next;
    }
}

static void finish_failed(struct writer *w, struct write_op *first, size_t n, const struct err *err)
{
    BUG_IF(err->code == OK);
    struct write_op *op = first;
    for (size_t i = 0; i < n; i++, op = op->next) {
        op->err = *err;
    }
    finish(w, first, n);
}

/* After a batch was lost: each operation in its own transaction, so that a small answer is kept
 * where a large one no longer fits. Every loss costs a reload; when they go on for RERUN_MS, or
 * another process holds the lock, the rest is refused rather than keeping everybody waiting. */
static void rerun(struct writer *w, struct write_op *op, size_t n)
{
    int64_t give_up = clock_mono_ns() + (int64_t)RERUN_MS * NS_PER_MS;
    while (n) {
        struct write_op *next = op->next;
        struct err err = {0};
        enum outcome how = transact(w, op, 1, &err);
        if (how == REFUSED || (how == LOST && clock_mono_ns() > give_up)) {
            finish_failed(w, op, n, &err);
            return;
        }
        if (how == LOST && op->err.code == OK) {
            op->err = err;
        }
        finish(w, op, 1);
        op = next;
        n--;
    }
}

static void run_batch(struct writer *w, struct write_op *first, size_t n)
{
    struct err err = {0};
    w->own.batches++;
    if (n > w->own.largest) {
        w->own.largest = n;
    }
    enum outcome how = transact(w, first, n, &err);
    if (how == LOST && n > 1) {
        log_msg(LOG_WARN, "batch rolled back, running it one by one", LOG_NUM("operations", n),
                LOG_TEXT("error", sv_of(err.msg)));
        rerun(w, first, n);
    } else if (how == REFUSED) {
        finish_failed(w, first, n, &err);
    } else {
        if (how == LOST && first->err.code == OK) {
            first->err = err;
        }
        finish(w, first, n);
    }
}

/* ---- the thread ---- */

/* What was erased is still in the log. Readers come and go within milliseconds, so that waiting for
 * one moment without them succeeds soon. */
static void erase(struct writer *w)
{
    struct err err = {0};
    if (db_erase_finish(w->db, ERASE_WAIT_MS, &err) != OK && err.code != ERR_BUSY) {
        log_msg(LOG_ERROR, "the log could not be emptied", LOG_TEXT("error", sv_of(err.msg)));
    }
}

static void tick(struct writer *w, bool idle)
{
    refresh_alone(w);
    if (w->hooks.tick) {
        w->hooks.tick(w->hooks.arg, w->db);
        db_assert_idle(w->db);
        BUG_IF(db_in_tx(w->db));
    }
    if (db_erase_due(w->db)) {
        erase(w);
    } else if (idle && db_wal_size(w->path) > WAL_KEPT) {
        db_checkpoint(w->db);
    }
    pthread_mutex_lock(&w->lock);
    w->stats.foreign = w->own.foreign;
    pthread_mutex_unlock(&w->lock);
}

/* Sleeps until there is work, a tick is due or the writer closes. The lock is held. */
static void wait_for_work(struct writer *w)
{
    while (!w->queue.first && !w->closing && clock_mono_ns() < w->next_tick) {
        thread_cond_wait(&w->wake, &w->lock, w->next_tick - clock_mono_ns());
    }
}

/* Takes at most WRITER_BATCH operations, in order; 0 when none wait. */
static size_t take(struct writer *w, struct write_op **first)
{
    size_t n = 0;
    struct write_op *op = w->pending.first;
    *first = op;
    while (op && n < WRITER_BATCH) {
        op = op->next;
        n++;
    }
    w->pending.first = op;
    pthread_mutex_lock(&w->lock);
    w->stats.queued -= n;
    pthread_mutex_unlock(&w->lock);
    return n;
}

static void *writer_main(void *arg)
{
    struct writer *w = arg;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        if (!w->pending.first) {
            wait_for_work(w);
        }
        append(&w->pending, &w->queue);
        bool over = w->closing && !w->pending.first;
        pthread_mutex_unlock(&w->lock);
        if (over) {
            return NULL;
        }
        struct write_op *first;
        size_t n = take(w, &first);
        if (n) {
            run_batch(w, first, n);
        }
        int64_t now = clock_mono_ns();
        if (now >= w->next_tick) {
            tick(w, n == 0);
            w->next_tick = now + (int64_t)TICK_MS * NS_PER_MS;
        }
    }
}

/* ---- the calls of other threads ---- */

static void release(struct writer *w)
{
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    free(w->path);
    free(w);
}

enum err_code writer_start(struct db *db, const char *path, size_t queue_max,
                           const struct writer_hooks *hooks, struct writer **out, struct err *err)
{
    struct writer *w = xcalloc(1, sizeof *w);
    w->db = db;
    db_erase_mark(db); /* a killed server may have left what it erased in the log */
    w->path = xstrdup(path);
    w->queue_max = queue_max;
    w->hooks = hooks ? *hooks : (struct writer_hooks){0};
    w->behind = true; /* others may have committed since the caller loaded its state */
    w->next_tick = clock_mono_ns() + (int64_t)TICK_MS * NS_PER_MS;
    w->health.stored_ns = clock_mono_ns();
    pthread_mutex_init(&w->lock, NULL);
    thread_cond_init(&w->wake);
    enum err_code rc = db_data_version(db, &w->version, err);
    rc = rc == OK ? thread_start(&w->thread, "writer", writer_main, w, err) : rc;
    if (rc != OK) {
        release(w);
        return rc;
    }
    *out = w;
    return OK;
}

void writer_health(struct writer *w, struct writer_health *out)
{
    pthread_mutex_lock(&w->lock);
    *out = w->health;
    pthread_mutex_unlock(&w->lock);
}

enum err_code writer_submit(struct writer *w, struct write_op *op, struct err *err)
{
    enum err_code rc = OK;
    op->next = NULL;
    op->err.code = OK;
    pthread_mutex_lock(&w->lock);
    if (w->closing) {
        rc = err_set(err, ERR_BUSY, "The server is closing.");
    } else if (w->stats.queued >= w->queue_max) {
        rc = err_set(err, ERR_BUSY,
                     "Too many writes are waiting already; nothing was stored. Try again in a moment.");
    } else {
        bool was_empty = !w->queue.first;
        append(&w->queue, &(struct list){op, op});
        w->stats.queued++;
        if (was_empty) {
            pthread_cond_signal(&w->wake);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return rc;
}

struct call {
    enum err_code (*run)(struct db *db, void *arg, struct err *err);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool done;
    struct err err;
};

static enum err_code call_run_it(struct db *db, void *arg, struct err *err)
{
    struct call *c = arg;
    return c->run(db, c->arg, err);
}

static void call_done(void *arg, const struct err *err)
{
    struct call *c = arg;
    pthread_mutex_lock(&c->lock);
    c->err = *err;
    c->done = true;
    pthread_cond_signal(&c->over); /* under the lock: afterwards the caller's stack is gone */
    pthread_mutex_unlock(&c->lock);
}

enum err_code writer_call(struct writer *w,
                          enum err_code (*run)(struct db *db, void *arg, struct err *err),
                          void *arg, struct err *err)
{
    BUG_IF(pthread_equal(pthread_self(), w->thread)); /* it would wait for itself */
    struct call c = {.run = run, .arg = arg};
    struct write_op op = {.run = call_run_it, .done = call_done, .arg = &c};
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.over, NULL);
    enum err_code rc = writer_submit(w, &op, err);
    if (rc == OK) {
        pthread_mutex_lock(&c.lock);
        while (!c.done) {
            pthread_cond_wait(&c.over, &c.lock);
        }
        pthread_mutex_unlock(&c.lock);
        rc = c.err.code;
        if (rc != OK) {
            err_rule(err, rc, c.err.rule, "%s", c.err.msg);
        }
    }
    pthread_cond_destroy(&c.over);
    pthread_mutex_destroy(&c.lock);
    return rc;
}

void writer_stats(struct writer *w, struct writer_stats *out)
{
    pthread_mutex_lock(&w->lock);
    *out = w->stats;
    pthread_mutex_unlock(&w->lock);
}

void writer_stop(struct writer *w)
{
    if (!w) {
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    db_close(w->db);
    release(w);
}
