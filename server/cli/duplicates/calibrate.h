/* calibrate.h - `holdout neighbors --calibrate`: what transfer/duplicates/neighbors_calibrate.h does, with models. */
#ifndef CLI_DUPLICATES_CALIBRATE_H
#define CLI_DUPLICATES_CALIBRATE_H

#include "cli/core/cli.h"

/* Reads --metric, --images and --seed. */
enum err_code calibrate(struct cli *cli, unsigned threads);

#endif
