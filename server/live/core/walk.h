/* walk.h - a copy of the tally's answers, grids and cells, and the groups that counting walks over:
 * answers by grid, people by number. The copy is made under the lock, everything else without it.
 * Knows nothing of HTTP or SQL. */
#ifndef LIVE_CORE_WALK_H
#define LIVE_CORE_WALK_H

#include "base/scratch.h"
#include "domain/votes/agreement.h"
#include "live/core/tally.h"

struct walk {
    struct scratch scratch; /* all of it, and what the caller adds */
    int64_t cursor;       /* last event folded */
    struct ledger ledger; /* a copy: `out` may be changed by walk_back */
    struct tally_grid *grids;
    struct tally_cell *cells;
    struct tally_exclusion *exclusions;
    struct tally_positions *positions;
    size_t n_grids, n_cells, n_exclusions, n_pairs, n_positions;
    uint8_t *role;        /* of each pair, as tally_pair has it */
    bool *other, *labels; /* the same */
    uint32_t *by_grid, *grid_from; /* answers in groups: those of grid g from grid_from[g] on */
    size_t most_answers;  /* of one grid */
    uint32_t *who;        /* of each answer: index of its person */
    uint32_t *people;     /* database ids, rising */
    size_t n_people;
};

/* Copies; holds the tally's lock for a few milliseconds at 10 million votes. walk_back takes the
 * answers, decisions and exclusions of grids after an event back; walk_sort makes the groups of what is left. */
void walk_take(struct walk *w, struct tally *t);
void walk_back(struct walk *w, int64_t as_of);
void walk_sort(struct walk *w);
void walk_release(struct walk *w);

/* One grid with its answers, as masks. */
struct walk_grid {
    const struct tally_grid *grid;
    const struct tally_cell *cells;
    const uint32_t *answers;     /* indexes into the ledger */
    size_t n;
    struct agreement_key key;        /* what the grid's own roles expect */
    uint64_t candidates;         /* cells that are neither controls nor gold; options of a CLASSIFY task that is no check */
    uint64_t by_role[4];         /* cells by the role of their pair; none of a CLASSIFY task */
    uint64_t other;              /* gold of another class: right is not to select it */
};
void walk_grid(const struct walk *w, size_t grid, struct walk_grid *out);
/* What the grid's roles expect of an answer, of a check the options that are known. */
struct agreement_key walk_key(const struct tally_grid *g, const struct tally_cell *cells);

/* Groups 0..n-1, or the n indexes of `in`, by key[index] < n_keys, keeping their order: group k is
 * out[from[k]] to out[from[k + 1] - 1]; `from` has n_keys + 1 entries. */
void walk_group(const uint32_t *key, const uint32_t *in, size_t n, size_t n_keys, uint32_t *from,
                uint32_t *out);

#endif
