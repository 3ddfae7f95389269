/* grids.h - SQL for grids and their cells, written once and never changed, and for their exclusion. */
#ifndef STORE_WORK_GRIDS_H
#define STORE_WORK_GRIDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/grids/grid.h"

struct grid_cells {
    unsigned n;
    int64_t image[GRID_CELLS];
    enum cell_role role[GRID_CELLS];
};

/* Of a CLASSIFY task: the labels that people choose among, in candidate order. */
struct grid_options {
    unsigned n; /* 0: a CONTAINS grid */
    int64_t class_id[GRID_OPTIONS];
    uint32_t known; /* of a check: bits of the labels whose objects the image is known to show; else 0 */
};

struct grid_new {
    int64_t campaign, class_id;
    int64_t number;      /* votes refer to it, -1: none */
    struct sv name;
    struct sv excluded;  /* empty: counted */
    bool special;        /* made for the coverage of originals */
    struct sv record;    /* imported: JSON of the members that no column says, or empty */
    struct sv listed;    /* imported: a byte per cell, its position, in the order of the record's
                            lists; empty: the order of the cells */
    struct grid_cells cells;     /* of a CLASSIFY task one: its role is CELL_CANDIDATE, or CELL_GOLD of a check */
    struct grid_options options; /* none unless its campaign's task is CLASSIFY; `class_id` is then the label that the
                                    image's set gives it, whether it is among the options or not */
};
/* Whether the grid may go in: one of that name with another class, number, cells or options, or one
 * of that number with another name, is ERR_CONFLICT (rule "grid-differs"). */
enum err_code grids_check(struct db *db, const struct grid_new *g, struct err *err);
/* Inserts a grid with its cells and options; does nothing (and *id = 0) when the campaign has one of that
 * name. The caller writes one event for many grids, in the same transaction (grids_event). */
enum err_code grids_create(struct db *db, const struct grid_new *g, int64_t now, int64_t *id,
                           struct err *err);
/* "grids.create", or "grids.import" for a study done elsewhere; n goes into the detail. */
enum err_code grids_event(struct db *db, int64_t campaign, bool imported, uint64_t n, int64_t now,
                          struct err *err);
/* Cells of one grid; n is 0 for an unknown one. */
enum err_code grids_cells(struct db *db, int64_t grid, struct grid_cells *out, struct err *err);

/* Options of one grid; n is 0 for an unknown one and for CONTAINS. */
enum err_code grids_options(struct db *db, int64_t grid, struct grid_options *out, struct err *err);

/* The same as people read them, in candidate order: one query, for every task that is lent. */
struct grid_option {
    int64_t class_id;
    struct sv wnid, synset, gloss; /* synset joined by "|" */
};
enum err_code grids_option_list(struct db *db, int64_t grid, struct arena *a, struct grid_option **out, size_t *n,
                                struct err *err);

/* Grid by the number of an imported HIT, with how many cells it has; *id 0 when there is none. */
enum err_code grids_find_number(struct db *db, int64_t campaign, int64_t number, int64_t *id,
                                int64_t *cells, struct err *err);

/* A campaign's grid by its name, and whether it is excluded; *id 0 when there is none. */
enum err_code grids_find(struct db *db, int64_t campaign, struct sv name, int64_t *id, bool *excluded,
                         struct err *err);
/* Whether some campaign has a grid of that name: an imported HIT by its uuid. */
enum err_code grids_named(struct db *db, struct sv name, bool *out, struct err *err);

/* Lowest id of a campaign's grids; ids of one plan follow each other. ERR_NOT_FOUND: none. */
enum err_code grids_first(struct db *db, int64_t campaign, int64_t *id, struct err *err);

/* Keeps a grid out of every view, with a reason, or counts it again (reason empty), with an event "grid.exclude" or
 * "grid.include"; nothing is written when that is its state. Needs a transaction of the caller. ERR_NOT_FOUND (rule
 * "no-grid"). */
enum err_code grids_exclude(struct db *db, int64_t grid, struct sv reason, int64_t account, int64_t now,
                            struct err *err);
/* How grids that were excluded or counted again later came to their present state: every change, in order. */
struct grid_exclusion {
    int64_t id, grid; /* id: the event */
    bool excluded;    /* what it became; it was the opposite */
};
enum err_code grids_exclusions(struct db *db,
                               enum err_code (*each)(void *arg, const struct grid_exclusion *x, struct err *err),
                               void *arg, struct err *err);

struct grid_row {
    int64_t id, campaign, class_id;
    bool chosen;   /* by the default view's campaign kinds and names; no CLASSIFY task is */
    bool excluded; /* now */
    bool labels;   /* asks whether images contain a label that they could have, whatever class they were collected for */
    int64_t options; /* of a CLASSIFY task; 0: CONTAINS */
    int64_t known;   /* bits of them, of a check */
};
/* Every grid with id > after, in order, each followed by its cells; `expected`: a gold image that
 * was collected for the grid's class. */
enum err_code grids_each(struct db *db, int64_t after,
                         enum err_code (*grid)(void *arg, const struct grid_row *g,
                                               struct err *err),
                         enum err_code (*cell)(void *arg, int64_t image, enum cell_role role,
                                               bool expected, struct err *err),
                         void *arg, struct err *err);

#endif
