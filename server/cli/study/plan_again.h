/* plan_again.h - what a plan shows that measures a set again: the images of a frozen revision and,
 * drawn, as many originals of each class, mixed and every one once. */
#ifndef CLI_STUDY_PLAN_AGAIN_H
#define CLI_STUDY_PLAN_AGAIN_H

#include "cli/core/cli.h"
#include "domain/grids/plan.h"
#include "store/sets/sets.h"

struct plan_again {
    struct revision_row revision;
    struct revision_image *images; /* by class and image */
    size_t n;
    int64_t *apart; /* campaigns whose people do not take part: those of the set's view */
    size_t n_apart;
    size_t shown, originals; /* of the plan so far */
    size_t few_originals;    /* classes with fewer originals than images */
};
/* --set. ERR_INPUT (rules "usage", "remeasurement-original"), ERR_NOT_FOUND (rule "set"),
 * ERR_CONFLICT (rule "set-not-frozen"). */
enum err_code plan_again_open(struct cli *cli, struct plan_again *out);
/* Makes of a class's pools what is planned of it; `drawn` are the originals among the candidates
 * then. False: the set has no image of the class that can be shown. */
bool plan_again_pools(struct plan_again *p, int64_t class_id, struct rng *r, struct arena *a,
                      struct plan_class *pools, struct plan_pool *drawn);
/* Gives the drawn ones the role of originals in the grids, for pages that tell both apart. */
void plan_again_roles(const struct plan_pool *drawn, struct plan_grid *grids, size_t n);

#endif
