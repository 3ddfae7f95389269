/* peers.c - how many connections each address holds.
 *
 * Changes under the watch's lock, when a connection is accepted or closed, not for every request. A
 * plain array, because it is as short as the list of open connections. */
#include "http/peers.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct count {
    struct address network;
    unsigned n;
};

struct peers {
    unsigned limit;
    struct count **counts; /* each with n > 0 */
    size_t n, cap;
};

struct peers *peers_new(unsigned limit)
{
    struct peers *p = xcalloc(1, sizeof *p);
    p->limit = limit;
    return p;
}

void peers_free(struct peers *p)
{
    if (p) {
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
    size_t i = find(p, &network);
    return i == p->n || p->counts[i]->n < p->limit;
}

const unsigned *peers_enter(struct peers *p, const struct address *a)
{
    struct address network = address_network(a);
    size_t i = find(p, &network);
    if (i == p->n) {
        xgrow(&p->counts, &p->cap, p->n + 1, sizeof(struct count *));
        p->counts[i] = xcalloc(1, sizeof(struct count));
        p->counts[p->n++]->network = network;
    }
    p->counts[i]->n++;
    return &p->counts[i]->n;
}

void peers_leave(struct peers *p, const struct address *a)
{
    struct address network = address_network(a);
    size_t i = find(p, &network);
    BUG_IF(i == p->n);
    if (--p->counts[i]->n == 0) {
        free(p->counts[i]);
        p->counts[i] = p->counts[--p->n];
    }
}
