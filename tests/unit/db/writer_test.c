/* writer_test.c - server/db/writer.c: every operation is told once, and the truth. */
#include "bench.h"

#include <sched.h>

#include "base/clock.h"
#include "base/thread.h"

enum { THREADS = 64, EACH = 150, QUEUE = 4096 };

#define COUNT "SELECT count(*) FROM t"

/* ---- many at once ---- */

struct client {
    struct bench *b;
    int64_t first;
    int ok;
};

static void *submit_many(void *arg)
{
    struct client *c = arg;
    for (int i = 0; i < EACH; i++) {
        struct item it = {.kind = i % 10 == 9 ? ITEM_FAIL : ITEM_INSERT, .x = c->first + i};
        c->ok += bench_call(c->b, &it) == OK;
    }
    return NULL;
}

FOLDER_TEST(every_operation_counts_once)
{
    struct bench b;
    struct writer_stats s;
    struct err err = {0};
    pthread_t threads[THREADS];
    struct client clients[THREADS];
    bench_start(&b, *state, QUEUE, NULL, 0);
    for (int i = 0; i < THREADS; i++) {
        clients[i] = (struct client){.b = &b, .first = (int64_t)i * EACH};
        must(thread_start(&threads[i], "client", submit_many, &clients[i], &err), &err);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(clients[i].ok, EACH * 9 / 10);
    }
    writer_stats(b.w, &s);
    assert_int_equal(s.operations, THREADS * EACH);
    assert_int_equal(s.failed, THREADS * EACH / 10);
    assert_int_equal(s.queued, 0);
    assert_int_equal(s.foreign, 0);
    assert_true(s.batches <= s.operations && s.batches * s.largest >= s.operations);
    assert_int_equal(bench_read(&b, &b.reloads), 0);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), THREADS * EACH * 9 / 10);
    assert_int_equal(fixture_stored(b.f->path, COUNT " WHERE x % 10 = 9"), 0);
}

/* ---- one batch ---- */

FOLDER_TEST(a_failure_is_its_own)
{
    struct bench b;
    struct writer_stats s;
    struct item items[] = {
        {.kind = ITEM_INSERT, .x = 1},  {.kind = ITEM_FAIL, .x = 2}, {.kind = ITEM_TWICE, .x = 3},
        {.kind = ITEM_RECOVER, .x = 4}, {.kind = ITEM_FAIL, .x = 5}, {.kind = ITEM_INSERT, .x = 6},
    };
    bench_start(&b, *state, QUEUE, NULL, 0);
    bench_batch(&b, items, 6);
    assert_int_equal(items[0].result.code, OK);
    assert_int_equal(items[1].result.code, ERR_INPUT);
    assert_string_equal(items[1].result.rule, "made-to-fail");
    assert_string_equal(items[1].result.msg, "item 2");
    assert_int_equal(items[2].result.code, ERR_CONFLICT);
    assert_int_equal(items[3].result.code, OK);
    assert_string_equal(items[3].result.msg, "");
    assert_int_equal(items[4].result.code, ERR_INPUT);
    assert_int_equal(items[5].result.code, OK);
    writer_stats(b.w, &s);
    assert_int_equal(s.largest, 6);
    assert_int_equal(s.failed, 3);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, "SELECT group_concat(x, '') FROM t"), 146);
}

FOLDER_TEST(alone_too)
{
    struct bench b;
    struct item bad = {.kind = ITEM_FAIL, .x = 1}, good = {.kind = ITEM_RECOVER, .x = 2};
    bench_start(&b, *state, QUEUE, NULL, 0);
    assert_int_equal(bench_call(&b, &bad), ERR_INPUT);
    assert_int_equal(bench_call(&b, &good), OK);
    assert_int_equal(bench_read(&b, &b.reloads), 0);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, "SELECT sum(x) FROM t"), 2);
}

FOLDER_TEST(done_comes_after_commit_and_hook)
{
    struct bench b;
    struct item items[40] = {0};
    bench_start(&b, *state, QUEUE, NULL, 0);
    for (int i = 0; i < 40; i++) {
        items[i].x = i;
    }
    bench_batch(&b, items, 40);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(items[i].visible, 40);
    }
    assert_int_equal(b.rows_seen, 40);
    bench_stop(&b);
}

FOLDER_TEST(large_batches_are_cut)
{
    enum { N = WRITER_BATCH * 2 + 10 };
    static struct item items[N];
    struct bench b;
    struct writer_stats s;
    bench_start(&b, *state, QUEUE, NULL, 0);
    for (int i = 0; i < N; i++) {
        items[i] = (struct item){.x = i};
    }
    bench_batch(&b, items, N);
    writer_stats(b.w, &s);
    assert_int_equal(s.largest, WRITER_BATCH);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), N);
    assert_int_equal(fixture_stored(b.f->path, COUNT " WHERE rowid = x + 1"), N); /* in order */
}

/* ---- limits and the end ---- */

FOLDER_TEST(a_full_queue_is_busy)
{
    struct bench b;
    struct item gate = {0}, items[5] = {{.x = 0}, {.x = 1}, {.x = 2}, {.x = 3}, {.x = 4}};
    struct err err = {0};
    bench_start(&b, *state, 4, NULL, 0);
    bench_close_gate(&b, &gate);
    for (int i = 0; i < 4; i++) {
        must(bench_submit(&b, &items[i], &err), &err);
    }
    assert_int_equal(bench_submit(&b, &items[4], &err), ERR_BUSY);
    bench_open_gate(&b);
    bench_wait_done(&b, 5);
    must(bench_submit(&b, &items[4], NULL), NULL);
    bench_stop(&b);
    assert_int_equal(items[4].told, 1);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 5);
}

static void *stop_it(void *arg)
{
    writer_stop(arg);
    return NULL;
}

FOLDER_TEST(stopping_finishes_what_waits)
{
    static struct item items[100000];
    struct bench b;
    struct item gate = {0};
    struct err err = {0};
    pthread_t t;
    size_t n = 0;
    bench_start(&b, *state, sizeof items / sizeof *items, NULL, 0);
    bench_close_gate(&b, &gate);
    for (; n < 100; n++) {
        items[n] = (struct item){.x = (int64_t)n};
        must(bench_submit(&b, &items[n], &err), &err);
    }
    must(thread_start(&t, "stopper", stop_it, b.w, &err), &err);
    while (n < sizeof items / sizeof *items) { /* until the refusal shows that it is closing */
        items[n] = (struct item){.x = (int64_t)n};
        if (bench_submit(&b, &items[n], &err) != OK) {
            break;
        }
        n++;
        sched_yield();
    }
    assert_int_equal(err.code, ERR_BUSY);
    assert_non_null(strstr(err.msg, "closing"));
    bench_open_gate(&b);
    pthread_join(t, NULL);
    b.w = NULL;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(items[i].told, 1);
        assert_int_equal(items[i].result.code, OK);
    }
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), n);
}

static enum err_code be_slow(struct db *db, void *arg, struct err *err)
{
    int64_t until = clock_mono_ns() + (WRITER_SLOW_MS + 2) * INT64_C(1000000);
    (void)arg;
    (void)err;
    while (clock_mono_ns() < until) {
        fixture_int(db, COUNT);
    }
    return OK;
}

FOLDER_TEST(slow_operations_are_counted)
{
    struct bench b;
    struct writer_stats s;
    struct err err = {0};
    bench_start(&b, *state, QUEUE, NULL, 0);
    must(writer_call(b.w, be_slow, NULL, &err), &err);
    writer_stats(b.w, &s);
    assert_int_equal(s.slow, 1);
    bench_stop(&b);
}

/* ---- other processes ---- */

static enum err_code look_at_rows_seen(struct db *db, void *arg, struct err *err)
{
    struct bench *b = arg;
    (void)err;
    return b->rows_seen == fixture_int(db, COUNT) ? OK : ERR_BUG;
}

FOLDER_TEST(foreign_commits_are_seen_before_operations)
{
    struct bench b;
    struct writer_stats s;
    struct err err = {0};
    struct item it = {.x = 1};
    bench_start(&b, *state, QUEUE, NULL, 0);
    struct db *other = fixture_open(b.f->path, DB_WRITE);
    assert_int_equal(bench_call(&b, &it), OK);
    for (int i = 0; i < 3; i++) {
        fixture_run(other, "INSERT INTO t (x) SELECT max(x) + 1 FROM t");
        must(writer_call(b.w, look_at_rows_seen, &b, &err), &err);
    }
    writer_stats(b.w, &s);
    assert_int_equal(s.foreign, 3);
    db_close(other);
    bench_stop(&b);
}

FOLDER_TEST(foreign_commits_are_seen_while_idle)
{
    struct bench b;
    struct item it = {.x = 1};
    bench_start(&b, *state, QUEUE, NULL, 0);
    struct db *other = fixture_open(b.f->path, DB_WRITE);
    assert_int_equal(bench_call(&b, &it), OK);
    int before = bench_read(&b, &b.committed);
    fixture_run(other, "INSERT INTO t (x) VALUES (2)");
    bench_wait(&b, &b.committed, before + 1);
    bench_wait(&b, &b.ticks, bench_read(&b, &b.ticks) + 2);
    assert_int_equal(bench_read(&b, &b.committed), before + 1); /* once, not at each tick */
    db_close(other);
    bench_stop(&b);
}

FOLDER_TEST(a_lock_that_stays_is_busy)
{
    struct bench b;
    struct item items[3] = {{.x = 1}, {.x = 2}, {.x = 3}}, later = {.x = 4};
    struct err err = {0};
    bench_start(&b, *state, QUEUE, NULL, 30);
    struct db *other = fixture_open(b.f->path, DB_WRITE);
    must(db_tx_begin(other, &err), &err);
    for (int i = 0; i < 3; i++) {
        must(bench_submit(&b, &items[i], &err), &err);
    }
    bench_wait_done(&b, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(items[i].result.code, ERR_BUSY);
    }
    db_tx_rollback(other);
    assert_int_equal(bench_call(&b, &later), OK);
    db_close(other);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 1);
}

FOLDER_TEST(a_lock_that_goes_loses_nothing)
{
    struct bench b;
    struct item items[20] = {0};
    struct writer_stats s;
    struct err err = {0};
    bench_start(&b, *state, QUEUE, NULL, 0);
    struct db *other = fixture_open(b.f->path, DB_WRITE);
    must(db_tx_begin(other, &err), &err);
    for (int i = 0; i < 20; i++) {
        items[i].x = i;
        must(bench_submit(&b, &items[i], &err), &err);
    }
    do { /* until the writer took the first batch and so waits for the lock */
        sched_yield();
        writer_stats(b.w, &s);
    } while (s.queued == 20);
    fixture_run(other, "INSERT INTO t (x) VALUES (100)");
    must(db_tx_commit(other, &err), &err);
    bench_wait_done(&b, 20);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(items[i].result.code, OK);
    }
    db_close(other);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 21);
}

/* ---- failures of a whole batch ---- */

/* Where 200 pages are the limit, 1 MiB never fits and small rows do. */
FOLDER_TEST(on_a_full_disk_small_ones_are_kept)
{
    struct bench b;
    struct item items[30] = {0};
    bench_start(&b, *state, QUEUE, "PRAGMA max_page_count=200", 0);
    for (int i = 0; i < 30; i++) {
        items[i].x = i;
        items[i].bytes = i % 3 == 1 ? 1 << 20 : 10;
    }
    bench_batch(&b, items, 30);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(items[i].result.code, i % 3 == 1 ? ERR_FULL : OK);
    }
    assert_int_equal(b.reloads, 11); /* the batch, and each that did not fit */
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 20);
    assert_int_equal(fixture_stored(b.f->path, COUNT " WHERE x % 3 = 1"), 0);
}

/* An operation that goes on after its failure must not store the rest beside the transaction. */
FOLDER_TEST(a_swallowed_failure_is_no_success)
{
    struct bench b;
    struct item alone = {.kind = ITEM_SWALLOW, .x = 9, .bytes = 1 << 20};
    struct item items[3] = {{.x = 1}, {.kind = ITEM_SWALLOW, .x = 2, .bytes = 1 << 20}, {.x = 3}};
    bench_start(&b, *state, QUEUE, "PRAGMA max_page_count=200", 0);
    assert_int_equal(bench_call(&b, &alone), ERR_FULL);
    bench_batch(&b, items, 3);
    assert_int_equal(items[0].result.code, OK);
    assert_int_equal(items[1].result.code, ERR_FULL);
    assert_int_equal(items[2].result.code, OK);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, "SELECT group_concat(x, '') FROM t"), 13);
}

FOLDER_TEST(operations_wait_for_a_failed_hook)
{
    struct bench b;
    struct item first = {.x = 1}, second = {.x = 2}, third = {.x = 3};
    bench_start(&b, *state, QUEUE, NULL, 0);
    assert_int_equal(bench_call(&b, &first), OK);
    bench_fail_committed(&b, true);
    assert_int_equal(bench_call(&b, &second), OK); /* it is stored, whatever the hook says */
    assert_int_equal(bench_call(&b, &third), ERR_IO);
    bench_fail_committed(&b, false);
    assert_int_equal(bench_call(&b, &third), OK);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 3);
}

FOLDER_TEST(an_idle_writer_empties_the_log)
{
    struct bench b;
    struct item items[6] = {0};
    bench_start(&b, *state, QUEUE, NULL, 0);
    for (int i = 0; i < 6; i++) {
        items[i] = (struct item){.x = i, .bytes = 1 << 20};
    }
    bench_batch(&b, items, 6);
    assert_true(db_wal_size(b.f->path) > 6 << 20);
    /* The first may still belong to the batch, the second empties the log, the third came after. */
    bench_wait(&b, &b.ticks, bench_read(&b, &b.ticks) + 3);
    assert_true(fs_size(b.f->path) > 6 << 20);
    bench_stop(&b);
}
