/* parallel.h - many equal pieces of work over a few threads. The pieces are taken in order, each by
 * whichever thread is free: what one writes must not depend on who runs it or when, and then results
 * do not depend on the number of threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

enum { PARALLEL_THREADS = 64 };

/* Calls run(arg, worker, i) for every i < n and returns when all are done. `worker` is below `threads`
 * and belongs to one thread at a time: room for each can be kept by it. The caller's thread is one of
 * them, worker 0; fewer threads do as well when the system gives no more. */
void parallel_for(unsigned threads, size_t n, void (*run)(void *arg, unsigned worker, size_t i),
                  void *arg);
/* Cores that this process may use, at most PARALLEL_THREADS. */
unsigned parallel_cores(void);

#endif
