/* tally.h - votes counted in memory: per (image, class) pair how many accepted answers showed it
 * and how many selected it, under the default vote view; per grid how many answers it has; every
 * answer by itself (live/core/ledger.h).
 *
 * A fold over append-only tables from a cursor: the same function at start, after our own
 * commits, after other processes' commits, in the CLI and in `check`. Readers on HTTP threads
 * hold the read lock; only the fold writes. A million pairs on grids take about 35 MB. Knows SQL
 * only through store/. */
#ifndef LIVE_CORE_TALLY_H
#define LIVE_CORE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"
#include "domain/grids/grid.h"
#include "live/core/ledger.h"

struct tally;

/* Most pairs, and largest class id: what fits beside a role in one word. */
#define TALLY_MOST ((UINT32_C(1) << 29) - 1)
#define TALLY_CLASS_MOST ((UINT32_C(1) << 28) - 1)

struct tally_pair {        /* 20 bytes: there are as many as images on grids; numbered by first cells */
    uint32_t image;        /* database ids */
    uint32_t class : 28, role : 2; /* enum cell_role where the pair first stood, other grids before those of `labels` */
    uint32_t other : 1;    /* gold that was collected for another class: right is not to select it */
    uint32_t labels : 1;   /* stands only on grids about labels that images could have: it is no image of the class */
    uint32_t shown, selected;
    uint32_t next;         /* next pair of the same class, MAP_NONE at the end */
};
struct tally_cell {        /* 4 bytes */
    uint32_t pair : 29, role : 2; /* enum cell_role in this grid */
    uint32_t expected : 1; /* gold that was collected for the grid's class: right is to select it */
};
struct tally_grid {
    uint32_t id, campaign, class;
    uint32_t first;        /* into the cells */
    uint32_t answers;      /* not surplus, whatever the view says: these count to N */
    uint32_t image;        /* of a CLASSIFY task: what it shows. It has options instead of cells, and no pair */
    uint32_t known;        /* of a check of that task: bits of the options whose objects are there; 0: no check */
    uint8_t n;             /* cells: an answer is a vote about each */
    uint8_t options;       /* of a CLASSIFY task; 0: CONTAINS */
    bool chosen;           /* its campaign's kind is the default view's, and its task CONTAINS */
    bool labels;           /* it asks about a label that its images could have (sets/labels/) */
    bool excluded;         /* no view counts it, as of the cursor */
};
/* Bits of an answer's mask; images that a person is shown. */
static inline unsigned tally_bits(const struct tally_grid *g)
{
    return g->options ? g->options : g->n;
}
static inline unsigned tally_images(const struct tally_grid *g)
{
    return g->options ? 1 : g->n;
}
/* By the default view. */
static inline bool tally_grid_counted(const struct tally_grid *g)
{
    return g->chosen && !g->excluded;
}
/* A grid was excluded or counted again, in order: what happened after an event is taken back from the end. */
struct tally_exclusion {
    uint32_t id, grid;     /* event; index into the grids */
    bool excluded;         /* what it became; it was the opposite */
};
/* Candidates' cells of a campaign by the position where they were shown, of CLASSIFY tasks that are no checks the options,
 * over answers that are neither surplus nor out, on grids that are not excluded. Kept by the fold because the order of
 * an answer's cells is drawn from its seed, which nobody else needs.
 *
 * What the test of the position needs (stats/cochran.h) of the answers that were shuffled: each is a
 * block of all its cells, with the value 1 less the answer's share at a candidate that was selected, less
 * the share at one that was not, and 0 at a control. In units of 2^-32, so that an answer that is taken
 * back leaves nothing behind; room for 10^9 answers. */
enum { TALLY_POINT = 32 };
struct tally_positions {
    uint32_t campaign;
    uint32_t shuffled;                /* answers */
    uint64_t shown[GRID_CELLS], selected[GRID_CELLS];
    int64_t excess[GRID_CELLS];       /* sums of the values */
    uint64_t squares[GRID_CELLS + 1]; /* sums of their squares, by how many cells the grid has */
};
struct tally_totals {
    uint64_t pairs, grids, answers, votes, surplus, selected;
    int64_t cursor;        /* last event folded */
    uint64_t plan_version; /* grows when grids or campaigns were made or changed */
    uint64_t shown_version; /* grows when images came or tokens were revoked */
};

struct tally *tally_new(void);
void tally_free(struct tally *t);
/* Before the first fold: keeps the ledger in a file without a name in that folder (live/core/ledger.h).
 * tally_rest, now and then by the thread that folds, lets go of the memory that reading it took. */
void tally_use_disk(struct tally *t, const char *dir);
void tally_rest(struct tally *t);

/* Folds everything after the cursor; the database connection sees one snapshot. */
enum err_code tally_fold(struct tally *t, struct db *db, struct err *err);

void tally_read_lock(struct tally *t);
void tally_read_unlock(struct tally *t);

/* The rest is called under the read lock (or by the thread that folds). */
void tally_totals(const struct tally *t, struct tally_totals *out);
/* NULL when the pair was never on a grid. Borrowed until the lock is given back. */
const struct tally_pair *tally_find(const struct tally *t, int64_t image, int64_t class_id);
/* The pairs of a class: first, then tally_at(t, p->next) until NULL. */
const struct tally_pair *tally_class(const struct tally *t, int64_t class_id);
const struct tally_pair *tally_at(const struct tally *t, uint32_t index);
const struct tally_pair *tally_pairs(const struct tally *t, size_t *n); /* all */
const struct tally_grid *tally_grids(const struct tally *t, size_t *n); /* all, by id */
const struct tally_grid *tally_grid(const struct tally *t, int64_t grid); /* NULL: unknown */
const struct tally_cell *tally_cells(const struct tally *t, size_t *n); /* all; see `first` */
const struct tally_exclusion *tally_exclusions(const struct tally *t, size_t *n); /* all, in order */
/* Every answer; campaigns that have answers, in no order. */
const struct ledger *tally_ledger(const struct tally *t);
const struct tally_positions *tally_positions(const struct tally *t, size_t *n);
/* Whether the pair is an image of its class for somebody who counted `shown` answers: not one that only grids about labels
 * show, unless these count. */
static inline bool tally_of_class(const struct tally_pair *p, uint32_t shown)
{
    return !p->labels || shown > 0;
}
/* Of what was selected of a pair that was shown so often: the right answers for gold, else itself. */
static inline uint32_t tally_right(const struct tally_pair *p, uint32_t shown, uint32_t selected)
{
    return p->other ? shown - selected : selected;
}
/* Image id of the cell, position < tally_images(g). */
uint32_t tally_cell_image(const struct tally *t, const struct tally_grid *g, unsigned position);
/* Bytes of memory held. */
size_t tally_memory(const struct tally *t);

#endif
