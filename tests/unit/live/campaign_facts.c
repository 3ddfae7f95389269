/* campaign_facts.c - what is said of a campaign, from answers one by one. */
#include "campaign_facts.h"

#include "stats/cluster.h"
#include "stats/cochran.h"

struct interval controls_interval(const struct numbers *w, const struct facts *all,
                                  int64_t campaign, enum cell_role role)
{
    uint32_t right[NUMBERS_PEOPLE] = {0}, of[NUMBERS_PEOPLE] = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        struct fact_controls c = fact_controls(f);
        for (int p = 0; p < NUMBERS_PEOPLE; p++) {
            bool theirs = f->person == w->people[p] && f->campaign == campaign;
            right[p] += theirs && !f->out && !f->excluded ? c.right[role] : 0;
            of[p] += theirs && !f->out && !f->excluded ? c.of[role] : 0;
        }
    }
    return cluster_interval(right, of, NUMBERS_PEOPLE, 0.05);
}

/* An answer that was shuffled is a block: candidates' votes less their mean, controls nothing. */
static void add_shuffled(struct cochran *c, const struct fact *f)
{
    uint8_t order[GRID_CELLS];
    double value[GRID_CELLS] = {0}, selected = 0, of = 0;
    grid_order(f->seed, true, f->n, order);
    for (unsigned p = 0; p < f->n; p++) {
        of += f->role[p] == CELL_CANDIDATE;
        selected += f->role[p] == CELL_CANDIDATE && (f->mask >> p & 1);
    }
    for (unsigned s = 0; s < f->n; s++) {
        bool candidate = f->role[order[s]] == CELL_CANDIDATE;
        double ticked = f->mask >> order[s] & 1 ? 1 : 0;
        value[s] = candidate ? ticked - selected / of : 0;
    }
    cochran_block(c, ((uint64_t)1 << f->n) - 1, value);
}

/* Answers that were not are one block with all others like them on the grid. */
static bool add_in_order(struct cochran *c, const struct facts *all, size_t first)
{
    const struct fact *f = &all->items[first];
    double value[GRID_CELLS] = {0};
    uint64_t candidates = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *g = &all->items[i];
        if (g->grid != f->grid || g->has_seed || !fact_accepted(g)) {
            continue;
        }
        if (i < first) {
            return false;
        }
        for (unsigned p = 0; p < f->n; p++) {
            value[p] += g->mask >> p & 1 ? 1 : 0;
            candidates |= (uint64_t)(f->role[p] == CELL_CANDIDATE) << p;
        }
    }
    cochran_block(c, candidates, value);
    return true;
}

struct chi_square position_test(const struct facts *all, int64_t campaign, uint32_t *shuffled,
                                uint32_t *in_order)
{
    struct cochran c = {.excess = {0}};
    *shuffled = *in_order = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct fact *f = &all->items[i];
        if (f->campaign != campaign || f->excluded || !fact_accepted(f)) {
            continue;
        }
        if (f->has_seed) {
            ++*shuffled;
            add_shuffled(&c, f);
        } else {
            *in_order += add_in_order(&c, all, i);
        }
    }
    return cochran_test(&c);
}
