/* adjusted_world.h - models in the studies of bias_world.h, whose chances to be right are known: by an image's true
 * frequency, and less on new images. For tests of measures/votes/adjusted_gap.h. */
#ifndef TESTS_ADJUSTED_WORLD_H
#define TESTS_ADJUSTED_WORLD_H

#include "measures/bias_world.h"
#include "measures/votes/adjusted_gap.h"

enum { WORLD_MODELS = 3, WORLD_GROUPS = 20, WORLD_RESAMPLES = 60 };

/* How often a model is right about originals of true frequency s: the more often, the more people select them. */
double adjusted_world_chance(size_t model, double s);
/* The gap to find: how much less often on new images, whatever people say. */
double adjusted_world_left(double s);
/* right[model * images + image]. */
void adjusted_world_answer(const struct bias_made *m, struct rng *r, unsigned char *right);
/* As many fresh votes of each original and image of the set instead of all others, and no review to account for. */
void adjusted_world_again(struct bias_made *m, const struct bias_world *w, struct rng *r);
struct adjusted_input adjusted_world_input(const struct bias_made *m, const unsigned char *right, uint64_t seed);

#endif
