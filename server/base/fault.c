/* fault.c - reads the switches of fault.h; empty in builds without FAULT_HOOKS. */
#include "base/fault.h"

#ifdef FAULT_HOOKS
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct fault_switches *switches;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void map_file(void)
{
    const char *path = getenv("HOLDOUT_FAULT_FILE");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) {
        return;
    }
    if (ftruncate(fd, sizeof *switches) == 0) {
        void *p = mmap(NULL, sizeof *switches, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        switches = p == MAP_FAILED ? NULL : p;
    }
    close(fd);
}

static struct fault_switches *get(void)
{
    pthread_once(&once, map_file);
    return switches;
}

/* One use of a counting switch. */
static int take(int32_t *n)
{
    int32_t left = __atomic_load_n(n, __ATOMIC_RELAXED);
    while (left > 0 && !__atomic_compare_exchange_n(n, &left, left - 1, 0, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
    }
    return left != 0;
}

int64_t fault_clock_ms(void)
{
    struct fault_switches *s = get();
    return s ? __atomic_load_n(&s->clock_ms, __ATOMIC_RELAXED) : 0;
}

/* As kill -9 from outside, but at a moment that a test can name. */
static void count_to_kill(struct fault_switches *s)
{
    if (s && take(&s->kill_after) && __atomic_load_n(&s->kill_after, __ATOMIC_RELAXED) == 0) {
        kill(getpid(), SIGKILL);
    }
}

int fault_sync(void)
{
    struct fault_switches *s = get();
    count_to_kill(s);
    return s && take(&s->fail_sync) ? EIO : 0;
}

int fault_space(void)
{
    struct fault_switches *s = get();
    count_to_kill(s);
    return s && take(&s->fail_space) ? ENOSPC : 0;
}

int fault_short(void)
{
    struct fault_switches *s = get();
    return s && take(&s->short_write);
}

int fault_arena(void)
{
    struct fault_switches *s = get();
    return s && take(&s->arena_after) && __atomic_load_n(&s->arena_after, __ATOMIC_RELAXED) == 0;
}

int fault_unflushed(void)
{
    return getenv("HOLDOUT_FAULT_UNFLUSHED") != NULL;
}
#else
typedef int fault_hooks_are_off;
#endif
