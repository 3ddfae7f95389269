/* fixture.c - scratch databases for the tests of db/. */
#include "fixture.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/xalloc.h"

enum { COPY_MAX = 256 << 20 };

int fixture_make(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->folder = unit_folder();
    assert_true(asprintf(&f->path, "%s/test.db", f->folder) > 0);
    *state = f;
    return 0;
}

int fixture_drop(void **state)
{
    struct fixture *f = *state;
    unit_remove(f->folder);
    free(f->path);
    free(f);
    return 0;
}

void must(enum err_code rc, const struct err *err)
{
    if (rc != OK) {
        fail_msg("%s: %s", err_word(rc), err->msg);
    }
}

struct db *fixture_open(const char *path, enum db_mode mode)
{
    struct db *db = NULL;
    struct err err = {0};
    must(db_open(path, mode, &db, &err), &err);
    return db;
}

void fixture_run(struct db *db, const char *literal)
{
    struct err err = {0};
    must(db_run(db, literal, DB_NONE, &err), &err);
}

int64_t fixture_int(struct db *db, const char *literal)
{
    struct err err = {0};
    int64_t n = -1;
    must(db_one_int(db, literal, DB_NONE, &n, &err), &err);
    return n;
}

int64_t fixture_stored(const char *path, const char *literal)
{
    struct db *db = fixture_open(path, DB_READ);
    int64_t n = fixture_int(db, literal);
    db_close(db);
    return n;
}

static void copy_file(const char *from, const char *to)
{
    struct str s;
    struct err err = {0};
    str_init(&s, COPY_MAX);
    must(fs_read(from, &s, &err), &err);
    must(fs_write_whole(to, s.p ? s.p : "", s.n, false, &err), &err);
    str_release(&s);
}

int64_t fixture_crashed(const struct fixture *f, const char *literal)
{
    struct arena a;
    arena_init(&a, 1 << 16);
    const char *log = arena_printf(&a, "%s-wal", f->path);
    char *copy = arena_printf(&a, "%s/crashed.db", f->folder);
    char *copy_wal = arena_printf(&a, "%s/crashed.db-wal", f->folder);
    /* The log first: the writer may be moving it into the database meanwhile, and what it holds twice is no harm. Half
     * of it would be, where it is emptied while it is read: no crash leaves that. */
    struct stat before, after;
    do {
        assert_int_equal(stat(log, &before), 0);
        copy_file(log, copy_wal);
        copy_file(f->path, copy);
        assert_int_equal(stat(log, &after), 0);
    } while (before.st_size != after.st_size);
    int64_t n = fixture_stored(copy, literal);
    assert_int_equal(unlink(copy), 0);
    arena_release(&a);
    return n;
}

bool fixture_aborts(void (*fn)(void *), void *arg)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDERR_FILENO); /* the message is expected */
        fn(arg);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}
