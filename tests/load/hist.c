/* hist.c - logarithmic buckets. Runs for every reply: no allocation. */
#include "load/hist.h"

#include <math.h>
#include <string.h>

enum { SUB = 1 << HIST_SUB_BITS };

void hist_clear(struct hist *h)
{
    memset(h, 0, sizeof *h);
}

/* Values below 2 * SUB have a bucket each; above, the highest bits after the leading one choose. */
static unsigned bucket_of(uint64_t v)
{
    if (v < SUB) {
        return (unsigned)v;
    }
    unsigned shift = 63u - (unsigned)__builtin_clzll(v) - HIST_SUB_BITS;
    return ((shift + 1) << HIST_SUB_BITS) + (unsigned)((v >> shift) - SUB);
}

static uint64_t upper_edge(unsigned bucket)
{
    if (bucket < SUB) {
        return bucket;
    }
    unsigned shift = (bucket >> HIST_SUB_BITS) - 1;
    uint64_t low = ((uint64_t)(bucket & (SUB - 1)) + SUB) << shift;
    return low + ((uint64_t)1 << shift) - 1;
}

void hist_add(struct hist *h, int64_t ns)
{
    int64_t v = ns < 0 ? 0 : ns;
    h->buckets[bucket_of((uint64_t)v)]++;
    h->n++;
    if (v > h->max) {
        h->max = v;
    }
}

void hist_merge(struct hist *into, const struct hist *from)
{
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        into->buckets[i] += from->buckets[i];
    }
    into->n += from->n;
    if (from->max > into->max) {
        into->max = from->max;
    }
}

int64_t hist_percentile(const struct hist *h, double share)
{
    uint64_t want = (uint64_t)ceil(share * (double)h->n), seen = 0;
    if (h->n == 0) {
        return 0;
    }
    for (unsigned i = 0; i < HIST_BUCKETS; i++) {
        seen += h->buckets[i];
        if (seen >= want && seen > 0) {
            uint64_t edge = upper_edge(i);
            return edge > (uint64_t)h->max ? h->max : (int64_t)edge;
        }
    }
    return h->max;
}
