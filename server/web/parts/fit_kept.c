/* fit_kept.c - the last intervals of lines over images. */
#include "web/parts/fit_kept.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum { KEPT_MOST = 64 };

struct fit_kept {
    pthread_mutex_t lock; /* held while one is made: who waited finds it */
    struct {
        bool any;
        uint64_t key;
        struct fit_ranges ranges;
    } slots[KEPT_MOST];
    unsigned next; /* the oldest */
};

struct fit_kept *fit_kept_new(void)
{
    struct fit_kept *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

void fit_kept_free(struct fit_kept *k)
{
    if (k) {
        pthread_mutex_destroy(&k->lock);
    }
    free(k);
}

enum err_code fit_kept_get(struct ctx *c, uint64_t key, enum err_code (*make)(void *arg, struct fit_ranges *out), void *arg,
                           struct fit_ranges *out)
{
    struct fit_kept *k = app_fit_kept(c->app);
    unsigned i = 0;
    enum err_code rc = OK;
    pthread_mutex_lock(&k->lock);
    while (i < KEPT_MOST && !(k->slots[i].any && k->slots[i].key == key)) {
        i++;
    }
    if (i < KEPT_MOST) {
        *out = k->slots[i].ranges;
    } else {
        rc = make(arg, out);
    }
    if (i == KEPT_MOST && rc == OK) {
        i = k->next++ % KEPT_MOST;
        k->slots[i].any = true;
        k->slots[i].key = key;
        k->slots[i].ranges = *out;
    }
    pthread_mutex_unlock(&k->lock);
    return rc;
}
