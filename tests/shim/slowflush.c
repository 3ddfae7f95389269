/* slowflush.c - LD_PRELOAD: every fsync and fdatasync first sleeps HOLDOUT_FLUSH_US microseconds.
 *
 * Used by tests/bench/run: a disk whose flush takes 2 ms, on any machine. Knows nothing of the
 * program it is loaded into. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int flush_fn(int fd);

static flush_fn *real_fsync, *real_fdatasync;
static struct timespec delay;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* dlsym returns an object pointer; POSIX promises that it may be read as a function's. */
static flush_fn *next_of(const char *name)
{
    union {
        void *object;
        flush_fn *function;
    } u = {.object = dlsym(RTLD_NEXT, name)};
    return u.function;
}

static void set_up(void)
{
    const char *text = getenv("HOLDOUT_FLUSH_US");
    long us = text ? strtol(text, NULL, 10) : 0;
    us = us < 0 ? 0 : us > 60000000 ? 60000000 : us;
    delay = (struct timespec){us / 1000000, us % 1000000 * 1000};
    real_fsync = next_of("fsync");
    real_fdatasync = next_of("fdatasync");
    if (!real_fsync || !real_fdatasync) {
        abort();
    }
}

static void wait_first(void)
{
    pthread_once(&once, set_up);
    struct timespec left = delay;
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

int fsync(int fd)
{
    wait_first();
    return real_fsync(fd);
}

int fdatasync(int fd)
{
    wait_first();
    return real_fdatasync(fd);
}
