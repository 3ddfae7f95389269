/* plan.c - composing grids. */
#include "domain/plan.h"

#include <string.h>

#include "base/xalloc.h"

enum { CHUNK = 42 };

/* Draws k of the n items without replacement into out; k <= n. */
static void draw(struct rng *r, const int64_t *items, size_t n, size_t k, int64_t *out)
{
    /* Selection sampling: each subset of k is equally likely, nothing is allocated. */
    size_t taken = 0;
    for (size_t i = 0; i < n && taken < k; i++) {
        if (rng_below(r, n - i) < k - taken) {
            out[taken++] = items[i];
        }
    }
}

static void add_cells(struct plan_grid *g, const int64_t *images, size_t n, enum cell_role role)
{
    for (size_t i = 0; i < n; i++) {
        g->image[g->n] = images[i];
        g->role[g->n++] = role;
    }
}

static void add_controls(struct plan_grid *g, struct rng *r, const int64_t *pool, size_t n,
                         unsigned wanted, enum cell_role role)
{
    int64_t drawn[GRID_CELLS];
    size_t k = wanted < n ? wanted : n;
    draw(r, pool, n, k, drawn);
    add_cells(g, drawn, k, role);
}

static void shuffle_cells(struct plan_grid *g, struct rng *r)
{
    for (unsigned i = g->n; i > 1; i--) {
        unsigned j = (unsigned)rng_below(r, i);
        int64_t image = g->image[i - 1];
        enum cell_role role = g->role[i - 1];
        g->image[i - 1] = g->image[j];
        g->role[i - 1] = g->role[j];
        g->image[j] = image;
        g->role[j] = role;
    }
}

void plan_grids(const struct plan_class *c, struct rng *r, struct plan_grid **out, size_t *n)
{
    *n = (c->n_candidates + CHUNK - 1) / CHUNK;
    *out = xcalloc(*n, sizeof **out);
    for (size_t i = 0; i < *n; i++) {
        struct plan_grid *g = &(*out)[i];
        size_t from = i * CHUNK;
        size_t own = c->n_candidates - from < CHUNK ? c->n_candidates - from : CHUNK;
        add_cells(g, c->candidates + from, own, CELL_CANDIDATE);
        if (own < CHUNK && i > 0) {
            int64_t again[CHUNK];
            draw(r, c->candidates, from, CHUNK - own, again);
            add_cells(g, again, CHUNK - own, CELL_CANDIDATE);
        }
        unsigned positive, negative;
        grid_controls(g->n, &positive, &negative);
        add_controls(g, r, c->originals, c->n_originals, positive, CELL_POSITIVE);
        add_controls(g, r, c->negatives, c->n_negatives, negative, CELL_NEGATIVE);
        shuffle_cells(g, r);
    }
}
