/* peers.c - how many connections each address holds.
 *
 * Called by mhd.c from all HTTP threads, when a connection is accepted and when it is closed, not
 * for every request. A plain array, because it is as short as the list of open connections. */
#include "http/peers.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct count {
    struct address network;
    atomic_uint n;
};

struct peers {
    pthread_mutex_t lock;
    unsigned limit;
    struct count **counts; /* each with n > 0 */
    size_t n, cap;
};

struct peers *peers_new(unsigned limit)
{
    struct peers *p = xcalloc(1, sizeof *p);
    p->limit = limit;
    BUG_IF(pthread_mutex_init(&p->lock, NULL) != 0);
    return p;
}

void peers_free(struct peers *p)
{
    if (p) {
        pthread_mutex_destroy(&p->lock);
        for (size_t i = 0; i < p->n; i++) {
            free(p->counts[i]);
        }
        free(p->counts);
        free(p);
    }
}

/* The index of the address's row, or p->n. */
static size_t find(const struct peers *p, const struct address *network)
{
    size_t i = 0;
    while (i < p->n && !address_eq(&p->counts[i]->network, network)) {
        i++;
    }
    return i;
}

bool peers_allow(struct peers *p, const struct address *a)
{
    if (p->limit == 0) {
        return true;
    }
    struct address network = address_network(a);
    pthread_mutex_lock(&p->lock);
    size_t i = find(p, &network);
    bool allowed = i == p->n || atomic_load(&p->counts[i]->n) < p->limit;
    pthread_mutex_unlock(&p->lock);
    return allowed;
}

const atomic_uint *peers_enter(struct peers *p, const struct address *a)
{
    struct address network = address_network(a);
    pthread_mutex_lock(&p->lock);
    size_t i = find(p, &network);
    if (i == p->n) {
        xgrow(&p->counts, &p->cap, p->n + 1, sizeof(struct count *));
        p->counts[i] = xcalloc(1, sizeof(struct count));
        p->counts[p->n++]->network = network;
    }
    struct count *c = p->counts[i];
    atomic_fetch_add(&c->n, 1);
    pthread_mutex_unlock(&p->lock);
    return &c->n;
}

void peers_leave(struct peers *p, const struct address *a)
{
    struct address network = address_network(a);
    pthread_mutex_lock(&p->lock);
    size_t i = find(p, &network);
    BUG_IF(i == p->n);
    if (atomic_fetch_sub(&p->counts[i]->n, 1) == 1) {
        free(p->counts[i]);
        p->counts[i] = p->counts[--p->n];
    }
    pthread_mutex_unlock(&p->lock);
}
