/* unit.h - what cmocka programs share: its headers in the order it wants, how tests are written down, a scratch
 * arena and folder, the place of golden data. Included first by tests; knows nothing of any module. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"

/* A test is TEST(what_it_says) { ... }. It registers itself, so that it is named once, and the tests of a program run in
 * the order of its file. TEST_WITH's functions run before and after this test, and what the first puts into *state is the
 * test's; headers of fixtures have a shorter word for theirs. TESTS_SHARE's run before the first test of the program and
 * after its last. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, before, after)                                                                                 \
    static void test_##name(void **state);                                                                             \
    __attribute__((constructor)) static void unit_add_##name(void)                                                     \
    {                                                                                                                  \
        static struct unit_test unit_this = {{#name, test_##name, before, after, NULL}, __LINE__, NULL};               \
        unit_add(&unit_this);                                                                                          \
    }                                                                                                                  \
    static void test_##name(void **state __attribute__((unused)))
#define TESTS_SHARE(before, after)                                                                                     \
    __attribute__((constructor)) static void unit_share_both(void)                                                     \
    {                                                                                                                  \
        unit_share(before, after);                                                                                     \
    }

struct unit_test {
    struct CMUnitTest test;
    int line;
    struct unit_test *next;
};

void unit_add(struct unit_test *test);
void unit_share(CMFixtureFunction before, CMFixtureFunction after);
/* Runs what is registered, and is the whole main of a program that has none; returns what main does. */
int unit_run(void);

static inline void assert_sv(struct sv got, const char *want)
{
    if (!sv_is(got, want)) {
        fail_msg("got \"" SV_FMT "\", want \"%s\"", SV_ARG(got), want);
    }
}

/* Memory and an error, both empty when the test begins, for a file whose functions all need them. */
#define ARENA_TEST(name) TEST_WITH(name, unit_arena_open, unit_arena_close)
extern struct arena unit_arena;
extern struct err unit_err;
int unit_arena_open(void **state);
int unit_arena_close(void **state);

/* Where folders of tests are made: $TMPDIR, or in memory where there is room, because a flush costs nothing there and
 * no unit test asks what survives a power cut, or /tmp. */
static inline const char *unit_base(void)
{
    const char *base = getenv("TMPDIR"), *memory = "/dev/shm";
    struct statvfs fs;
    if (base && *base) {
        return base;
    }
    bool room = access(memory, W_OK) == 0 && statvfs(memory, &fs) == 0 &&
                (uint64_t)fs.f_bavail * fs.f_frsize >= UINT64_C(1) << 30;
    return room ? memory : "/tmp";
}

/* A new empty folder below unit_base(); the caller frees the name. */
static inline char *unit_folder(void)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/holdout-XXXXXX", unit_base()) > 0);
    assert_non_null(mkdtemp(path));
    return path;
}

static inline void unit_write(const char *folder, const char *name, const void *p, size_t n)
{
    struct arena a;
    struct err err = {0};
    arena_init(&a, 1 << 20);
    assert_int_equal(fs_write_whole(fs_join(&a, folder, name), p, n, false, &err), OK);
    arena_release(&a);
}

static inline enum err_code unit_forget(void *folder, const char *relative, struct err *err)
{
    struct arena a;
    (void)err;
    arena_init(&a, 1 << 20);
    char *path = fs_join(&a, folder, relative);
    assert_int_equal(unlink(path), 0);
    /* Only folders below the one that is removed: what holds it is not the test's. */
    size_t own = strlen(folder);
    for (char *slash = strrchr(path, '/'); (size_t)(slash - path) > own;
         slash = strrchr(path, '/')) {
        *slash = '\0';
        if (rmdir(path) != 0) {
            break; /* something else is left in it */
        }
    }
    arena_release(&a);
    return OK;
}

/* Removes a folder with its files (an emptied subfolder goes with its last file) and frees its
 * name. */
static inline void unit_remove(char *folder)
{
    struct err err = {0};
    assert_int_equal(fs_walk(folder, unit_forget, folder, &err), OK);
    rmdir(folder);
    assert_false(fs_exists(folder));
    free(folder);
}

/* The golden folder, or NULL after having said so: then the test calls skip(). */
static inline const char *unit_golden(void)
{
    const char *path = getenv("HOLDOUT_GOLDEN");
    if (!path || !*path) {
        print_message("SKIPPED: HOLDOUT_GOLDEN is not set\n");
        return NULL;
    }
    return path;
}

#endif
