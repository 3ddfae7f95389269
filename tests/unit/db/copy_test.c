/* copy_test.c - copies of a database: beside a writer, stopped, onto what cannot be written. */
#include "fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "db/copy.h"
#include "unit_faults.h"

TESTS_SHARE(unit_faults_on, NULL)

enum { ROWS = 3000 };

/* Some 12 MiB, which are several steps. */
static struct db *filled(const struct fixture *f)
{
    struct db *db = fixture_open(f->path, DB_WRITE);
    fixture_run(db, "CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB) STRICT");
    fixture_run(db, "INSERT INTO t (b) SELECT randomblob(4000) FROM (WITH RECURSIVE n(i) AS"
                    " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i FROM n)");
    return db;
}

static char *beside(const struct fixture *f, char path[256])
{
    snprintf(path, 256, "%s/copy.db", f->folder);
    return path;
}

struct watch {
    struct db *writer;
    unsigned steps, stop_at;
    uint64_t last, all;
};

/* Commits between all steps. */
static bool watch(void *arg, uint64_t done, uint64_t all)
{
    struct watch *w = arg;
    assert_true(done > w->last && done <= all);
    w->last = done;
    w->all = all;
    if (w->writer) {
        fixture_run(w->writer, "UPDATE t SET b = zeroblob(4000) WHERE id % 7 = 0");
        fixture_run(w->writer, "INSERT INTO t (b) VALUES (zeroblob(4000))");
    }
    return ++w->steps != w->stop_at;
}

FOLDER_TEST(one_moment_beside_a_writer)
{
    struct fixture *f = *state;
    char to[256];
    struct db *writer = filled(f);
    struct watch w = {.writer = writer};
    struct err err = {0};
    must(db_copy(f->path, beside(f, to), watch, &w, &err), &err);
    assert_true(w.steps > 4);
    assert_int_equal(w.last, w.all);
    struct stat st;
    assert_int_equal(stat(to, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(fixture_stored(to, "SELECT count(*) FROM t"), ROWS);
    assert_int_equal(fixture_stored(to, "SELECT count(*) FROM t WHERE b = zeroblob(4000)"), 0);
    assert_int_equal(fixture_stored(to, "SELECT count(*) FROM pragma_integrity_check"
                                        " WHERE integrity_check = 'ok'"), 1);
    assert_int_equal(fixture_int(writer, "SELECT count(*) FROM t"), ROWS + (int)w.steps);
    db_close(writer);
}

FOLDER_TEST(stopped)
{
    struct fixture *f = *state;
    char to[256];
    db_close(filled(f));
    struct watch w = {.stop_at = 2};
    struct err err = {0};
    assert_int_equal(db_copy(f->path, beside(f, to), watch, &w, &err), ERR_BUSY);
    assert_string_equal(err.rule, "stopped");
    assert_false(fs_exists(to));
    err_clear(&err);
    must(db_copy(f->path, to, NULL, NULL, &err), &err);
    assert_int_equal(fixture_stored(to, "SELECT count(*) FROM t"), ROWS);
}

/* Never over something that is there, and nothing is left where nothing can be. */
FOLDER_TEST(refused)
{
    struct fixture *f = *state;
    char to[256];
    db_close(filled(f));
    struct err err = {0};
    unit_write(f->folder, "copy.db", "mine", 4);
    assert_int_equal(db_copy(f->path, beside(f, to), NULL, NULL, &err), ERR_IO);
    assert_non_null(strstr(err.msg, to));
    assert_int_equal(fs_size(to), 4);
    unlink(to);
    err_clear(&err);
    assert_int_equal(db_copy("nowhere.db", to, NULL, NULL, &err), ERR_IO);
    assert_false(fs_exists(to));
    err_clear(&err);
    unit_write(f->folder, "text", "this is no database at all, it only has its place", 49);
    char text[256];
    snprintf(text, sizeof text, "%s/text", f->folder);
    assert_int_equal(db_copy(text, to, NULL, NULL, &err), ERR_IO);
    assert_false(fs_exists(to));
}

static bool set_errno(void *arg, uint64_t done, uint64_t all)
{
    (void)arg;
    errno = ENOTTY;
    return done <= all;
}

/* The reason is the one that writing had, whatever happened in between. */
FOLDER_TEST(the_largest_file)
{
    struct fixture *f = *state;
    char to[256];
    struct rlimit was, small;
    db_close(filled(f));
    struct err err = {0};
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    small = (struct rlimit){64 << 10, was.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum err_code rc = db_copy(f->path, beside(f, to), set_errno, NULL, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, before);
    assert_int_equal(rc, ERR_IO);
    assert_non_null(strstr(err.msg, "File too large"));
    assert_false(fs_exists(to));
}

#ifdef FAULT_HOOKS
/* A full disk, or one that does not flush, at any moment: no copy, and the source is as it was. */
FOLDER_TEST(failing_disk)
{
    struct fixture *f = *state;
    char to[256];
    struct db *writer = filled(f);
    struct fault_switches *s = unit_faults();
    s->fail_space = 1;
    struct err err = {0};
    assert_int_equal(db_copy(f->path, beside(f, to), NULL, NULL, &err), ERR_FULL);
    assert_false(fs_exists(to));
    s->fail_space = 0;
    s->fail_sync = 1;
    err_clear(&err);
    assert_int_equal(db_copy(f->path, to, NULL, NULL, &err), ERR_IO);
    assert_false(fs_exists(to));
    s->fail_sync = 0;
    err_clear(&err);
    must(db_copy(f->path, to, NULL, NULL, &err), &err);
    assert_int_equal(fixture_int(writer, "SELECT count(*) FROM t"), ROWS);
    db_close(writer);
}
#endif
