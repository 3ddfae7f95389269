/* hierarchy_test.c - distances and nearest classes on graphs drawn by hand, and against a plain
 * all-pairs search on random ones. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "domain/classes/hierarchy.h"

#define NONE UINT32_MAX

/* 1 is the root; 2 and 3 below it; 4 below both; 5 below 2; 6 below 3; 9 stands alone under 8. */
static struct hierarchy *diamond(void)
{
    static const uint32_t edges[][2] = {{2, 1}, {3, 1}, {4, 2}, {4, 3}, {5, 2}, {6, 3}, {9, 8}};
    struct hierarchy *h = hierarchy_new();
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        hierarchy_add(h, edges[i][0], edges[i][1]);
        hierarchy_add(h, edges[i][0], edges[i][1]);
    }
    return h;
}

TEST(nearest_and_ties)
{
    enum { N = 5, MOST = 5 };
    struct hierarchy *h = diamond();
    static const uint32_t classes[N] = {4, 5, 6, 9, 77};
    static const uint32_t expected[N][MOST] = {
        {0, 1, 2, NONE, NONE},       /* 5 and 6 are both two steps away: the lower index first */
        {1, 0, 2, NONE, NONE},
        {2, 0, 1, NONE, NONE},
        {3, NONE, NONE, NONE, NONE}, /* in a part of its own */
        {4, NONE, NONE, NONE, NONE}, /* not in the graph at all */
    };
    uint32_t out[N * MOST], two[N * 2];
    hierarchy_nearest(h, classes, N, MOST, out);
    assert_memory_equal(out, expected, sizeof expected);
    hierarchy_nearest(h, classes, N, 2, two);
    for (size_t i = 0; i < N; i++) {
        assert_memory_equal(two + 2 * i, expected[i], 2 * sizeof *two);
    }
    hierarchy_nearest(h, classes, 0, MOST, out);
    hierarchy_free(h);
}

TEST(cycle)
{
    struct hierarchy *h = hierarchy_new();
    hierarchy_add(h, 1, 2);
    hierarchy_add(h, 2, 3);
    hierarchy_add(h, 3, 1);
    hierarchy_add(h, 4, 4);
    hierarchy_add(h, 4, 3);
    static const uint32_t classes[3] = {1, 2, 4};
    static const uint32_t expected[9] = {0, 1, 2, 1, 0, 2, 2, 0, 1}; /* 1 - 3 - 4 and 2 - 3 - 4 are as far */
    uint32_t out[9];
    hierarchy_nearest(h, classes, 3, 3, out);
    assert_memory_equal(out, expected, sizeof expected);
    hierarchy_free(h);
}

TEST(empty)
{
    struct hierarchy *h = hierarchy_new();
    const uint32_t classes[2] = {5, 6};
    uint32_t out[4];
    hierarchy_nearest(h, classes, 2, 2, out);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], NONE);
    assert_int_equal(out[2], 1);
    assert_int_equal(out[3], NONE);
    hierarchy_free(h);
    hierarchy_free(NULL);
}

enum { NODES = 24 };

/* up[a][b]: fewest steps from a up to b, by relaxing until nothing changes. */
static void climb_all(bool parent[NODES][NODES], uint32_t up[NODES][NODES])
{
    memset(up, 0xff, NODES * sizeof *up);
    for (int a = 0; a < NODES; a++) {
        up[a][a] = 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int a = 0; a < NODES * NODES * NODES; a++) {
            int from = a % NODES, via = a / NODES % NODES, to = a / NODES / NODES;
            if (up[from][via] != NONE && parent[via][to] && up[from][via] + 1 < up[from][to]) {
                up[from][to] = up[from][via] + 1;
                changed = true;
            }
        }
    }
}

static uint32_t naive_distance(uint32_t up[NODES][NODES], int a, int b)
{
    uint32_t best = NONE;
    for (int k = 0; k < NODES; k++) {
        if (up[a][k] != NONE && up[b][k] != NONE && up[a][k] + up[b][k] < best) {
            best = up[a][k] + up[b][k];
        }
    }
    return best;
}

/* The list is sorted by (distance, index) behind the class itself, and holds all it could. */
static void check_list(uint32_t up[NODES][NODES], int self, const uint32_t *list)
{
    uint32_t reachable = 0;
    for (int b = 0; b < NODES; b++) {
        reachable += b == self || naive_distance(up, self, b) != NONE;
    }
    assert_int_equal(list[0], self);
    for (uint32_t k = 1; k < NODES; k++) {
        if (k >= reachable) {
            assert_int_equal(list[k], NONE);
            continue;
        }
        uint32_t d = naive_distance(up, self, (int)list[k]);
        assert_true(d != NONE && (int)list[k] != self);
        if (k > 1) {
            uint32_t before = naive_distance(up, self, (int)list[k - 1]);
            assert_true(before < d || (before == d && list[k - 1] < list[k]));
        }
    }
}

TEST(random_graphs)
{
    struct rng r;
    rng_seed(&r, 3);
    for (int round = 0; round < 60; round++) {
        bool parent[NODES][NODES] = {{false}};
        uint32_t up[NODES][NODES], ids[NODES], near[NODES * NODES];
        struct hierarchy *h = hierarchy_new();
        uint64_t edges = rng_below(&r, 2 * NODES);
        for (int i = 0; i < NODES; i++) {
            ids[i] = 1000u * (uint32_t)i + 5;
        }
        for (uint64_t e = 0; e < edges; e++) {
            uint64_t c = rng_below(&r, NODES), p = rng_below(&r, NODES);
            parent[c][p] = true;
            hierarchy_add(h, ids[c], ids[p]);
        }
        climb_all(parent, up);
        hierarchy_nearest(h, ids, NODES, NODES, near);
        for (int a = 0; a < NODES; a++) {
            check_list(up, a, near + a * NODES);
        }
        hierarchy_free(h);
    }
}
