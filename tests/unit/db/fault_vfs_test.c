/* fault_vfs_test.c - the writer on a disk that fails: server/db/fault_vfs.c, writer.c, db.c.
 * Nothing acknowledged may be missing, neither in the running database nor after a crash, and
 * nothing that was refused may be in the running one. Needs a build with FAULT_HOOKS. */
#include "bench.h"

#ifdef FAULT_HOOKS
#include <fcntl.h>
#include <sys/mman.h>

#include "base/fault.h"
#include "base/rng.h"
#include "base/thread.h"

enum { THREADS = 8, EACH = 200, QUEUE = 4096 };

#define COUNT "SELECT count(*) FROM t"

/* The switches and the file that holds them: one for the whole program, see base/fault.h. */
static struct fault_switches *switches;
static char *switch_folder;

static int map_switches(void **state)
{
    (void)state;
    char *path = NULL;
    switch_folder = unit_folder();
    assert_true(asprintf(&path, "%s/switches", switch_folder) > 0);
    /* Not by base/fs.h, which looks for the switches itself, and only once. */
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, sizeof *switches), 0);
    switches = mmap(NULL, sizeof *switches, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(switches != MAP_FAILED);
    close(fd);
    assert_int_equal(setenv("HOLDOUT_FAULT_FILE", path, 1), 0);
    free(path);
    return 0;
}

static int unmap_switches(void **state)
{
    (void)state;
    munmap(switches, sizeof *switches);
    unit_remove(switch_folder);
    return 0;
}

TESTS_SHARE(map_switches, unmap_switches)

static void turn(int32_t *which, int32_t value)
{
    __atomic_store_n(which, value, __ATOMIC_RELAXED);
}

static int off(void **state)
{
    turn(&switches->fail_sync, 0);
    turn(&switches->fail_space, 0);
    turn(&switches->short_write, 0);
    return fixture_drop(state);
}

/* One row that is stored, so that the log and its header are there. */
static void start(struct bench *b, void **state)
{
    struct item it = {.x = 1000};
    bench_start(b, *state, QUEUE, NULL, 0);
    assert_int_equal(bench_call(b, &it), OK);
}

/* ---- a disk that fails until it is repaired ---- */

static void nothing_is_acknowledged(void **state, int32_t *which, enum err_code code)
{
    struct bench b;
    struct item items[10] = {0}, alone = {.x = 20}, later = {.x = 30};
    start(&b, state);
    turn(which, -1);
    assert_int_equal(bench_call(&b, &alone), code);
    for (int i = 0; i < 10; i++) {
        items[i].x = i;
    }
    struct item gate = {0};
    bench_close_gate(&b, &gate); /* the gate writes nothing and so succeeds */
    for (int i = 0; i < 10; i++) {
        must(bench_submit(&b, &items[i], NULL), NULL);
    }
    bench_open_gate(&b);
    bench_wait_done(&b, 11);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(items[i].result.code, code);
    }
    assert_int_equal(bench_read(&b, &b.reloads), 12); /* alone, the batch, ten one by one */
    assert_int_equal(fixture_stored(b.f->path, COUNT), 1);
    turn(which, 0);
    assert_int_equal(bench_call(&b, &later), OK);
    assert_int_equal(fixture_crashed(b.f, COUNT " WHERE x IN (30, 1000)"), 2);
    assert_int_equal(fixture_crashed(b.f, COUNT), 2);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 2);
}

TEST_WITH(a_failing_flush_is_no_success, fixture_make, off)
{
    nothing_is_acknowledged(state, &switches->fail_sync, ERR_IO);
}

TEST_WITH(a_full_disk_is_no_success, fixture_make, off)
{
    nothing_is_acknowledged(state, &switches->fail_space, ERR_FULL);
}

TEST_WITH(a_short_write_is_no_success, fixture_make, off)
{
    nothing_is_acknowledged(state, &switches->short_write, ERR_IO);
}

/* ---- a disk that fails once ---- */

static void a_batch_survives(void **state, int32_t *which)
{
    struct bench b;
    struct item items[10] = {0};
    start(&b, state);
    for (int i = 0; i < 10; i++) {
        items[i].x = i;
    }
    turn(which, 1);
    bench_batch(&b, items, 10);
    assert_int_equal(*which, 0);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(items[i].result.code, OK);
    }
    assert_int_equal(b.reloads, 1);
    assert_int_equal(fixture_crashed(b.f, COUNT), 11);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT), 11);
}

TEST_WITH(one_failed_flush_is_made_good, fixture_make, off)
{
    a_batch_survives(state, &switches->fail_sync);
}

TEST_WITH(one_full_disk_is_made_good, fixture_make, off)
{
    a_batch_survives(state, &switches->fail_space);
}

TEST_WITH(one_short_write_is_made_good, fixture_make, off)
{
    a_batch_survives(state, &switches->short_write);
}

/* ---- many clients, random failures ---- */

struct client {
    struct bench *b;
    int64_t first;
    bool ok[EACH];
};

static void *submit_many(void *arg)
{
    struct client *c = arg;
    for (int i = 0; i < EACH; i++) {
        struct item it = {.x = c->first + i, .bytes = 500};
        c->ok[i] = bench_call(c->b, &it) == OK;
        assert_true(c->ok[i] || it.result.code == ERR_IO || it.result.code == ERR_FULL);
    }
    return NULL;
}

static void *shake(void *arg)
{
    int *stop = arg;
    struct rng r;
    rng_seed(&r, 7);
    while (!__atomic_load_n(stop, __ATOMIC_RELAXED)) {
        int32_t *const all[] = {&switches->fail_sync, &switches->fail_space,
                                &switches->short_write};
        turn(all[rng_below(&r, 3)], (int32_t)rng_below(&r, 3));
        usleep((useconds_t)rng_below(&r, 500));
    }
    return NULL;
}

static int64_t is_stored(struct db *db, int64_t x)
{
    int64_t n = 0;
    struct err err = {0};
    must(db_one_int(db, COUNT " WHERE x = ?1", DB_VALS(db_int(x)), &n, &err), &err);
    return n;
}

TEST_WITH(a_storm_tells_the_truth, fixture_make, off)
{
    static struct client clients[THREADS];
    struct bench b;
    pthread_t threads[THREADS], shaker;
    struct err err = {0};
    int stop = 0;
    int64_t ok = 0;
    start(&b, state);
    must(thread_start(&shaker, "shaker", shake, &stop, &err), &err);
    for (int i = 0; i < THREADS; i++) {
        clients[i] = (struct client){.b = &b, .first = (int64_t)i * EACH + 10000};
        must(thread_start(&threads[i], "client", submit_many, &clients[i], &err), &err);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(shaker, NULL);
    struct db *db = fixture_open(b.f->path, DB_READ);
    for (int i = 0; i < THREADS * EACH; i++) {
        bool told = clients[i / EACH].ok[i % EACH];
        assert_int_equal(is_stored(db, 10000 + i), told);
        ok += told;
    }
    db_close(db);
    assert_true(ok > 0 && ok < THREADS * EACH);
    assert_true(bench_read(&b, &b.reloads) > 0);
    turn(&switches->fail_sync, 0);
    turn(&switches->fail_space, 0);
    turn(&switches->short_write, 0);
    /* What was written last may have reached the disk though its flush failed: a crash brings it
     * back, until the next commit overwrites it. Never is there less than what was told. */
    struct item last = {.x = 1};
    assert_true(fixture_crashed(b.f, COUNT " WHERE x >= 10000") >= ok);
    assert_int_equal(bench_call(&b, &last), OK);
    assert_int_equal(fixture_crashed(b.f, COUNT " WHERE x >= 10000"), ok);
    bench_stop(&b);
    assert_int_equal(fixture_stored(b.f->path, COUNT " WHERE x >= 10000"), ok);
    assert_int_equal(fixture_stored(b.f->path, "SELECT count(*) FROM pragma_integrity_check"
                                               " WHERE integrity_check = 'ok'"),
                     1);
}

#else
TEST(needs_hooks)
{
    print_message("SKIPPED: built without FAULT_HOOKS\n");
    skip();
}
#endif
