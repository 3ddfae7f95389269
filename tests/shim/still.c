/* still.c - a preloaded library under which a program run twice says the same twice: the wall clock stands, and
 * randomness is a stream that only depends on how many programs ran before.
 *
 * HOLDOUT_STILL_MS     the wall clock, in milliseconds; the monotonic clock goes on, as waiting needs it
 * HOLDOUT_STILL_COUNT  a file with one byte for each program that was started so far
 *
 * An import writes what its threads have read by then, a record of its history for every few images: here they all
 * are read first (up to 1,024, as far as it reads ahead). Only `import` and `demo` wait so.
 *
 * Draws of each size have a stream of their own, so that a thread that draws a key of its own beside the one that
 * answers requests does not change what these get. libsodium takes its randomness from getrandom() too. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 257 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t program;
static uint64_t draws[SIZES];
static int64_t wall_ms;
static bool imports; /* this program is one */

static void __attribute__((constructor)) begin(void)
{
    const char *ms = getenv("HOLDOUT_STILL_MS");
    const char *count = getenv("HOLDOUT_STILL_COUNT");
    wall_ms = ms ? strtoll(ms, NULL, 10) : 0;
    int fd = count ? open(count, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    struct stat st;
    if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &st) != 0) abort();
    program = (uint64_t)st.st_size;
    close(fd);
    char line[4096] = "";
    fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    close(fd);
    const char *verb = n > 0 ? line + strlen(line) + 1 : "";
    imports = strcmp(verb, "import") == 0 || strcmp(verb, "demo") == 0;
}

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* SQLite's own, which draws the codes of studies. */
void sqlite3_randomness(int n, void *p);
void sqlite3_randomness(int n, void *p)
{
    if (n > 0 && p) getrandom(p, (size_t)n, 0);
}

ssize_t getrandom(void *p, size_t n, unsigned flags)
{
    (void)flags;
    size_t size = n < SIZES ? n : SIZES - 1;
    pthread_mutex_lock(&lock);
    uint64_t draw = draws[size]++;
    pthread_mutex_unlock(&lock);
    uint64_t state = mixed(program ^ mixed(size ^ mixed(draw)));
    for (size_t at = 0; at < n; at += 8) {
        state = mixed(state);
        memcpy((unsigned char *)p + at, &state, n - at < 8 ? n - at : 8);
    }
    return (ssize_t)n;
}

int getentropy(void *p, size_t n)
{
    return getrandom(p, n, 0) == (ssize_t)n ? 0 : -1;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) {
        t->tv_sec = (time_t)(wall_ms / 1000);
        t->tv_nsec = (long)(wall_ms % 1000) * 1000000;
        return 0;
    }
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    return real(id, t);
}

time_t time(time_t *p)
{
    time_t now = (time_t)(wall_ms / 1000);
    if (p) *p = now;
    return now;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    (void)zone;
    t->tv_sec = (time_t)(wall_ms / 1000);
    t->tv_usec = (suseconds_t)(wall_ms % 1000) * 1000;
    return 0;
}

/* --- imports --- */

struct task {
    void *(*run)(void *arg);
    void *arg;
};

static atomic_int busy;            /* threads that neither ended nor wait */
static _Thread_local bool counted; /* one of those that pthread_create began */

static void *counted_run(void *arg)
{
    struct task t = *(struct task *)arg;
    free(arg);
    counted = true;
    void *r = t.run(t.arg);
    atomic_fetch_sub(&busy, 1);
    return r;
}

int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attr, void *(*run)(void *), void *restrict arg)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (!imports) return real(id, attr, run, arg);
    struct task *t = malloc(sizeof *t);
    if (!t) abort();
    *t = (struct task){run, arg};
    atomic_fetch_add(&busy, 1);
    int rc = real(id, attr, counted_run, t);
    if (rc != 0) {
        atomic_fetch_sub(&busy, 1);
        free(t);
    }
    return rc;
}

int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
    static int (*real)(pthread_cond_t *, pthread_mutex_t *);
    if (!real) *(void **)&real = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2"); /* on x86 there is an older one too */
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_cond_wait");
    if (!imports) return real(c, m);
    if (counted) {
        atomic_fetch_sub(&busy, 1);
        int rc = real(c, m);
        atomic_fetch_add(&busy, 1);
        return rc;
    }
    if (atomic_load(&busy) == 0) return real(c, m);
    pthread_mutex_unlock(m);
    while (atomic_load(&busy) > 0) usleep(500);
    return pthread_mutex_lock(m);
}
