/* tally.h - votes counted in memory: per (image, class) pair how many accepted answers showed it
 * and how many selected it, under the default vote view; per grid how many answers it has.
 *
 * A fold over append-only tables from a cursor: the same function at start, after our own
 * commits, after other processes' commits, in the CLI and in `check`. Readers on HTTP threads
 * hold the read lock; only the fold writes. A million pairs take about 36 MB.
 * Called by web/, cli/. Knows SQL only through store/. */
#ifndef LIVE_TALLY_H
#define LIVE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "db/db.h"

struct tally;

struct tally_pair {        /* 24 bytes: there are as many as images on grids */
    uint32_t image, class; /* database ids */
    uint32_t shown, selected;
    uint32_t next;         /* next pair of the same class, MAP_NONE at the end */
    uint32_t role;         /* enum cell_role where the pair first stood */
};
struct tally_grid {
    uint32_t id, campaign, class;
    uint32_t first;        /* into the cells */
    uint32_t answers;      /* not surplus, whatever the view says: these count to N */
    uint8_t n;             /* cells */
    bool counted;          /* by the default view: campaign kind, not excluded */
};
struct tally_totals {
    uint64_t pairs, grids, answers, votes, surplus, selected;
    int64_t cursor;        /* last event folded */
    uint64_t plan_version; /* grows when grids or campaigns were made or changed */
    uint64_t shown_version; /* grows when images came or tokens were revoked */
};

struct tally *tally_new(void);
void tally_free(struct tally *t);

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
/* Image id of the cell. */
uint32_t tally_cell_image(const struct tally *t, const struct tally_grid *g, unsigned position);
/* Bytes held. */
size_t tally_memory(const struct tally *t);

#endif
