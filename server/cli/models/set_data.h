/* set_data.h - which part of a set numbers are about, and what to know of the set. */
#ifndef CLI_MODELS_SET_DATA_H
#define CLI_MODELS_SET_DATA_H

#include "cli/core/cli.h"
#include "measures/core/subset.h"
#include "store/sets/sets.h"

/* What --subset and --labels say. */
enum err_code subset_option(struct cli *cli, struct subset *out);
/* The same of the new set of a pair: of --new-subset by --new-labels, where they are given. */
enum err_code subset_option_new(struct cli *cli, struct subset *out);
/* --top and, of the new set of a pair, --new-top: 1 or 5, by default 1 and the same. */
enum err_code top_options(struct cli *cli, int *top, int *fresh_top);
/* A note when the set was unsealed before it was final: numbers about it are then no blind measurement. */
void set_note_unsealed(const struct cli *cli, const struct revision_row *r);

#endif
