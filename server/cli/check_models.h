/* check_models.h - sets, models, predictions and features against their rows, a part of `holdout check`. */
#ifndef CLI_CHECK_MODELS_H
#define CLI_CHECK_MODELS_H

#include "cli/cli.h"

/* Calls `found` with a sentence for each thing that is wrong: lists of images whose rows or digest are not what
 * they say, predictions that cannot be read or are about no image, model files that are gone, feature files
 * that are shorter than their index. */
enum err_code check_models(struct cli *cli, void (*found)(void *arg, const char *text), void *arg);

#endif
