/* walk.c - the copy and its groups. */
#include "live/core/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

struct sizes {
    size_t answers, flips, grids, cells, exclusions, positions;
};

static struct sizes sizes_of(const struct tally *t)
{
    struct sizes s;
    s.answers = tally_ledger(t)->n;
    s.flips = tally_ledger(t)->n_flips;
    tally_grids(t, &s.grids);
    tally_cells(t, &s.cells);
    tally_exclusions(t, &s.exclusions);
    tally_positions(t, &s.positions);
    return s;
}

/* Room for n things and some that may come meanwhile. */
static void *room(struct walk *w, size_t *n, size_t size)
{
    *n += *n / 64 + 256;
    return scratch_alloc(&w->scratch, *n, size);
}

static bool fits(const struct sizes *now, const struct sizes *rooms)
{
    return now->answers <= rooms->answers && now->flips <= rooms->flips &&
           now->grids <= rooms->grids && now->cells <= rooms->cells &&
           now->exclusions <= rooms->exclusions && now->positions <= rooms->positions;
}

static void copy(void *to, const void *from, size_t n, size_t size)
{
    if (n) {
        memcpy(to, from, n * size);
    }
}

static void copy_locked(struct walk *w, const struct tally *t)
{
    struct tally_totals totals;
    tally_totals(t, &totals);
    const struct ledger *l = tally_ledger(t);
    w->cursor = totals.cursor;
    w->n_pairs = totals.pairs;
    w->ledger.n = l->n;
    w->ledger.n_flips = l->n_flips;
    copy(w->ledger.answers, l->answers, l->n, sizeof *l->answers);
    copy(w->ledger.flips, l->flips, l->n_flips, sizeof *l->flips);
    const struct tally_grid *grids = tally_grids(t, &w->n_grids);
    copy(w->grids, grids, w->n_grids, sizeof *grids);
    const struct tally_cell *cells = tally_cells(t, &w->n_cells);
    copy(w->cells, cells, w->n_cells, sizeof *cells);
    const struct tally_exclusion *exclusions = tally_exclusions(t, &w->n_exclusions);
    copy(w->exclusions, exclusions, w->n_exclusions, sizeof *exclusions);
    const struct tally_positions *positions = tally_positions(t, &w->n_positions);
    copy(w->positions, positions, w->n_positions, sizeof *positions);
}

void walk_take(struct walk *w, struct tally *t)
{
    for (bool done = false; !done; ) {
        tally_read_lock(t);
        struct sizes rooms = sizes_of(t);
        tally_read_unlock(t);
        *w = (struct walk){0};
        w->ledger.answers = room(w, &rooms.answers, sizeof *w->ledger.answers);
        w->ledger.flips = room(w, &rooms.flips, sizeof *w->ledger.flips);
        w->grids = room(w, &rooms.grids, sizeof *w->grids);
        w->cells = room(w, &rooms.cells, sizeof *w->cells);
        w->exclusions = room(w, &rooms.exclusions, sizeof *w->exclusions);
        w->positions = room(w, &rooms.positions, sizeof *w->positions);
        tally_read_lock(t);
        struct sizes now = sizes_of(t);
        done = fits(&now, &rooms);
        if (done) {
            copy_locked(w, t);
        }
        tally_read_unlock(t);
        if (!done) {
            walk_release(w);
        }
    }
}

void walk_back(struct walk *w, int64_t as_of)
{
    struct ledger *l = &w->ledger;
    for (; l->n_flips > 0 && l->flips[l->n_flips - 1].id > as_of; l->n_flips--) {
        l->answers[l->flips[l->n_flips - 1].answer].out = !l->flips[l->n_flips - 1].out;
    }
    for (; w->n_exclusions > 0 && w->exclusions[w->n_exclusions - 1].id > as_of; w->n_exclusions--) {
        const struct tally_exclusion *x = &w->exclusions[w->n_exclusions - 1];
        w->grids[x->grid].excluded = !x->excluded;
    }
    l->n = ledger_until(l, as_of);
    w->cursor = w->cursor < as_of ? w->cursor : as_of;
}

void walk_group(const uint32_t *key, const uint32_t *in, size_t n, size_t n_keys, uint32_t *from,
                uint32_t *out)
{
    memset(from, 0, (n_keys + 1) * sizeof *from);
    for (size_t i = 0; i < n; i++) {
        from[key[in ? in[i] : i] + 1]++;
    }
    for (size_t k = 0; k < n_keys; k++) {
        from[k + 1] += from[k];
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t index = in ? in[i] : (uint32_t)i;
        out[from[key[index]]++] = index;
    }
    /* Each group's start has moved to its end, which is where the next one starts. */
    memmove(from + 1, from, n_keys * sizeof *from);
    from[0] = 0;
}

static void sort_by_grid(struct walk *w)
{
    size_t n = w->ledger.n;
    uint32_t *grid = scratch_alloc(&w->scratch, n, sizeof *grid);
    for (size_t i = 0; i < n; i++) {
        grid[i] = w->ledger.answers[i].grid;
    }
    w->by_grid = scratch_alloc(&w->scratch, n, sizeof *w->by_grid);
    w->grid_from = scratch_alloc(&w->scratch, w->n_grids + 1, sizeof *w->grid_from);
    walk_group(grid, NULL, n, w->n_grids, w->grid_from, w->by_grid);
    for (size_t g = 0; g < w->n_grids; g++) {
        size_t answers = w->grid_from[g + 1] - w->grid_from[g];
        w->most_answers = answers > w->most_answers ? answers : w->most_answers;
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* People get numbers as they come, then those of their ids' order. */
static void sort_people(struct walk *w)
{
    struct map_u64 met;
    size_t n = 0;
    map_u64_init(&met);
    w->who = scratch_alloc(&w->scratch, w->ledger.n, sizeof *w->who);
    w->people = scratch_alloc(&w->scratch, w->ledger.n, sizeof *w->people);
    for (size_t i = 0; i < w->ledger.n; i++) {
        uint32_t person = w->ledger.answers[i].person;
        w->who[i] = map_u64_put(&met, person, (uint32_t)n);
        if (w->who[i] == n) {
            w->people[n++] = person;
        }
    }
    uint32_t *rank = scratch_alloc(&w->scratch, n, sizeof *rank);
    qsort(w->people, n, sizeof *w->people, by_number);
    for (size_t i = 0; i < n; i++) {
        rank[map_u64_get(&met, w->people[i])] = (uint32_t)i;
    }
    for (size_t i = 0; i < w->ledger.n; i++) {
        w->who[i] = rank[w->who[i]];
    }
    w->n_people = n;
    map_u64_release(&met);
}

/* Of pairs that began on a grid about labels, the first cell on another grid holds. */
static void settle_pairs(struct walk *w)
{
    for (size_t g = 0; g < w->n_grids; g++) {
        const struct tally_grid *grid = &w->grids[g];
        const struct tally_cell *cells = w->cells + grid->first;
        for (unsigned j = 0; j < grid->n && !grid->labels; j++) {
            uint32_t pair = cells[j].pair;
            if (w->labels[pair]) {
                w->role[pair] = cells[j].role;
                w->other[pair] = cells[j].role == CELL_GOLD && !cells[j].expected;
                w->labels[pair] = false;
            }
        }
    }
}

/* A pair's role is that of its first cell; pairs are numbered in the order of these. */
static void find_roles(struct walk *w)
{
    size_t pair = 0;
    w->role = scratch_alloc(&w->scratch, w->n_pairs, 1);
    w->other = scratch_alloc(&w->scratch, w->n_pairs, sizeof *w->other);
    w->labels = scratch_alloc(&w->scratch, w->n_pairs, sizeof *w->labels);
    bool any = false;
    for (size_t g = 0; g < w->n_grids; g++) {
        const struct tally_cell *cells = w->cells + w->grids[g].first;
        for (unsigned j = 0; j < w->grids[g].n; j++) {
            if (cells[j].pair == pair) {
                w->labels[pair] = w->grids[g].labels;
                w->role[pair] = cells[j].role;
                w->other[pair++] = cells[j].role == CELL_GOLD && !cells[j].expected;
            }
        }
        any = any || w->grids[g].labels;
    }
    BUG_IF(pair != w->n_pairs);
    if (any) {
        settle_pairs(w);
    }
}

void walk_sort(struct walk *w)
{
    sort_by_grid(w);
    sort_people(w);
    find_roles(w);
}

void walk_release(struct walk *w)
{
    scratch_release(&w->scratch);
    *w = (struct walk){0};
}

struct agreement_key walk_key(const struct tally_grid *g, const struct tally_cell *cells)
{
    struct agreement_key key = {.n = tally_bits(g)};
    for (unsigned j = 0; j < g->n; j++) {
        uint64_t bit = (uint64_t)1 << j;
        key.positive |= cells[j].role == CELL_POSITIVE ? bit : 0;
        key.negative |= cells[j].role == CELL_NEGATIVE ? bit : 0;
        key.gold |= cells[j].role == CELL_GOLD ? bit : 0;
        key.gold_positive |= cells[j].expected ? bit : 0;
    }
    if (g->known) {
        key.gold = ((uint64_t)1 << g->options) - 1;
        key.gold_positive = g->known;
        key.whole = true;
    }
    return key;
}

void walk_grid(const struct walk *w, size_t grid, struct walk_grid *out)
{
    const struct tally_grid *g = &w->grids[grid];
    *out = (struct walk_grid){
        .grid = g,
        .cells = w->cells + g->first,
        .answers = w->by_grid + w->grid_from[grid],
        .n = w->grid_from[grid + 1] - w->grid_from[grid],
    };
    out->key = walk_key(g, out->cells);
    for (unsigned j = 0; j < g->n; j++) {
        const struct tally_cell *c = &out->cells[j];
        uint64_t bit = (uint64_t)1 << j;
        out->by_role[w->role[c->pair]] |= bit;
        out->other |= w->other[c->pair] ? bit : 0;
    }
    uint64_t all = ((uint64_t)1 << tally_bits(g)) - 1;
    out->candidates = all & ~(out->key.positive | out->key.negative | out->key.gold);
}
