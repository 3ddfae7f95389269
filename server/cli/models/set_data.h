/* set_data.h - which part of a set numbers are about, and what to know of the set. */
#ifndef CLI_MODELS_SET_DATA_H
#define CLI_MODELS_SET_DATA_H

#include "cli/core/cli.h"
#include "measures/core/subset.h"
#include "store/sets/sets.h"

/* What --subset and --labels say. */
enum err_code subset_option(struct cli *cli, struct subset *out);
/* The same of the new set of a pair: by --new-labels, where it is given. */
enum err_code subset_option_new(struct cli *cli, struct subset *out);
/* A note when the set was unsealed before it was final: numbers about it are then no blind measurement. */
void set_note_unsealed(const struct cli *cli, const struct revision_row *r);

#endif
