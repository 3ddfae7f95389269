/* nearest.h - the k nearest of one query: ascending by distance, equal distances by the reference's number, so that
 * the order in which references come changes nothing. Header only: two lines of code in every inner loop. */
#ifndef NEIGHBORS_NEAREST_H
#define NEIGHBORS_NEAREST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NEAREST_MOST = 101 }; /* 100, and the query itself */

struct neighbor {
    double distance;
    uint32_t reference; /* its number in the list that is searched */
};
struct nearest {
    struct neighbor *at; /* room for `most` */
    uint32_t n, most;
};

/* Whoever is farther is not among them; infinity while there is room. */
static inline double nearest_reach(const struct nearest *l)
{
    return l->n < l->most ? (double)INFINITY : l->at[l->n - 1].distance;
}

static inline bool neighbor_before(struct neighbor a, struct neighbor b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.reference < b.reference;
}

/* Does nothing for one that is not among the nearest. */
static inline void nearest_add(struct nearest *l, struct neighbor x)
{
    if (l->n == l->most && !neighbor_before(x, l->at[l->n - 1])) {
        return;
    }
    uint32_t i = l->n < l->most ? l->n++ : l->n - 1;
    for (; i > 0 && neighbor_before(x, l->at[i - 1]); i--) {
        l->at[i] = l->at[i - 1];
    }
    l->at[i] = x;
}

#endif
