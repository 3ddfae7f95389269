/* plan_spread.c - labels in turn, then a look ahead. */
#include "domain/grids/plan_spread.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { LOOK_AHEAD = 64 };

struct turn {
    uint32_t round, tie, grid; /* round: how many grids of its label come before */
};

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    return x->round != y->round ? (x->round > y->round) - (x->round < y->round)
           : x->tie != y->tie   ? (x->tie > y->tie) - (x->tie < y->tie)
                                : (x->grid > y->grid) - (x->grid < y->grid);
}

static struct turn *take_turns(const int64_t *label, size_t n, struct rng *r)
{
    struct turn *turns = xmalloc((n + 1) * sizeof *turns);
    for (size_t i = 0; i < n; i++) {
        uint32_t round = i && label[i] == label[i - 1] ? turns[i - 1].round + 1 : 0;
        turns[i] = (struct turn){round, (uint32_t)(rng_u64(r) >> 32), (uint32_t)i};
    }
    qsort(turns, n, sizeof *turns, by_turn);
    return turns;
}

/* Images of the grid that were in one of the `window` before number `now`; last[image]: number + 1 of the newest with it. */
static unsigned shared(const struct plan_grid *g, const uint32_t *last, size_t now, size_t window)
{
    unsigned n = 0;
    for (unsigned i = 0; i < g->n; i++) {
        n += last[g->image[i]] && last[g->image[i]] + window > now;
    }
    return n;
}

static uint32_t *last_shown(const struct plan_grid *const *grids, size_t n)
{
    int64_t most = 0;
    for (size_t k = 0; k < n; k++) {
        for (unsigned i = 0; i < grids[k]->n; i++) {
            most = grids[k]->image[i] > most ? grids[k]->image[i] : most;
        }
    }
    return xcalloc((size_t)most + 1, sizeof(uint32_t));
}

void plan_spread(const struct plan_grid *const *grids, const int64_t *label, size_t n, size_t window, struct rng *r,
                 uint32_t *order)
{
    if (n == 0) {
        return;
    }
    struct turn *turns = take_turns(label, n, r);
    uint32_t *last = last_shown(grids, n);
    for (size_t k = 0; k < n; k++) {
        size_t end = k + LOOK_AHEAD < n ? k + LOOK_AHEAD : n, best = k;
        unsigned least = shared(grids[turns[k].grid], last, k, window);
        for (size_t i = k + 1; i < end && least > 0; i++) {
            unsigned with = shared(grids[turns[i].grid], last, k, window);
            best = with < least ? i : best;
            least = with < least ? with : least;
        }
        struct turn chosen = turns[best];
        for (size_t i = best; i > k; i--) { /* those that it passes stay in their order */
            turns[i] = turns[i - 1];
        }
        turns[k] = chosen;
        order[k] = chosen.grid;
        for (unsigned i = 0; i < grids[chosen.grid]->n; i++) {
            last[grids[chosen.grid]->image[i]] = (uint32_t)k + 1;
        }
    }
    free(turns);
    free(last);
}
