/* open_files.c - a table with one place for each number: a newcomer pushes out who has its place. Sources
 * are numbered one after the other, so that as many as fit have places of their own. */
#include "web/core/open_files.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { SHARE = 4 }; /* of the descriptors that the process may have: connections need theirs */

struct open_files {
    pthread_mutex_t lock;
    size_t n;
    struct open_file *files[];
};

/* How many the system lets us have when asked: the usual soft limit is no more than our connections. */
static size_t descriptors(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) != 0) {
        return 0;
    }
    struct rlimit all = {r.rlim_max, r.rlim_max};
    if (r.rlim_cur < r.rlim_max && setrlimit(RLIMIT_NOFILE, &all) == 0) {
        r = all;
    }
    return (size_t)r.rlim_cur;
}

struct open_files *open_files_new(size_t most)
{
    size_t n = descriptors() / SHARE;
    n = n < most ? n : most;
    struct open_files *o = xcalloc(1, sizeof *o + n * sizeof(struct open_file *));
    o->n = n;
    pthread_mutex_init(&o->lock, NULL);
    return o;
}

void open_files_free(struct open_files *o)
{
    if (o) {
        for (size_t i = 0; i < o->n; i++) {
            open_file_release(o->files[i]);
        }
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
}

static struct open_file *hold(struct open_file *f)
{
    atomic_fetch_add_explicit(&f->references, 1, memory_order_relaxed);
    return f;
}

void open_file_release(struct open_file *f)
{
    if (f && atomic_fetch_sub_explicit(&f->references, 1, memory_order_acq_rel) == 1) {
        close(f->fd);
        free(f);
    }
}

struct open_file *open_files_get(struct open_files *o, uint64_t number)
{
    if (o->n == 0) {
        return NULL;
    }
    pthread_mutex_lock(&o->lock);
    struct open_file *f = o->files[number % o->n];
    f = f && f->number == number ? hold(f) : NULL;
    pthread_mutex_unlock(&o->lock);
    return f;
}

struct open_file *open_files_put(struct open_files *o, const struct open_file *f)
{
    struct open_file *kept = xcalloc(1, sizeof *kept), *before = NULL;
    kept->fd = f->fd;
    kept->number = f->number;
    kept->first = f->first;
    kept->n = f->n;
    kept->tail = f->tail;
    atomic_init(&kept->references, 1);
    if (o->n) {
        pthread_mutex_lock(&o->lock);
        before = o->files[f->number % o->n];
        o->files[f->number % o->n] = hold(kept);
        pthread_mutex_unlock(&o->lock);
    }
    open_file_release(before);
    return kept;
}
