/* fit_sets.h - the line through models' accuracies on two sets of the project, as options ask for it: of `fit` and of
 * `difficulty`. */
#ifndef CLI_MODELS_FIT_SETS_H
#define CLI_MODELS_FIT_SETS_H

#include "cli/core/cli.h"
#include "measures/fits/set_fit.h"

struct fit_sets {
    struct subset subset, fresh_subset;
    struct scored_set original, fresh;
    struct set_fit_ask ask;
    int64_t event; /* newest of the moment that was looked at */
    struct fit_found found;
};
/* Reads --original and --new (both are needed), --top, --without, --subset, --labels and --new-labels; `fit` and `families` of
 * out->ask are as the caller made them. In the command's arena. ERR_INPUT (rule "usage"), otherwise as set_fit. */
enum err_code fit_sets_read(struct cli *cli, struct fit_sets *out);
/* Says which models the line is not fitted to. */
void fit_note_left_out(const struct cli *cli, const struct fit_found *found);

#endif
