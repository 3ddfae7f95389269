/* score_revisions.h - `holdout score --revisions`: models on every revision of a set. */
#ifndef CLI_MODELS_SCORE_REVISIONS_H
#define CLI_MODELS_SCORE_REVISIONS_H

#include "cli/core/cli.h"
#include "record/record.h"

/* `set` names the set, by any of its revisions; of the models that --model names, and the images of --subset. */
enum err_code score_revisions(struct cli *cli, const char *set, enum record_table as);

#endif
