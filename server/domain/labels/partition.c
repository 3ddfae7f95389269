/* partition.c - walks restricted growth strings: each label goes into one of the objects before it or begins the next
 * one, so that every partition comes once, in lexicographic order. What costs more than the best so far is left; what
 * costs as much is not, since it is counted. */
#include "domain/labels/partition.h"

#include <string.h>

#include "base/err.h"

struct search {
    const struct partition_ask *ask;
    struct partition_found best;
    unsigned char object[PARTITION_LABELS];
};

static void take(struct search *s, uint64_t cost)
{
    if (cost == s->best.cost) {
        s->best.n_optimal++;
        return;
    }
    s->best.cost = cost;
    s->best.n_optimal = 1;
    memcpy(s->best.object, s->object, sizeof s->object);
}

/* Places label `at` and those behind it; those before it have `begun` objects at `cost`. */
static void place(struct search *s, uint32_t at, uint32_t begun, uint64_t cost)
{
    const struct partition_ask *ask = s->ask;
    uint64_t more[PARTITION_LABELS] = {0};
    for (uint32_t i = 0; i < at; i++) {
        more[s->object[i]] += ask->together[i][at];
    }
    uint32_t first = ask->k - begun == ask->n - at ? begun : 0; /* every label left has to begin an object */
    uint32_t last = begun < ask->k ? begun : begun - 1;
    for (uint32_t o = first; o <= last; o++) {
        uint64_t now = cost + more[o];
        s->object[at] = (unsigned char)o;
        if (now > s->best.cost) {
            continue;
        }
        if (at + 1 == ask->n) {
            take(s, now);
        } else {
            place(s, at + 1, o == begun ? begun + 1 : begun, now);
        }
    }
}

void partition_find(const struct partition_ask *ask, struct partition_found *out)
{
    BUG_IF(ask->k == 0 || ask->k > ask->n || ask->n > PARTITION_LABELS);
    struct search s = {.ask = ask, .best = {.cost = UINT64_MAX}};
    place(&s, 0, 0, 0);
    *out = s.best;
}
