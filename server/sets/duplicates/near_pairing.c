/* near_pairing.c - a list that is looked through: an image has few neighbours. */
#include "sets/duplicates/near_pairing.h"

#include <math.h>
#include <stdlib.h>

static struct near_work_pair *pair_of(struct near_pairing *p, int64_t reference)
{
    struct near_work_pair *list = p->pairs.items;
    size_t i = 0;
    while (i < p->pairs.n && list[i].reference != reference) {
        i++;
    }
    if (i < p->pairs.n) {
        return &list[i];
    }
    struct near_work_pair *added = LIST_ADD(&p->pairs, p->arena, struct near_work_pair);
    *added = (struct near_work_pair){.reference = reference, .nearest = (double)INFINITY};
    return added;
}

struct near_work_pair *near_pairing_add(struct near_pairing *p, size_t m, int64_t reference, double distance)
{
    struct near_work_pair *pair = pair_of(p, reference);
    pair->within[m] = true;
    pair->distance[m] = distance;
    pair->nearest = fmin(pair->nearest, distance / p->gate->metric[m].threshold);
    return pair;
}

static int by_reference(const void *a, const void *b)
{
    const struct near_work_pair *x = a, *y = b;
    return (x->reference > y->reference) - (x->reference < y->reference);
}

void near_pairing_end(struct near_pairing *p, struct near_work_pair **out, size_t *n)
{
    *out = p->pairs.items;
    *n = p->pairs.n;
    if (*n) {
        qsort(*out, *n, sizeof **out, by_reference);
    }
}
