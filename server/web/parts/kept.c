/* kept.c - a ring of results behind one lock. */
#include "web/parts/kept.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct slot {
    bool any;
    uint64_t key;
    void *result;
    struct arena arena;
};
struct kept_results {
    pthread_mutex_t lock; /* held while one is made */
    struct slot *slots;
    unsigned most, next; /* the oldest */
};

struct kept_results *kept_new(size_t size, unsigned most, size_t arena_most)
{
    struct kept_results *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    k->most = most;
    k->slots = xcalloc(most, sizeof *k->slots);
    for (unsigned i = 0; i < most; i++) {
        k->slots[i].result = xcalloc(1, size);
        arena_init(&k->slots[i].arena, arena_most);
    }
    return k;
}

void kept_free(struct kept_results *k)
{
    for (unsigned i = 0; k && i < k->most; i++) {
        free(k->slots[i].result);
        arena_release(&k->slots[i].arena);
    }
    if (k) {
        free(k->slots);
        pthread_mutex_destroy(&k->lock);
    }
    free(k);
}

static enum err_code make(struct slot *s, uint64_t key, const struct kept_ways *ways, void *arg)
{
    arena_clear(&s->arena);
    s->any = false;
    s->key = key;
    enum err_code rc = ways->make(arg, &s->arena, s->result);
    s->any = rc == OK;
    return rc;
}

enum err_code kept_get(struct kept_results *k, uint64_t key, const struct kept_ways *ways, void *arg)
{
    enum err_code rc = OK;
    unsigned i = 0;
    pthread_mutex_lock(&k->lock);
    while (i < k->most && !(k->slots[i].any && k->slots[i].key == key)) {
        i++;
    }
    if (i == k->most) {
        i = k->next++ % k->most;
        rc = make(&k->slots[i], key, ways, arg);
    }
    if (rc == OK) {
        ways->copy(arg, k->slots[i].result);
    }
    pthread_mutex_unlock(&k->lock);
    return rc;
}

void kept_look(struct kept_results *k, void (*look)(void *arg, const void *result), void *arg)
{
    pthread_mutex_lock(&k->lock);
    for (unsigned i = 0; i < k->most; i++) {
        if (k->slots[i].any) {
            look(arg, k->slots[i].result);
        }
    }
    pthread_mutex_unlock(&k->lock);
}
