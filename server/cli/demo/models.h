/* models.h - what models do in the demo's world: baselines of different sizes trained on images that are in
 * no set, the originals as a set, a new set from the closed pilot, and every model's predictions on both. */
#ifndef CLI_DEMO_MODELS_H
#define CLI_DEMO_MODELS_H

#include "cli/demo/world.h"

#define DEMO_ORIGINALS "originals"
#define DEMO_NEW_SET "pilot-best"
#define DEMO_MISLABELLED "originals-with-errors"

/* All original images; a set of role original. Before it another one of some of them, in which one label in twelve is wrong. */
enum err_code demo_models_originals(struct demo_world *w, int64_t now);
/* The candidates that the campaign's people selected most often, class by class; frozen. */
enum err_code demo_models_new_set(struct demo_world *w, const char *campaign, int64_t now);
/* Trains, then predicts on the sets that there are. */
enum err_code demo_models_train(struct demo_world *w);

#endif
