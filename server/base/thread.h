/* thread.h - threads with names, and nothing else: locks are plain pthread ones. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

#include "base/err.h"

/* Starts a thread with all signals blocked (the main thread handles them). `name` shows in
 * top and gdb, at most 15 characters. */
enum err_code thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *arg,
                           struct err *err);

#endif
