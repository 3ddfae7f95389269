/* class_tree.c - depths from the roots on, then the way from each node up to the next one that branches. */
#include "domain/classes/class_tree.h"

/* The longest way from a node without parents; what is only reached in circles keeps 0. Each round settles at least the
 * nodes all of whose parents are settled. */
static uint32_t *depths(uint32_t n, const struct class_tree_edge *edges, size_t n_edges, struct arena *a)
{
    uint32_t *depth = arena_calloc(a, (size_t)n + 1, sizeof *depth);
    bool more = true;
    for (uint32_t round = 0; more && round < n; round++) {
        more = false;
        for (size_t i = 0; i < n_edges; i++) {
            uint32_t below = depth[edges[i].parent] + 1;
            if (below > depth[edges[i].child] && below < n) {
                depth[edges[i].child] = below;
                more = true;
            }
        }
    }
    return depth;
}

static uint32_t *deepest_parents(uint32_t n, const struct class_tree_edge *edges, size_t n_edges, const uint32_t *depth, struct arena *a)
{
    uint32_t *up = arena_calloc(a, (size_t)n + 1, sizeof *up);
    for (uint32_t i = 0; i < n; i++) {
        up[i] = CLASS_TREE_NONE;
    }
    for (size_t i = 0; i < n_edges; i++) {
        uint32_t child = edges[i].child, parent = edges[i].parent, had = up[child];
        bool nearer_root = depth[parent] < depth[child]; /* not so in a circle */
        bool better = had == CLASS_TREE_NONE || depth[parent] > depth[had] || (depth[parent] == depth[had] && parent < had);
        if (nearer_root && better) {
            up[child] = parent;
        }
    }
    return up;
}

struct class_tree class_tree_make(const bool *is_class, uint32_t n, const struct class_tree_edge *edges, size_t n_edges, struct arena *a)
{
    struct class_tree t = {.n = n,
                           .parent = arena_calloc(a, (size_t)n + 1, sizeof *t.parent),
                           .level = arena_calloc(a, (size_t)n + 1, sizeof *t.level)};
    const uint32_t *up = deepest_parents(n, edges, n_edges, depths(n, edges, n_edges, a), a);
    uint32_t *below = arena_calloc(a, (size_t)n + 1, sizeof *below);
    for (uint32_t i = 0; i < n; i++) {
        if (up[i] != CLASS_TREE_NONE) {
            below[up[i]]++;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        t.parent[i] = CLASS_TREE_NONE;
        for (uint32_t at = up[i]; at != CLASS_TREE_NONE; at = up[at]) {
            bool counts = below[at] > 1 || is_class[at];
            t.parent[i] = counts && t.parent[i] == CLASS_TREE_NONE ? at : t.parent[i];
            t.level[i] += counts;
        }
        t.levels = is_class[i] && t.level[i] >= t.levels ? t.level[i] + 1 : t.levels;
    }
    return t;
}

uint32_t class_tree_at(const struct class_tree *t, uint32_t node, uint32_t level)
{
    while (t->level[node] > level) {
        node = t->parent[node];
    }
    return node;
}
