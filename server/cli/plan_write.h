/* plan_write.h - writing a planned campaign: the campaign and its grids, beside a serving process.
 * Called by cmd_grids.c and cmd_generate.c. */
#ifndef CLI_PLAN_WRITE_H
#define CLI_PLAN_WRITE_H

#include "cli/cli.h"
#include "domain/plan.h"
#include "store/campaigns.h"

struct plan {
    struct cli *cli;
    struct campaign campaign;   /* state: what it shall be when all grids are there */
    struct {
        int64_t class_id;
        struct plan_grid grid;
    } *grids;
    size_t n, cap, at;
    size_t short_of_controls;   /* classes */
};

/* Plans the grids of a class (domain/plan.c) from its candidates and originals and the originals of
 * `other` (0: no negative controls), and adds them while the plan has fewer than `most`. */
enum err_code plan_class(struct plan *p, int64_t class_id, int64_t other, struct rng *r,
                         size_t most);
/* Makes the campaign as a draft unless it has an id (then it is one and is completed), writes the grids in chunks, then gives it its state, so that no
 * grid is handed out before all are there. ERR_CONFLICT (rule "campaign-exists"). */
enum err_code plan_write(struct plan *p);
void plan_release(struct plan *p);

#endif
