/* features_source.h - what a command's options --model and --value say whose features are meant. */
#ifndef CLI_MODELS_FEATURES_SOURCE_H
#define CLI_MODELS_FEATURES_SOURCE_H

#include "cli/models/use.h"
#include "store/models/features.h"

/* Opens the model and fills in all of the source but what made it: `engine` and `digest`. ERR_INPUT (rule "model-features")
 * when its value has no numbers, or more than FEATURE_DIM. */
enum err_code features_source_model(struct cli *cli, struct model_use *m, struct feature_source *out);
/* Fills in these, as this machine computes them. */
enum err_code features_source_here(struct cli *cli, const struct model_use *m, struct feature_source *out);

#endif
