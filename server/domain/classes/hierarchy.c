/* hierarchy.c - shortest ways over common hypernyms. */
#include "domain/classes/hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/xalloc.h"

struct edge {
    uint32_t parent; /* node index */
    uint32_t next;   /* next edge of the same child, MAP_NONE at the end */
};

struct hierarchy {
    struct map_u64 index; /* id -> node index */
    uint32_t *first;      /* per node: first edge, MAP_NONE without parents */
    size_t n, cap;
    struct edge *edges;
    size_t n_edges, cap_edges;
};

struct reach { /* an ancestor and how far up it is */
    uint32_t node, steps;
};

struct reach_list {
    struct reach *items;
    size_t n, cap;
};

struct hierarchy *hierarchy_new(void)
{
    return xcalloc(1, sizeof(struct hierarchy));
}

void hierarchy_free(struct hierarchy *h)
{
    if (h) {
        map_u64_release(&h->index);
        free(h->first);
        free(h->edges);
        free(h);
    }
}

static uint32_t node_of(struct hierarchy *h, uint32_t id)
{
    uint32_t at = map_u64_put(&h->index, id, (uint32_t)h->n);
    if (at == h->n) {
        xgrow(&h->first, &h->cap, h->n + 1, sizeof *h->first);
        h->first[h->n++] = MAP_NONE;
    }
    return at;
}

void hierarchy_add(struct hierarchy *h, uint32_t child, uint32_t parent)
{
    uint32_t c = node_of(h, child), p = node_of(h, parent);
    for (uint32_t e = h->first[c]; e != MAP_NONE; e = h->edges[e].next) {
        if (h->edges[e].parent == p) {
            return;
        }
    }
    xgrow(&h->edges, &h->cap_edges, h->n_edges + 1, sizeof *h->edges);
    h->edges[h->n_edges] = (struct edge){p, h->first[c]};
    h->first[c] = (uint32_t)h->n_edges++;
}

/* All ancestors of `id`, itself first, each once with its least number of steps (breadth first;
 * a cycle in a project's own hierarchy does no harm). */
static void climb(const struct hierarchy *h, uint32_t id, struct reach_list *out)
{
    struct map_u64 seen;
    map_u64_init(&seen);
    out->n = 0;
    uint32_t start = map_u64_get(&h->index, id);
    if (start == MAP_NONE) {
        return;
    }
    map_u64_put(&seen, start, 0);
    xgrow(&out->items, &out->cap, 1, sizeof *out->items);
    out->items[out->n++] = (struct reach){start, 0};
    for (size_t i = 0; i < out->n; i++) {
        struct reach r = out->items[i];
        for (uint32_t e = h->first[r.node]; e != MAP_NONE; e = h->edges[e].next) {
            uint32_t p = h->edges[e].parent;
            if (map_u64_get(&seen, p) == MAP_NONE) {
                map_u64_put(&seen, p, r.steps + 1);
                xgrow(&out->items, &out->cap, out->n + 1, sizeof *out->items);
                out->items[out->n++] = (struct reach){p, r.steps + 1};
            }
        }
    }
    map_u64_release(&seen);
}

/* Under each ancestor the classes below it, as a list of (class index, steps). */
struct below {
    struct reach_list *of; /* per node */
    size_t n;
};

static void build_below(const struct hierarchy *h, const uint32_t *classes, size_t n,
                        struct below *b)
{
    struct reach_list up = {0};
    b->n = h->n;
    b->of = xcalloc(h->n, sizeof *b->of);
    for (size_t i = 0; i < n; i++) {
        climb(h, classes[i], &up);
        for (size_t k = 0; k < up.n; k++) {
            struct reach_list *l = &b->of[up.items[k].node];
            xgrow(&l->items, &l->cap, l->n + 1, sizeof *l->items);
            l->items[l->n++] = (struct reach){(uint32_t)i, up.items[k].steps};
        }
    }
    free(up.items);
}

/* The `most` smallest of dist[0..n), lower index first among equals, `self` before all. */
static void take_nearest(uint32_t *dist, size_t n, size_t self, size_t most, uint32_t *out)
{
    dist[self] = 0;
    size_t done = 0;
    out[done++] = (uint32_t)self;
    for (uint32_t d = 0; done < most; d++) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < n && done < most; i++) {
            if (i != self && dist[i] == d) {
                out[done++] = (uint32_t)i;
            } else if (dist[i] > d && dist[i] < next) {
                next = dist[i];
            }
        }
        if (next == UINT32_MAX) {
            break;
        }
        d = next - 1;
    }
    while (done < most) {
        out[done++] = UINT32_MAX;
    }
}

void hierarchy_nearest(const struct hierarchy *h, const uint32_t *classes, size_t n, size_t most,
                       uint32_t *out)
{
    struct below below;
    struct reach_list up = {0};
    uint32_t *dist = xcalloc(n, sizeof *dist);
    build_below(h, classes, n, &below);
    for (size_t i = 0; i < n && most > 0; i++) {
        memset(dist, 0xff, n * sizeof *dist);
        climb(h, classes[i], &up);
        for (size_t k = 0; k < up.n; k++) {
            const struct reach_list *l = &below.of[up.items[k].node];
            for (size_t j = 0; j < l->n; j++) {
                uint32_t way = up.items[k].steps + l->items[j].steps;
                if (way < dist[l->items[j].node]) {
                    dist[l->items[j].node] = way;
                }
            }
        }
        take_nearest(dist, n, i, most, out + i * most);
    }
    for (size_t i = 0; i < below.n; i++) {
        free(below.of[i].items);
    }
    free(below.of);
    free(up.items);
    free(dist);
}
