/* fs_test.c - whole reads and writes, locks, walks; with the hooks: full disks and failed flushes. */
#include "unit_faults.h"

#include <sys/stat.h>
#include <sys/wait.h>

TESTS_SHARE(unit_faults_on, NULL)

struct fixture {
    char *dir;
    struct arena a;
    struct err err;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->dir = unit_folder();
    arena_init(&f->a, 1 << 20);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    unit_remove(f->dir);
    arena_release(&f->a);
    free(f);
    return 0;
}

static const char *at(struct fixture *f, const char *name)
{
    return fs_join(&f->a, f->dir, name);
}

static enum err_code count_one(void *arg, const char *relative, struct err *err)
{
    (void)relative, (void)err;
    ++*(size_t *)arg;
    return OK;
}

static size_t files_in(struct fixture *f)
{
    size_t n = 0;
    assert_int_equal(fs_walk(f->dir, count_one, &n, &f->err), OK);
    return n;
}

TEST_WITH(what_is_written_is_read, set_up, tear_down)
{
    struct fixture *f = *state;
    struct str s;
    str_init(&s, 200000);
    char *big = malloc(150000);
    assert_non_null(big);
    memset(big, 'x', 150000);
    assert_int_equal(fs_write_whole(at(f, "a"), "one\0two", 7, true, &f->err), OK);
    assert_int_equal(fs_write_whole(at(f, "a"), big, 150000, true, &f->err), OK);
    assert_int_equal(fs_size(at(f, "a")), 150000);
    assert_int_equal(fs_read(at(f, "a"), &s, &f->err), OK);
    assert_int_equal(s.n, 150000);
    assert_memory_equal(s.p, big, 150000);
    assert_int_equal(files_in(f), 1); /* no temporary file stays */
    assert_int_equal(fs_write_whole(at(f, "empty"), NULL, 0, false, &f->err), OK);
    assert_int_equal(fs_size(at(f, "empty")), 0);
    assert_int_equal(fs_sync_file(at(f, "empty"), &f->err), OK);
    assert_int_equal(fs_sync_dir(f->dir, &f->err), OK);
    assert_int_equal(fs_sync_dir(at(f, "empty"), &f->err), ERR_IO);
    err_clear(&f->err);
    assert_int_equal(fs_sync_all(f->dir, &f->err), OK);
    assert_int_equal(fs_sync_all(at(f, "empty"), &f->err), ERR_IO);
    err_clear(&f->err);
    assert_int_equal(fs_write_new(at(f, "new"), "12", 2, &f->err), OK);
    assert_int_equal(fs_write_new(at(f, "new"), "345", 3, &f->err), ERR_IO); /* it is there */
    assert_int_equal(fs_size(at(f, "new")), 2);
    err_clear(&f->err);
    assert_int_equal(unlink(at(f, "new")), 0);
    str_release(&s);
    free(big);
}

TEST_WITH(reads_are_capped_and_named, set_up, tear_down)
{
    struct fixture *f = *state;
    struct str s;
    str_init(&s, 10);
    unit_write(f->dir, "a", "0123456789", 10);
    unit_write(f->dir, "b", "0123456789a", 11);
    assert_int_equal(fs_read(at(f, "a"), &s, &f->err), OK);
    str_clear(&s);
    assert_int_equal(fs_read(at(f, "b"), &s, &f->err), ERR_LIMIT);
    assert_non_null(strstr(f->err.msg, "/b is larger than the limit"));
    str_clear(&s);
    err_clear(&f->err);
    assert_int_equal(fs_read(at(f, "none"), &s, &f->err), ERR_NOT_FOUND);
    err_clear(&f->err);
    assert_int_equal(fs_read(at(f, "a/b"), &s, &f->err), ERR_NOT_FOUND);
    err_clear(&f->err);
    assert_int_equal(fs_read(f->dir, &s, &f->err), ERR_IO);
    str_release(&s);
}

TEST_WITH(maps, set_up, tear_down)
{
    struct fixture *f = *state;
    struct fs_map m;
    unit_write(f->dir, "a", "mapped", 6);
    unit_write(f->dir, "empty", "", 0);
    assert_int_equal(fs_map(at(f, "a"), &m, &f->err), OK);
    assert_int_equal(m.n, 6);
    assert_memory_equal(m.data, "mapped", 6);
    fs_unmap(&m);
    assert_null(m.data);
    assert_int_equal(fs_map(at(f, "empty"), &m, &f->err), OK);
    assert_null(m.data);
    fs_unmap(&m);
    assert_int_equal(fs_map(f->dir, &m, &f->err), ERR_INPUT);
    err_clear(&f->err);
    assert_int_equal(fs_map(at(f, "none"), &m, &f->err), ERR_NOT_FOUND);
    err_clear(&f->err);
    assert_int_equal(mkfifo(at(f, "pipe"), 0600), 0);
    assert_int_equal(fs_map(at(f, "pipe"), &m, &f->err), ERR_INPUT); /* and waits for nobody */
    err_clear(&f->err);
    assert_int_equal(fs_copy_new(at(f, "pipe"), at(f, "copy"), &f->err), ERR_INPUT);
    assert_int_equal(unlink(at(f, "pipe")), 0);
}

TEST_WITH(folders, set_up, tear_down)
{
    struct fixture *f = *state;
    assert_int_equal(fs_mkdirs(at(f, "x/y/z"), &f->err), OK);
    assert_int_equal(fs_mkdirs(at(f, "x//y/z/"), &f->err), OK);
    assert_true(fs_is_dir(at(f, "x/y/z")));
    assert_true(fs_exists(at(f, "x")) && !fs_exists(at(f, "w")));
    assert_int_equal(fs_size(at(f, "x")), -1);
    unit_write(f->dir, "x/y/z/file", "", 0);
    assert_int_equal(fs_mkdirs(at(f, "x/y/z/file/w"), &f->err), ERR_IO);
    err_clear(&f->err);
    assert_int_equal(fs_mkdirs("", &f->err), ERR_IO);
    assert_string_equal(fs_join(&f->a, "a/", "b"), "a/b");
    assert_string_equal(fs_join(&f->a, "a", "b"), "a/b");
    assert_string_equal(fs_join(&f->a, "/", "b"), "/b");
}

/* A path of any length is an answer, not an abort. */
TEST_WITH(endless_paths_are_refused, set_up, tear_down)
{
    struct fixture *f = *state;
    size_t n = 20000;
    char *path = malloc(n + 1);
    assert_non_null(path);
    memset(path, 'a', n);
    path[n] = '\0';
    assert_int_equal(fs_write_whole(path, "x", 1, true, &f->err), ERR_IO);
    err_clear(&f->err);
    assert_int_equal(fs_mkdirs(path, &f->err), ERR_IO);
    free(path);
}

/* Tries the lock from another process; the exit status is the error code. */
static int try_lock(const char *path, bool exclusive)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int fd;
        _exit((int)fs_lock(path, exclusive, &fd, NULL));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST_WITH(locks, set_up, tear_down)
{
    struct fixture *f = *state;
    int fd;
    const char *path = at(f, "lock");
    assert_int_equal(fs_lock(path, false, &fd, &f->err), OK);
    assert_int_equal(try_lock(path, false), OK);
    assert_int_equal(try_lock(path, true), ERR_BUSY);
    fs_unlock(fd);
    assert_int_equal(fs_lock(path, true, &fd, &f->err), OK);
    assert_int_equal(try_lock(path, false), ERR_BUSY);
    fs_unlock(fd);
    assert_int_equal(try_lock(path, true), OK);
    assert_int_equal(fs_lock(at(f, "no/lock"), true, &fd, &f->err), ERR_IO);
    assert_int_equal(fd, -1);
    fs_unlock(fd);
}

struct seen {
    struct str names;
    int stop_after;
};

static enum err_code note(void *arg, const char *relative, struct err *err)
{
    struct seen *s = arg;
    str_printf(&s->names, "%s;", relative);
    return s->stop_after && --s->stop_after == 0 ? err_set(err, ERR_CONFLICT, "stop") : OK;
}

TEST_WITH(walks_are_sorted, set_up, tear_down)
{
    struct fixture *f = *state;
    struct seen s = {.stop_after = 0};
    str_init(&s.names, 1000);
    assert_int_equal(fs_mkdirs(at(f, "b/c"), &f->err), OK);
    static const char *const names[] = {"z", "b/y", "b/c/x", "a", "b.txt"};
    for (size_t i = 0; i < 5; i++) {
        unit_write(f->dir, names[i], "", 0);
    }
    unit_write(f->dir, ".hidden", "", 0);
    assert_int_equal(symlink(at(f, "a"), at(f, "link")), 0);
    assert_int_equal(symlink(f->dir, at(f, "loop")), 0);
    assert_int_equal(fs_walk(f->dir, note, &s, &f->err), OK);
    assert_string_equal(s.names.p, "a;b/c/x;b/y;b.txt;link;z;");
    str_clear(&s.names);
    s.stop_after = 2;
    assert_int_equal(fs_walk(f->dir, note, &s, &f->err), ERR_CONFLICT);
    assert_string_equal(s.names.p, "a;b/c/x;");
    assert_int_equal(fs_walk(at(f, "none"), note, &s, NULL), ERR_IO);
    str_release(&s.names);
    assert_int_equal(unlink(at(f, ".hidden")), 0);
    assert_int_equal(unlink(at(f, "loop")), 0);
    assert_int_equal(unlink(at(f, "link")), 0);
}

/* Bytes, holes and no more rights; never over something that is there. */
TEST_WITH(copies_are_like_the_original, set_up, tear_down)
{
    struct fixture *f = *state;
    enum { DATA = 70000, END = 3 << 20 };
    static char data[DATA];
    struct stat from, to;
    struct fs_map a, b;
    memset(data, 'x', sizeof data);
    unit_write(f->dir, "a", data, sizeof data);
    assert_int_equal(truncate(at(f, "a"), END), 0);
    assert_int_equal(chmod(at(f, "a"), 0600), 0);
    assert_int_equal(fs_copy_new(at(f, "a"), at(f, "b"), &f->err), OK);
    assert_int_equal(stat(at(f, "a"), &from), 0);
    assert_int_equal(stat(at(f, "b"), &to), 0);
    assert_int_equal(to.st_size, END);
    assert_true(to.st_blocks <= from.st_blocks + 16);
    assert_int_equal(to.st_mode & 0777, 0600);
    assert_int_equal(fs_map(at(f, "a"), &a, &f->err), OK);
    assert_int_equal(fs_map(at(f, "b"), &b, &f->err), OK);
    assert_memory_equal(a.data, b.data, END);
    fs_unmap(&a);
    fs_unmap(&b);
    assert_int_equal(fs_copy_new(at(f, "a"), at(f, "b"), &f->err), ERR_IO);
    assert_non_null(strstr(f->err.msg, "File exists"));
    err_clear(&f->err);
    assert_int_equal(fs_copy_new(at(f, "none"), at(f, "c"), &f->err), ERR_NOT_FOUND);
    err_clear(&f->err);
    assert_int_equal(fs_copy_new(f->dir, at(f, "c"), &f->err), ERR_INPUT);
    unit_write(f->dir, "empty", "", 0);
    err_clear(&f->err);
    assert_int_equal(fs_copy_new(at(f, "empty"), at(f, "c"), &f->err), OK);
    assert_int_equal(fs_size(at(f, "c")), 0);
}

/* Below a folder that others can write, links lead nowhere. */
TEST_WITH(links_below_a_folder_are_not_followed, set_up, tear_down)
{
    struct fixture *f = *state;
    struct str text;
    int fd;
    assert_int_equal(fs_mkdirs(at(f, "in/deep"), &f->err), OK);
    unit_write(f->dir, "secret", "no", 2);
    unit_write(at(f, "in/deep"), "a", "yes", 3);
    assert_int_equal(symlink(at(f, "secret"), at(f, "in/link")), 0);
    assert_int_equal(symlink(f->dir, at(f, "in/away")), 0);
    assert_int_equal(symlink("deep", at(f, "in/beside")), 0);
    assert_int_equal(fs_open_below(at(f, "in"), "deep/a", &fd, &f->err), OK);
    str_init(&text, 100);
    assert_int_equal(fs_read_fd(fd, "a", &text, &f->err), OK);
    assert_string_equal(text.p, "yes");
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(fs_copy_fd(fd, "a", at(f, "copy"), &f->err), OK);
    assert_int_equal(fs_size(at(f, "copy")), 3);
    close(fd);
    static const char *const links[] = {"link", "away/secret", "beside/a"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(fs_open_below(at(f, "in"), links[i], &fd, &f->err), ERR_INPUT);
        assert_string_equal(f->err.rule, "link");
        err_clear(&f->err);
    }
    static const char *const nothing[] = {"none", "deep/none", "deep/a/b", "../secret", "deep/../../secret"};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(fs_open_below(at(f, "in"), nothing[i], &fd, &f->err), ERR_NOT_FOUND);
        err_clear(&f->err);
    }
    assert_int_equal(unlink(at(f, "in/away")), 0); /* links to folders are nothing that unit_remove walks */
    assert_int_equal(unlink(at(f, "in/beside")), 0);
    str_release(&text);
}

#ifdef FAULT_HOOKS
TEST_WITH(a_full_disk_leaves_nothing, set_up, tear_down)
{
    struct fixture *f = *state;
    struct fault_switches *s = unit_faults();
    unit_write(f->dir, "a", "old", 3);
    s->fail_space = 1;
    assert_int_equal(fs_write_whole(at(f, "a"), "newer", 5, true, &f->err), ERR_FULL);
    assert_int_equal(fs_size(at(f, "a")), 3);
    assert_int_equal(files_in(f), 1);
}

TEST_WITH(a_failed_flush_leaves_the_old_file, set_up, tear_down)
{
    struct fixture *f = *state;
    struct fault_switches *s = unit_faults();
    unit_write(f->dir, "a", "old", 3);
    s->fail_sync = 1;
    assert_int_equal(fs_write_whole(at(f, "a"), "newer", 5, true, &f->err), ERR_IO);
    assert_int_equal(fs_size(at(f, "a")), 3);
    assert_int_equal(files_in(f), 1);
    err_clear(&f->err);
    s->fail_sync = 1;
    assert_int_equal(fs_write_whole(at(f, "a"), "newer", 5, false, &f->err), OK); /* no flush */
    assert_int_equal(s->fail_sync, 1);
    assert_int_equal(fs_sync_dir(f->dir, &f->err), ERR_IO);
    err_clear(&f->err);
    s->fail_sync = 1;
    assert_int_equal(fs_sync_all(f->dir, &f->err), ERR_IO);
    err_clear(&f->err);
    s->fail_space = 1;
    assert_int_equal(fs_write_new(at(f, "b"), "new", 3, &f->err), ERR_FULL);
    assert_int_equal(fs_size(at(f, "b")), -1);
    err_clear(&f->err);
    s->fail_space = 1;
    assert_int_equal(fs_copy_new(at(f, "a"), at(f, "b"), &f->err), ERR_FULL);
    assert_int_equal(fs_size(at(f, "b")), -1);
}

TEST_WITH(short_writes_are_continued, set_up, tear_down)
{
    struct fixture *f = *state;
    struct fault_switches *s = unit_faults();
    struct str text;
    str_init(&text, 100);
    s->short_write = 2;
    assert_int_equal(fs_write_whole(at(f, "a"), "0123456789", 10, true, &f->err), OK);
    assert_int_equal(s->short_write, 0);
    assert_int_equal(fs_read(at(f, "a"), &text, &f->err), OK);
    assert_string_equal(text.p, "0123456789");
    str_release(&text);
}
#endif
