/* check_sets.h - revisions that were sampled here against their parents, a part of `holdout check`. */
#ifndef CLI_CHECK_SETS_H
#define CLI_CHECK_SETS_H

#include "cli/cli.h"

/* Calls `found` with a sentence for each revision whose removals are not what its parent had more, or that has
 * carried over the review of a class whose images changed. */
enum err_code check_sets(struct cli *cli, void (*found)(void *arg, const char *text), void *arg);

#endif
