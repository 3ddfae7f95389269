/* plan_write.c - writing a planned campaign. */
#include "cli/plan_write.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "db/bulk.h"
#include "store/grids.h"
#include "store/images.h"

enum { CHUNK = 10 };

static void add_grid(struct plan *p, int64_t class_id, const struct plan_grid *grid)
{
    xgrow(&p->grids, &p->cap, p->n + 1, sizeof *p->grids);
    p->grids[p->n].class_id = class_id;
    p->grids[p->n++].grid = *grid;
}

enum err_code plan_class(struct plan *p, int64_t class_id, int64_t other, struct rng *r,
                         size_t most)
{
    struct cli *cli = p->cli;
    struct plan_class in = {0};
    struct arena a;
    arena_init(&a, 1 << 30);
    int64_t *candidates, *originals, *negatives;
    enum err_code rc = images_of_class(cli->db, class_id, "candidate", &a, &candidates,
                                       &in.n_candidates, &cli->err);
    if (rc == OK) {
        rc = images_of_class(cli->db, class_id, "original", &a, &originals, &in.n_originals,
                             &cli->err);
    }
    if (rc == OK) {
        rc = images_of_class(cli->db, other, "original", &a, &negatives, &in.n_negatives,
                             &cli->err);
    }
    if (rc == OK) {
        struct plan_grid *grids;
        size_t n;
        in.candidates = candidates;
        in.originals = originals;
        in.negatives = negatives;
        plan_grids(&in, r, &grids, &n);
        for (size_t i = 0; i < n && p->n < most; i++) {
            add_grid(p, class_id, &grids[i]);
        }
        p->short_of_controls += n > 0 && (in.n_originals < 3 || in.n_negatives < 3);
        free(grids);
    }
    arena_release(&a);
    return rc;
}

void plan_release(struct plan *p)
{
    free(p->grids);
    p->grids = NULL;
    p->n = p->cap = 0;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    enum err_code rc = OK;
    uint64_t added = 0;
    for (int k = 0; k < CHUNK && p->at < p->n && rc == OK; k++, p->at++) {
        const struct plan_grid *from = &p->grids[p->at].grid;
        struct grid_new g = {.campaign = p->campaign.id,
                             .class_id = p->grids[p->at].class_id,
                             .number = -1,
                             .cells.n = from->n};
        char name[96];
        int64_t id;
        for (unsigned i = 0; i < from->n; i++) {
            g.cells.image[i] = from->image[i];
            g.cells.role[i] = from->role[i];
        }
        snprintf(name, sizeof name, SV_FMT "-%zu", SV_ARG(p->campaign.name), p->at + 1);
        g.name = sv_of(name);
        rc = grids_create(db, &g, clock_wall_ms(), &id, err);
        added += id != 0;
    }
    if (rc == OK && added) {
        rc = grids_event(db, p->campaign.id, false, added, clock_wall_ms(), err);
    }
    *more = p->at < p->n;
    cli_progress(p->cli, "grids", p->at, p->n);
    return rc;
}

static enum err_code create_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    struct campaign draft = p->campaign;
    *more = false;
    draft.state = SV("draft");
    enum err_code rc = campaigns_create(db, &draft, 0, clock_wall_ms(), err);
    p->campaign.id = draft.id;
    return rc;
}

static enum err_code state_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct plan *p = arg;
    *more = false;
    return campaigns_set_state(db, p->campaign.id, arena_cstr(&p->cli->arena, p->campaign.state), 0,
                               clock_wall_ms(), err);
}

enum err_code plan_write(struct plan *p)
{
    struct cli *cli = p->cli;
    enum err_code rc = OK;
    if (p->campaign.id == 0) {
        rc = bulk_write(cli->db, cli->alone, create_step, p, &cli->err);
    }
    if (rc == OK) {
        rc = bulk_write(cli->db, cli->alone, write_step, p, &cli->err);
    }
    if (rc == OK) {
        rc = bulk_write(cli->db, cli->alone, state_step, p, &cli->err);
    }
    cli_progress_end(cli);
    return rc;
}
