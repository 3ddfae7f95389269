/* plan_spread.h - the order in which the grids of a plan are handed out, where many of them show the same images: about
 * each of an image's potential labels there is one. Nobody is shown an image twice, so grids that are handed out at the
 * same time should share none. Pure. */
#ifndef DOMAIN_GRIDS_PLAN_SPREAD_H
#define DOMAIN_GRIDS_PLAN_SPREAD_H

#include "domain/grids/plan.h"

enum { SPREAD_WINDOW = 16 }; /* grids from which a person's next one is drawn, unless the server's owner changed it */

/* `label`: of each of the n grids, what it asks about; those of a label follow each other. order[k] becomes the grid that is
 * handed out as number k: labels in turn, drawn; of the next few the one that shares the fewest images with the `window`
 * before it. Deterministic by the generator. */
void plan_spread(const struct plan_grid *const *grids, const int64_t *label, size_t n, size_t window, struct rng *r,
                 uint32_t *order);

#endif
