/* hits.h - SQL for grids and answers as exports in the study's formats show them. Texts are
 * borrowed for the call of `each`. */
#ifndef STORE_VOTES_HITS_H
#define STORE_VOTES_HITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/sv.h"
#include "db/db.h"
#include "domain/grids/grid.h"

struct hit_cell {
    struct sv image;
    int64_t idx; /* number in the image list, -1: none */
    enum cell_role role;
};
struct hit {
    int64_t id, created_at;
    int64_t number; /* -1: none */
    struct sv name, wnid, excluded, record, listed; /* store/work/grids.h */
    bool special;
    unsigned n;
    struct hit_cell cell[GRID_CELLS];
};
/* One grid; ERR_NOT_FOUND (rule "no-grid"). Texts are in the arena. */
enum err_code hits_get(struct db *db, int64_t grid, struct arena *a, struct hit *out,
                       struct err *err);
/* The grids of a campaign, in order. */
enum err_code hits_each(struct db *db, int64_t campaign,
                        enum err_code (*each)(void *arg, const struct hit *h, struct err *err),
                        void *arg, struct err *err);
/* Name of an image on the campaign's grids that has no number; empty: all have. In the arena. */
enum err_code hits_unnumbered(struct db *db, int64_t campaign, struct arena *a, struct sv *out,
                              struct err *err);

struct hit_vote {
    int64_t grid, number;      /* number -1: none */
    int64_t assignment;        /* id */
    struct sv name;            /* of an imported assignment: CAMPAIGN:ID */
    struct sv worker;          /* what an imported worker came with, else the pseudonym */
    char status;               /* 'R' out of the analysis, 'A' paid, 'S' neither */
    bool surplus, excluded;    /* came when the grid was full; the grid counts nowhere */
    int64_t accepted_at, duration_ms;
    uint64_t mask;
};
enum hit_order { HITS_BY_TIME, HITS_BY_GRID };
/* The answers of a campaign. `panel_ids`: workers by what their panel calls them, where that is still
 * known. */
enum err_code hits_votes(struct db *db, int64_t campaign, bool panel_ids, enum hit_order order,
                         enum err_code (*each)(void *arg, const struct hit_vote *v,
                                               struct err *err),
                         void *arg, struct err *err);

#endif
