/* thread.c - starting named threads, and waiting on conditions. */
#include "base/thread.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum err_code thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *arg,
                           struct err *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(out, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0) {
        return err_errno(err, rc, "cannot start the %s thread", name);
    }
    pthread_setname_np(*out, name);
    return OK;
}

void thread_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t clock;
    BUG_IF(pthread_condattr_init(&clock) != 0);
    BUG_IF(pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) != 0);
    BUG_IF(pthread_cond_init(cond, &clock) != 0);
    pthread_condattr_destroy(&clock);
}

void thread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns)
{
    /* Not clock_mono_ns: the condition knows nothing of a clock that a test shifted. */
    int64_t at = clock_socket_ns() + (ns > 0 ? ns : 0);
    struct timespec until = {.tv_sec = (time_t)(at / 1000000000), .tv_nsec = (long)(at % 1000000000)};
    pthread_cond_timedwait(cond, lock, &until);
}
