/* leases.c - the desk's table of live leases. */
#include "live/work/leases.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"

void leases_release(struct leases *t)
{
    free(t->slots);
    *t = (struct leases){NULL, 0, 0};
}

static size_t slot_of(const struct leases *t, int64_t assignment)
{
    size_t i = hash_u64((uint64_t)assignment) & (t->cap - 1);
    while (t->slots[i].assignment != 0 && t->slots[i].assignment != assignment) {
        i = (i + 1) & (t->cap - 1);
    }
    return i;
}

struct lease *leases_find(const struct leases *t, int64_t assignment)
{
    if (t->n == 0) {
        return NULL;
    }
    struct lease *l = &t->slots[slot_of(t, assignment)];
    return l->assignment == assignment ? l : NULL;
}

void leases_put(struct leases *t, struct lease l)
{
    if ((t->n + 1) * 4 > t->cap * 3) {
        struct lease *old = t->slots;
        size_t n = t->cap;
        t->cap = n ? n * 2 : 256;
        t->slots = xcalloc(t->cap, sizeof *t->slots);
        for (size_t i = 0; i < n; i++) {
            if (old[i].assignment) {
                t->slots[slot_of(t, old[i].assignment)] = old[i];
            }
        }
        free(old);
    }
    t->slots[slot_of(t, l.assignment)] = l;
    t->n++;
}

/* Later leases of the run move back over the gap. */
void leases_remove(struct leases *t, struct lease *at)
{
    size_t mask = t->cap - 1;
    size_t i = (size_t)(at - t->slots);
    size_t j = i;
    for (;;) {
        j = (j + 1) & mask;
        if (t->slots[j].assignment == 0) {
            break;
        }
        size_t home = hash_u64((uint64_t)t->slots[j].assignment) & mask;
        if (((j - home) & mask) >= ((j - i) & mask)) {
            t->slots[i] = t->slots[j];
            i = j;
        }
    }
    t->slots[i].assignment = 0;
    t->n--;
}
