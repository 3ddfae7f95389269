/* bulk_test.c - server/db/bulk.c: everything is written, in slices that let others in. */
#include "fixture.h"

#include "base/thread.h"
#include "db/bulk.h"

enum { MANY = 4000000, TURNS = 5 };

struct job {
    int64_t next, fail_at, until; /* rows 1, 2, ... `until` */
    const int64_t *commits;       /* atomic, not NULL: until these are TURNS more than at row 1 */
    int64_t enough;
};

static enum err_code step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct job *j = arg;
    if (j->next == j->fail_at) {
        return err_set(err, ERR_INPUT, "row %lld is bad", (long long)j->next);
    }
    int64_t commits = j->commits ? __atomic_load_n(j->commits, __ATOMIC_ACQUIRE) : 0;
    j->enough = j->next == 1 ? commits + TURNS : j->enough;
    *more = j->next < j->until && (!j->commits || commits < j->enough);
    return db_run(db, "INSERT OR IGNORE INTO t (x, who) VALUES (?1, 'bulk')",
                  DB_VALS(db_int(j->next++)), err);
}

static struct db *with_table(void **state)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    fixture_run(db, "CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER UNIQUE, who TEXT)");
    return db;
}

FOLDER_TEST(all_rows_are_written)
{
    struct db *db = with_table(state);
    struct err err = {0};
    struct job one = {.next = 1, .until = 1}, many = {.next = 2, .until = 1000};
    must(bulk_write(db, false, step, &one, &err), &err);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM t"), 1);
    must(bulk_write(db, true, step, &many, &err), &err);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM t"), 1000);
    assert_false(db_in_tx(db));
    db_close(db);
}

/* The failing row's slice goes, what was committed before stays, and a rerun completes. */
FOLDER_TEST(a_failure_keeps_earlier_slices)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct err err = {0};
    struct job j = {.next = 1, .until = 5000};
    must(bulk_write(db, true, step, &j, &err), &err);
    int64_t kept = j.next - 1;
    j = (struct job){.next = kept + 1, .until = kept + 10, .fail_at = kept + 3};
    assert_int_equal(bulk_write(db, true, step, &j, &err), ERR_INPUT);
    assert_non_null(strstr(err.msg, "is bad"));
    assert_false(db_in_tx(db));
    assert_int_equal(fixture_stored(f->path, "SELECT max(x) FROM t"), kept);
    j = (struct job){.next = 1, .until = kept + 10};
    err_clear(&err);
    must(bulk_write(db, true, step, &j, &err), &err);
    assert_int_equal(fixture_stored(f->path, "SELECT count(*) FROM t"), kept + 10);
    db_close(db);
}

struct other {
    const char *path;
    int stop;        /* atomic */
    int64_t commits; /* atomic */
};

static void *write_too(void *arg)
{
    struct other *o = arg;
    struct db *db = fixture_open(o->path, DB_WRITE);
    while (!__atomic_load_n(&o->stop, __ATOMIC_ACQUIRE)) {
        fixture_run(db, "INSERT INTO t (who) VALUES ('other')");
        __atomic_fetch_add(&o->commits, 1, __ATOMIC_RELEASE);
    }
    db_close(db);
    return NULL;
}

FOLDER_TEST(others_get_their_turn)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct err err = {0};
    struct other o = {.path = f->path};
    pthread_t t;
    must(thread_start(&t, "other", write_too, &o, &err), &err);
    /* Goes on until the other has had its turns in between, however slow the machine is. */
    struct job j = {.next = 1, .until = MANY, .commits = &o.commits};
    must(bulk_write(db, false, step, &j, &err), &err);
    __atomic_store_n(&o.stop, 1, __ATOMIC_RELEASE);
    pthread_join(t, NULL);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM t WHERE who = 'bulk'"), j.next - 1);
    assert_int_equal(fixture_int(db, "SELECT count(*) FROM t WHERE who = 'other'"), o.commits);
    /* Between the first and the last row of the bulk: it did not hold the lock throughout. */
    assert_true(fixture_int(db, "SELECT count(*) FROM t WHERE who = 'other'"
                                " AND id > (SELECT min(id) FROM t WHERE who = 'bulk')"
                                " AND id < (SELECT max(id) FROM t WHERE who = 'bulk')") > 0);
    db_close(db);
}

FOLDER_TEST(a_foreign_lock_is_busy)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct db *other = fixture_open(f->path, DB_WRITE);
    struct err err = {0};
    struct job j = {.next = 1, .until = 3};
    must(db_tx_begin(other, &err), &err);
    db_busy_timeout(db, 20);
    assert_int_equal(bulk_write(db, false, step, &j, &err), ERR_BUSY);
    assert_int_equal(j.next, 1);
    db_tx_rollback(other);
    must(bulk_write(db, false, step, &j, NULL), NULL);
    db_close(other);
    db_close(db);
}
