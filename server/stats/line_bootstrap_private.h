/* line_bootstrap_private.h - what both kinds of resamples share: blocks with their own generators on several threads. */
#ifndef STATS_LINE_BOOTSTRAP_PRIVATE_H
#define STATS_LINE_BOOTSTRAP_PRIVATE_H

#include "base/rng.h"
#include "stats/line.h"
#include "stats/line_bootstrap.h"

/* Draws one resample with `rng`; false: it has no line. `worker` is below ask->threads and belongs to one thread at a
 * time. */
typedef bool bootstrap_draw(void *arg, unsigned worker, struct rng *rng, double *slope, double *offset);
void bootstrap_blocks(const struct bootstrap_ask *ask, bootstrap_draw *draw, void *arg, struct bootstrap_found *out);

#endif
