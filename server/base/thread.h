/* thread.h - threads with names, and conditions that wait for a time; locks are plain pthread ones. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdint.h>

#include "base/err.h"

/* Starts a thread with all signals blocked (the main thread handles them). `name` shows in
 * top and gdb, at most 15 characters. */
enum err_code thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *arg,
                           struct err *err);

/* A condition whose waits a wall clock that is set does not change; pthread_cond_destroy ends it. */
void thread_cond_init(pthread_cond_t *cond);
/* Waits at most `ns` nanoseconds; like any wait on a condition it may also end early. The lock is held. */
void thread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, int64_t ns);

#endif
