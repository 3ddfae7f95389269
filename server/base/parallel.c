/* parallel.c - a counter that threads take the next piece from. */
#include "base/parallel.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/thread.h"

struct share {
    void (*run)(void *arg, unsigned worker, size_t i);
    void *arg;
    size_t n;
    atomic_size_t next;
};
struct worker {
    struct share *share;
    unsigned number;
    pthread_t thread;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    struct share *s = w->share;
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->n;) {
        s->run(s->arg, w->number, i);
    }
    return NULL;
}

void parallel_for(unsigned threads, size_t n, void (*run)(void *arg, unsigned worker, size_t i),
                  void *arg)
{
    struct share s = {.run = run, .arg = arg, .n = n};
    struct worker workers[PARALLEL_THREADS] = {{&s, 0, 0}};
    size_t most = threads > PARALLEL_THREADS ? PARALLEL_THREADS : threads;
    unsigned started = 1;
    most = most > n ? n : most;
    while (started < most) {
        struct worker *w = &workers[started];
        *w = (struct worker){&s, started, 0};
        if (thread_start(&w->thread, "part", work, w, NULL) != OK) {
            break;
        }
        started++;
    }
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

unsigned parallel_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    int n = CPU_COUNT(&set);
    return n > PARALLEL_THREADS ? PARALLEL_THREADS : n < 1 ? 1 : (unsigned)n;
}
