/* bench.c - the writer under test: operations, gate, hooks. Used by writer and fault tests. */
#include "bench.h"

#include <time.h>

enum { PATIENCE_S = 60, BYTES_MAX = 1 << 20 };

static const char zeros[BYTES_MAX];

/* ---- waiting ---- */

/* The lock is held. A test that hangs says where. */
static void wait_change(struct bench *b)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += PATIENCE_S;
    assert_int_equal(pthread_cond_timedwait(&b->changed, &b->lock, &t), 0);
}

void bench_wait_done(struct bench *b, size_t n)
{
    pthread_mutex_lock(&b->lock);
    while (b->done < n) {
        wait_change(b);
    }
    pthread_mutex_unlock(&b->lock);
}

void bench_wait(struct bench *b, const int *counter, int at_least)
{
    pthread_mutex_lock(&b->lock);
    while (*counter < at_least) {
        wait_change(b);
    }
    pthread_mutex_unlock(&b->lock);
}

int bench_read(struct bench *b, const int *counter)
{
    pthread_mutex_lock(&b->lock);
    int n = *counter;
    pthread_mutex_unlock(&b->lock);
    return n;
}

static void count_up(struct bench *b, int *counter)
{
    pthread_mutex_lock(&b->lock);
    ++*counter;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

/* ---- hooks ---- */

static enum err_code on_committed(void *arg, struct db *db, struct err *err)
{
    struct bench *b = arg;
    int64_t rows = 0;
    enum err_code rc = db_one_int(db, "SELECT count(*) FROM t", DB_NONE, &rows, err);
    count_up(b, &b->committed);
    pthread_mutex_lock(&b->lock);
    b->rows_seen = rows;
    bool fail = b->fail_committed;
    pthread_mutex_unlock(&b->lock);
    return rc == OK && fail ? ERR_IO : rc;
}

static enum err_code on_reload(void *arg, struct db *db, struct err *err)
{
    struct bench *b = arg;
    (void)err;
    assert_true(db_in_tx(db)); /* one moment */
    count_up(b, &b->reloads);
    return OK;
}

static void on_tick(void *arg, struct db *db)
{
    struct bench *b = arg;
    assert_false(db_in_tx(db));
    count_up(b, &b->ticks);
}

/* ---- operations ---- */

static enum err_code insert(struct db *db, int64_t x, size_t bytes, struct err *err)
{
    assert_true(bytes <= BYTES_MAX);
    return db_run(db, "INSERT INTO t (x, b) VALUES (?1, ?2)",
                  DB_VALS(db_int(x), db_blob(zeros, bytes)), err);
}

static void pass_gate(struct bench *b)
{
    pthread_mutex_lock(&b->lock);
    b->gate_entered = true;
    pthread_cond_broadcast(&b->changed);
    while (!b->gate_open) {
        wait_change(b);
    }
    pthread_mutex_unlock(&b->lock);
}

static enum err_code item_run(struct db *db, void *arg, struct err *err)
{
    struct item *it = arg;
    enum err_code rc = OK;
    switch (it->kind) {
    case ITEM_INSERT:
        return insert(db, it->x, it->bytes, err);
    case ITEM_FAIL:
        rc = insert(db, it->x, it->bytes, err);
        return rc != OK ? rc : err_rule(err, ERR_INPUT, "made-to-fail", "item %d", (int)it->x);
    case ITEM_TWICE:
        rc = insert(db, it->x, it->bytes, err);
        return rc != OK ? rc : insert(db, it->x, it->bytes, err);
    case ITEM_RECOVER:
        rc = db_run(db, "INSERT INTO t (x) VALUES (NULL)", DB_NONE, err);
        return rc == ERR_CONFLICT ? insert(db, it->x, it->bytes, NULL) : ERR_BUG;
    case ITEM_SWALLOW:
        insert(db, it->x, it->bytes, NULL);
        insert(db, it->x, 1, NULL);
        return OK;
    case ITEM_GATE:
        pass_gate(it->b);
        return OK;
    }
    return ERR_BUG;
}

static void item_done(void *arg, const struct err *err)
{
    struct item *it = arg;
    struct bench *b = it->b;
    it->visible = fixture_stored(b->f->path, "SELECT count(*) FROM t");
    pthread_mutex_lock(&b->lock);
    it->told++;
    it->result = *err;
    b->done++;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

enum err_code bench_submit(struct bench *b, struct item *it, struct err *err)
{
    it->b = b;
    it->told = 0;
    it->op = (struct write_op){.run = item_run, .done = item_done, .arg = it};
    return writer_submit(b->w, &it->op, err);
}

enum err_code bench_call(struct bench *b, struct item *it)
{
    it->b = b;
    err_clear(&it->result);
    enum err_code rc = writer_call(b->w, item_run, it, &it->result);
    assert_int_equal(rc, it->result.code);
    return rc;
}

void bench_fail_committed(struct bench *b, bool fail)
{
    pthread_mutex_lock(&b->lock);
    b->fail_committed = fail;
    pthread_mutex_unlock(&b->lock);
}

void bench_close_gate(struct bench *b, struct item *gate)
{
    struct err err = {0};
    gate->kind = ITEM_GATE;
    b->gate_entered = b->gate_open = false;
    must(bench_submit(b, gate, &err), &err);
    pthread_mutex_lock(&b->lock);
    while (!b->gate_entered) {
        wait_change(b);
    }
    pthread_mutex_unlock(&b->lock);
}

void bench_open_gate(struct bench *b)
{
    pthread_mutex_lock(&b->lock);
    b->gate_open = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

void bench_batch(struct bench *b, struct item *items, size_t n)
{
    struct item gate = {0};
    struct err err = {0};
    pthread_mutex_lock(&b->lock);
    size_t before = b->done;
    pthread_mutex_unlock(&b->lock);
    bench_close_gate(b, &gate);
    for (size_t i = 0; i < n; i++) {
        must(bench_submit(b, &items[i], &err), &err);
    }
    bench_open_gate(b);
    bench_wait_done(b, before + n + 1);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(items[i].told, 1);
    }
}

/* ---- the writer ---- */

void bench_start(struct bench *b, const struct fixture *f, size_t queue_max, const char *setup,
                 int busy_ms)
{
    *b = (struct bench){.f = f};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    struct db *db = fixture_open(f->path, DB_WRITE);
    struct err err = {0};
    const struct writer_hooks hooks = {b, on_committed, on_reload, on_tick};
    fixture_run(db, "CREATE TABLE IF NOT EXISTS t (x INTEGER NOT NULL UNIQUE, b BLOB) STRICT");
    if (setup) {
        must(db_script(db, setup, &err), &err);
    }
    if (busy_ms) {
        db_busy_timeout(db, busy_ms);
    }
    must(writer_start(db, f->path, queue_max, &hooks, &b->w, &err), &err);
}

void bench_stop(struct bench *b)
{
    writer_stop(b->w);
    b->w = NULL;
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
}
