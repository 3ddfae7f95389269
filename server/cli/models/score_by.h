/* score_by.h - `holdout score --by class` and by a statistic: how models do on parts of a set, or of a pair of sets. */
#ifndef CLI_MODELS_SCORE_BY_H
#define CLI_MODELS_SCORE_BY_H

#include "cli/core/cli.h"

/* `original` NULL: of the one set `fresh`. Of the models that --model names (of all) those that have predicted all of it,
 * at `top`, and the images of --subset. */
enum err_code score_by(struct cli *cli, const char *original, const char *fresh, int top);

#endif
