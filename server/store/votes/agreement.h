/* agreement.h - SQL for one grid with its cells and how everybody it was lent to agrees with the others; one
 * assignment. Every query walks one grid by index, so that ten million votes cost nothing. Texts
 * are in the caller's arena. */
#ifndef STORE_VOTES_AGREEMENT_H
#define STORE_VOTES_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "domain/grids/grid.h"
#include "domain/votes/agreement.h"
#include "store/work/grids.h"

struct grid_cell_seen {
    int64_t image;
    enum cell_role role;
    bool own_class, pixels; /* the image was collected for the grid's class; it has a file */
    struct sv name;
};
struct grid_seen {
    int64_t id, campaign, class_id, created_at;
    bool special;
    struct sv name, excluded; /* excluded: why no view counts it, empty when counted */
    unsigned n;
    struct grid_cell_seen cells[GRID_CELLS];
    struct grid_option *options; /* of a CLASSIFY task, in candidate order: masks are about them */
    size_t n_options;            /* 0: CONTAINS */
    uint32_t known;              /* of a check: bits of the options that the image is known to show */
};
/* ERR_NOT_FOUND (rule "no-grid"). */
enum err_code agreement_grid(struct db *db, int64_t grid, struct arena *a, struct grid_seen *out,
                          struct err *err);

enum lent_state { LENT_LEASED, LENT_EXPIRED, LENT_STORED, LENT_SURPLUS, LENT_OUT };
struct lent {
    int64_t id, person, place, leased_at, lease_until;
    struct sv pseudonym;
    bool has_seed;
    uint64_t seed;
    enum lent_state state;
    int64_t answer, at, active_ms; /* answer 0: none; active_ms -1: not known */
    uint64_t mask;
    int64_t main;                  /* the main object's option; -1: none, or CONTAINS */
    struct sv device, rule;        /* JSON or empty; why it is out */
    struct sv pay;                 /* "pending", "approved", "rejected", "bonus" */
    struct agreement agreement;    /* only with an answer */
};
/* Everybody the grid was lent to, by time, with agreement; `now` says which leases live. */
enum err_code agreement_lent(struct db *db, const struct grid_seen *g, int64_t now, struct arena *a,
                          struct lent **out, size_t *n, struct err *err);
/* The grid of an assignment; ERR_NOT_FOUND (rule "no-assignment"). */
enum err_code agreement_grid_of(struct db *db, int64_t assignment, int64_t *grid, struct err *err);

#endif
