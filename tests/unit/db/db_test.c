/* db_test.c - values, statements, errors and transactions of server/db/db.c and tx.c. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>

static struct db *with_table(void **state)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    fixture_run(db, "CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER UNIQUE, b BLOB) STRICT");
    return db;
}

static enum err_code insert(struct db *db, int64_t x, struct err *err)
{
    return db_run(db, "INSERT INTO t (x) VALUES (?1)", DB_VALS(db_int(x)), err);
}

static int64_t count(struct db *db)
{
    return fixture_int(db, "SELECT count(*) FROM t");
}

/* ---- values ---- */

FOLDER_TEST(values_come_back_as_they_went)
{
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    struct err err = {0};
    struct db_rows r;
    must(db_begin(db, "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8",
                  DB_VALS(db_null(), db_int(INT64_MIN), db_real(0.1), db_text(SV("a\0b")),
                          db_blob("\xff\0\x01", 3), db_str(""), db_text_opt(SV("")),
                          db_blob(NULL, 0)),
                  &r, &err),
         &err);
    assert_true(db_step(&r, &err));
    assert_true(db_col_null(&r, 0));
    assert_int_equal(db_col_text(&r, 0).n, 0);
    assert_non_null(db_col_text(&r, 0).p);
    assert_true(db_col_int(&r, 1) == INT64_MIN);
    assert_true(db_col_real(&r, 2) == 0.1);
    assert_true(sv_eq(db_col_text(&r, 3), SV("a\0b")));
    assert_true(sv_eq(db_col_blob(&r, 4), SV("\xff\0\x01")));
    assert_false(db_col_null(&r, 5));
    assert_int_equal(db_col_text(&r, 5).n, 0);
    assert_true(db_col_null(&r, 6));
    assert_false(db_col_null(&r, 7));
    assert_int_equal(db_col_blob(&r, 7).n, 0);
    assert_false(db_step(&r, &err));
    assert_false(db_step(&r, &err)); /* does not start again */
    must(db_end(&r), &err);
    db_close(db);
}

/* No more rows for a request whose memory is spent; what is open is closed all the same. */
FOLDER_TEST(rows_end_with_the_budget)
{
    struct db *db = with_table(state);
    struct err err = {0};
    struct db_rows r;
    struct arena a;
    struct arena_budget budget;
    int64_t one = 0;
    arena_init(&a, 64);
    arena_budget_begin(&budget);
    must(db_snapshot(db, &err), &err);
    must(db_begin(db, "VALUES (1), (2), (3)", DB_NONE, &r, &err), &err);
    assert_true(db_step(&r, &err));
    arena_alloc(&a, 65);
    assert_false(db_step(&r, &err));
    assert_int_equal(db_end(&r), ERR_LIMIT);
    assert_string_equal(err.rule, "memory");
    assert_int_equal(db_one_int(db, "SELECT 1", DB_NONE, &one, NULL), ERR_LIMIT);
    db_snapshot_end(db);
    arena_budget_end(&budget);
    db_assert_idle(db);
    err_clear(&err);
    must(db_one_int(db, "SELECT 1", DB_NONE, &one, &err), &err);
    arena_release(&a);
    db_close(db);
}

FOLDER_TEST(numbers_of_a_change)
{
    struct db *db = with_table(state);
    struct err err = {0};
    must(insert(db, 7, &err), &err);
    must(insert(db, 8, &err), &err);
    assert_int_equal(db_last_id(db), 2);
    fixture_run(db, "UPDATE t SET x = x + 10");
    assert_int_equal(db_changes(db), 2);
    int64_t x = 5;
    assert_int_equal(db_one_int(db, "SELECT x FROM t WHERE id = 99", DB_NONE, &x, &err),
                     ERR_NOT_FOUND);
    assert_int_equal(x, 5);
    assert_int_equal(err.code, OK);
    db_close(db);
}

/* ---- the cache ---- */

FOLDER_TEST(a_statement_is_prepared_once)
{
    static const char sql[] = "SELECT id FROM t ORDER BY id";
    struct db *db = with_table(state);
    struct err err = {0};
    struct db_rows outer, inner;
    must(insert(db, 1, &err), &err);
    must(insert(db, 2, &err), &err);
    must(db_begin(db, sql, DB_NONE, &outer, &err), &err);
    const void *first = outer.stmt;
    int pairs = 0;
    while (db_step(&outer, &err)) {
        int64_t id = db_col_int(&outer, 0);
        must(db_begin(db, sql, DB_NONE, &inner, &err), &err);
        assert_ptr_not_equal(inner.stmt, first);
        while (db_step(&inner, &err)) {
            pairs++;
        }
        must(db_end(&inner), &err);
        assert_int_equal(db_col_int(&outer, 0), id);
    }
    must(db_end(&outer), &err);
    assert_int_equal(pairs, 4);
    must(db_begin(db, sql, DB_NONE, &outer, &err), &err);
    assert_ptr_equal(outer.stmt, first);
    must(db_end(&outer), &err);
    db_assert_idle(db);
    db_close(db);
}

FOLDER_TEST(many_statements_fit)
{
    static char texts[500][32];
    struct fixture *f = *state;
    struct db *db = fixture_open(f->path, DB_WRITE);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 500; i++) {
            snprintf(texts[i], sizeof texts[i], "SELECT %d", i);
            assert_int_equal(fixture_int(db, texts[i]), i);
        }
    }
    db_close(db);
}

FOLDER_TEST(a_failed_begin_may_be_stepped_and_ended)
{
    struct db *db = with_table(state);
    struct err err = {0};
    struct db_rows r;
    assert_int_equal(db_begin(db, "SELEKT 1", DB_NONE, &r, &err), ERR_BUG);
    assert_non_null(strstr(err.msg, "SELEKT"));
    assert_false(db_step(&r, &err));
    assert_int_equal(db_end(&r), ERR_BUG);
    db_assert_idle(db);
    db_close(db);
}

static void unbound(void *db)
{
    fixture_run(db, "INSERT INTO t (x) VALUES (?1)");
}

static void bound_too_much(void *db)
{
    db_run(db, "DELETE FROM t", DB_VALS(db_int(1)), NULL);
}

static void two_in_one(void *db)
{
    fixture_run(db, "DELETE FROM t; DELETE FROM t");
}

static void left_open(void *db)
{
    struct db_rows r;
    db_begin(db, "SELECT 1", DB_NONE, &r, NULL);
    db_assert_idle(db);
}

static void column_beyond(void *db)
{
    struct db_rows r;
    db_begin(db, "SELECT 1", DB_NONE, &r, NULL);
    db_step(&r, NULL);
    db_col_int(&r, 1);
}

static void changed_text(void *db)
{
    char sql[] = "SELECT 1";
    fixture_int(db, sql);
    sql[7] = '2';
    fixture_int(db, sql);
}

static void commit_inside_savepoint(void *db)
{
    db_tx_begin(db, NULL);
    db_savepoint(db, NULL);
    db_tx_commit(db, NULL);
}

FOLDER_TEST(mistakes_of_the_caller_abort)
{
    struct db *db = with_table(state);
    assert_true(fixture_aborts(unbound, db));
    assert_true(fixture_aborts(bound_too_much, db));
    assert_true(fixture_aborts(two_in_one, db));
    assert_true(fixture_aborts(left_open, db));
    assert_true(fixture_aborts(column_beyond, db));
    assert_true(fixture_aborts(changed_text, db));
    assert_true(fixture_aborts(commit_inside_savepoint, db));
    db_close(db);
}

/* ---- opening ---- */

FOLDER_TEST(connections_are_set_up)
{
    struct fixture *f = *state;
    struct db *w = fixture_open(f->path, DB_WRITE);
    struct db *r = fixture_open(f->path, DB_READ);
    assert_int_equal(fixture_int(w, "PRAGMA synchronous"), 2);
    assert_int_equal(fixture_int(w, "PRAGMA foreign_keys"), 1);
    assert_int_equal(fixture_int(w, "PRAGMA query_only"), 0);
    assert_int_equal(fixture_int(w, "PRAGMA mmap_size"), 0);
    assert_int_equal(fixture_int(w, "PRAGMA cache_size"), -4096);
    assert_int_equal(fixture_int(r, "PRAGMA cache_size"), -1024);
    assert_int_equal(fixture_int(r, "PRAGMA query_only"), 1);
    assert_int_equal(fixture_int(r, "PRAGMA journal_size_limit"), 32 << 20);
    fixture_run(w, "CREATE TABLE t (x)");
    assert_true(db_wal_size(f->path) > 0);
    db_close(r);
    db_close(w);
    assert_int_equal(db_wal_size(f->path), 0);
}

FOLDER_TEST(what_cannot_be_opened_names_its_path)
{
    struct fixture *f = *state;
    struct db *db = NULL;
    struct err err = {0};
    assert_int_equal(db_open(f->path, DB_READ, &db, &err), ERR_IO);
    assert_non_null(strstr(err.msg, f->path));
    assert_non_null(strstr(err.msg, "No such file"));
    assert_false(fs_exists(f->path));

    char junk[4096];
    memset(junk, 'j', sizeof junk);
    unit_write(f->folder, "test.db", junk, sizeof junk);
    err_clear(&err);
    assert_int_equal(db_open(f->path, DB_WRITE, &db, &err), ERR_IO);
    assert_non_null(strstr(err.msg, f->path));
    assert_null(db);
}

FOLDER_TEST(a_path_is_never_a_uri)
{
    struct fixture *f = *state;
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(f->folder), 0);
    struct db *db = fixture_open("file:plain?mode=memory", DB_WRITE);
    fixture_run(db, "CREATE TABLE t (x)");
    db_close(db);
    assert_true(fs_exists("file:plain?mode=memory"));
    assert_int_equal(fchdir(here), 0);
    close(here);
}

/* ---- errors ---- */

FOLDER_TEST(constraints_are_conflicts)
{
    struct db *db = with_table(state);
    struct err err = {0};
    must(insert(db, 1, &err), &err);
    assert_int_equal(insert(db, 1, &err), ERR_CONFLICT);
    assert_int_equal(err.code, ERR_CONFLICT);
    assert_non_null(strstr(err.msg, "t.x"));
    must(insert(db, 2, NULL), NULL);
    assert_int_equal(count(db), 2);

    fixture_run(db, "CREATE TABLE child (t INTEGER REFERENCES t)");
    err_clear(&err);
    assert_int_equal(db_run(db, "INSERT INTO child VALUES (99)", DB_NONE, &err), ERR_CONFLICT);
    assert_non_null(strstr(err.msg, "FOREIGN KEY"));
    db_close(db);
}

FOLDER_TEST(readers_cannot_write)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct db *r = fixture_open(f->path, DB_READ);
    struct err err = {0};
    assert_int_equal(insert(r, 1, &err), ERR_BUG);
    assert_non_null(strstr(err.msg, "readonly"));
    assert_int_equal(db_script(r, "CREATE TABLE u (x)", NULL), ERR_BUG);
    assert_int_equal(count(db), 0);
    db_close(r);
    db_close(db);
}

FOLDER_TEST(a_held_lock_is_busy)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct db *other = fixture_open(f->path, DB_WRITE);
    struct err err = {0};
    db_busy_timeout(other, 20);
    must(db_tx_begin(db, &err), &err);
    assert_int_equal(db_tx_begin(other, &err), ERR_BUSY);
    assert_false(db_in_tx(other));
    db_tx_rollback(db);
    must(db_tx_begin(other, NULL), NULL);
    must(db_tx_commit(other, NULL), NULL);
    db_close(other);
    db_close(db);
}

/* ---- transactions ---- */

FOLDER_TEST(savepoints_undo_their_part)
{
    struct db *db = with_table(state);
    struct err err = {0};
    must(db_tx_begin(db, &err), &err);
    must(insert(db, 1, &err), &err);
    must(db_savepoint(db, &err), &err);
    must(insert(db, 2, &err), &err);
    must(db_savepoint(db, &err), &err);
    must(insert(db, 3, &err), &err);
    db_savepoint_rollback(db);
    must(db_savepoint_release(db, &err), &err);
    must(db_savepoint(db, &err), &err);
    must(insert(db, 4, &err), &err);
    db_savepoint_rollback(db);
    must(db_tx_commit(db, &err), &err);
    assert_int_equal(fixture_int(db, "SELECT sum(x) FROM t"), 3);

    must(db_tx_begin(db, &err), &err);
    must(insert(db, 5, &err), &err);
    db_tx_rollback(db);
    db_tx_rollback(db);
    assert_int_equal(count(db), 2);
    db_close(db);
}

FOLDER_TEST(a_snapshot_sees_one_moment)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct db *r = fixture_open(f->path, DB_READ);
    struct err err = {0};
    int64_t before, after;
    must(insert(db, 1, &err), &err);
    must(db_data_version(r, &before, &err), &err);
    must(db_snapshot(r, &err), &err);
    assert_int_equal(count(r), 1);
    must(insert(db, 2, &err), &err);
    assert_int_equal(count(r), 1);
    must(db_snapshot(r, &err), &err);
    assert_int_equal(count(r), 1);
    db_snapshot_end(r);
    assert_int_equal(count(r), 1);
    db_snapshot_end(r);
    db_assert_idle(r);
    assert_int_equal(count(r), 2);
    must(db_data_version(r, &after, &err), &err);
    assert_true(before != after);
    db_close(r);
    db_close(db);
}

static void left_snapshot(void *db)
{
    db_snapshot(db, NULL);
    db_assert_idle(db);
}

FOLDER_TEST(a_left_snapshot_aborts)
{
    struct fixture *f = *state;
    db_close(with_table(state));
    struct db *r = fixture_open(f->path, DB_READ);
    assert_true(fixture_aborts(left_snapshot, r));
    db_close(r);
}

/* What ran after SQLite's own rollback would be committed alone. */
FOLDER_TEST(a_lost_transaction_refuses_the_rest)
{
    struct db *db = with_table(state);
    struct err err = {0};
    static const char big[64 * 1024];
    must(db_script(db, "PRAGMA max_page_count=10", &err), &err);
    must(db_tx_begin(db, &err), &err);
    must(insert(db, 1, &err), &err);
    must(db_savepoint(db, &err), &err);
    assert_int_equal(
        db_run(db, "INSERT INTO t (b) VALUES (?1)", DB_VALS(db_blob(big, sizeof big)), &err),
        ERR_FULL);
    assert_false(db_in_tx(db));
    err_clear(&err);
    assert_int_equal(insert(db, 2, &err), ERR_FULL);
    assert_non_null(strstr(err.msg, "full"));
    assert_int_equal(db_script(db, "DELETE FROM t", NULL), ERR_FULL);
    assert_int_equal(db_savepoint_release(db, NULL), ERR_FULL);
    db_savepoint_rollback(db);
    assert_int_equal(db_tx_commit(db, NULL), ERR_FULL);
    db_tx_rollback(db);
    assert_int_equal(count(db), 0);
    must(insert(db, 3, NULL), NULL);
    assert_int_equal(count(db), 1);
    db_close(db);
}

FOLDER_TEST(a_checkpoint_moves_the_log)
{
    struct fixture *f = *state;
    struct db *db = with_table(state);
    struct err err = {0};
    static const char big[256 * 1024];
    must(db_run(db, "INSERT INTO t (b) VALUES (?1)", DB_VALS(db_blob(big, sizeof big)), &err),
         &err);
    assert_true(fs_size(f->path) < (int64_t)sizeof big);
    assert_true(db_wal_size(f->path) > (int64_t)sizeof big);
    db_checkpoint(db);
    assert_true(fs_size(f->path) > (int64_t)sizeof big);
    db_close(db);
}
