/* partition_test.c - domain/labels/partition.h against plain enumeration, and the largest that it is asked for. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "domain/labels/partition.h"

enum { INSTANCES = 10000, LABELS = 8 };

/* Every set partition: label `at` goes into each block there is, or into a new one; nothing is left out, and what one
 * costs is counted when it is whole. */
struct plain {
    const struct partition_ask *ask;
    unsigned char block[LABELS], best[LABELS];
    uint64_t cost;
    uint32_t n_optimal;
};

static void plain_whole(struct plain *p, uint32_t blocks)
{
    uint64_t cost = 0;
    if (blocks != p->ask->k) {
        return;
    }
    for (uint32_t a = 0; a < p->ask->n; a++) {
        for (uint32_t b = a + 1; b < p->ask->n; b++) {
            cost += p->block[a] == p->block[b] ? p->ask->together[a][b] : 0;
        }
    }
    bool first = cost < p->cost || (cost == p->cost && memcmp(p->block, p->best, p->ask->n) < 0);
    p->n_optimal = cost < p->cost ? 1 : p->n_optimal + (cost == p->cost);
    p->cost = cost < p->cost ? cost : p->cost;
    if (first) {
        memcpy(p->best, p->block, sizeof p->best);
    }
}

static void plain_place(struct plain *p, uint32_t at, uint32_t blocks)
{
    if (at == p->ask->n) {
        plain_whole(p, blocks);
        return;
    }
    for (uint32_t b = blocks + 1; b-- > 0;) { /* the other way round */
        p->block[at] = (unsigned char)b;
        plain_place(p, at + 1, b == blocks ? blocks + 1 : blocks);
    }
}

/* Few different weights make many ties. */
static struct partition_ask draw(struct rng *r)
{
    struct partition_ask ask = {.n = 1 + (uint32_t)rng_below(r, LABELS)};
    ask.k = 1 + (uint32_t)rng_below(r, ask.n);
    uint64_t weights = 1 + rng_below(r, 9);
    for (uint32_t a = 0; a < ask.n; a++) {
        for (uint32_t b = a + 1; b < ask.n; b++) {
            ask.together[a][b] = (uint32_t)rng_below(r, weights);
        }
    }
    return ask;
}

TEST(plain_enumeration_finds_the_same)
{
    struct rng r;
    uint32_t tied = 0;
    rng_seed(&r, 18);
    for (int i = 0; i < INSTANCES; i++) {
        struct partition_ask ask = draw(&r);
        struct plain p = {.ask = &ask, .cost = UINT64_MAX};
        struct partition_found f;
        plain_place(&p, 0, 0);
        partition_find(&ask, &f);
        assert_int_equal(f.cost, p.cost);
        assert_int_equal(f.n_optimal, p.n_optimal);
        assert_memory_equal(f.object, p.best, ask.n);
        tied += p.n_optimal > 1;
    }
    assert_in_range(tied, INSTANCES / 10, INSTANCES - INSTANCES / 10);
}

/* Where all cost the same nothing can be left out: S(12, 5) partitions are counted. */
TEST(twelve_labels)
{
    struct partition_ask ask = {.n = 12, .k = 5};
    struct partition_found f;
    partition_find(&ask, &f);
    assert_int_equal(f.cost, 0);
    assert_int_equal(f.n_optimal, 1379400);
    assert_memory_equal(f.object, "\0\0\0\0\0\0\0\0\1\2\3\4", 12);
    ask.k = 12;
    partition_find(&ask, &f);
    assert_int_equal(f.n_optimal, 1);
    assert_int_equal(f.object[11], 11);
}
