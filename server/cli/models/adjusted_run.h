/* adjusted_run.h - the options with which commands say of which pair of sets true frequencies are looked at, and the
 * numbers: --original, --new, --top, --models, --subset, --labels, --new-labels, --groups,
 * --resamples, --seed. */
#ifndef CLI_MODELS_ADJUSTED_RUN_H
#define CLI_MODELS_ADJUSTED_RUN_H

#include "cli/core/cli.h"
#include "sets/bias/adjusted.h"

/* Rows of these options in THE command table; --original and --new differ in what is required. */
#define ADJUSTED_OPTIONS                                                                                                     \
    {"top", "K", "1 (default) or 5"},                                                                                        \
        {"models", "MODEL,...", "models, with commas between them (default: all that have predicted both sets)"},            \
        {"groups", "N", "number of groups of workers for the intervals, 2 to 1000 (default 50)"},                            \
        {"resamples", "N", "draws of images for the intervals, 2 to 10000 (default 200)"},                                   \
        {"seed", "N", "seed of the groups and the draws (default 0)"}

/* In the command's arena. As set_adjusted_make; without figures, unless --json asks for what there is, ERR_INPUT (rule
 * "gap-adjusted") with `what` there is not. */
enum err_code adjusted_run(struct cli *cli, const char *what, struct set_adjusted *out);
/* All of it as JSON on standard output. */
enum err_code adjusted_run_json(struct cli *cli, const struct set_adjusted *s);
/* Says on standard error which models were left out, and what the figures take for granted or lack. */
void adjusted_run_note(struct cli *cli, const struct set_adjusted *s);

#endif
