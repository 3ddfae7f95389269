/* check_stats.h - the numbers of the live pages against SQL, a part of `holdout check`. */
#ifndef CLI_CHECK_STATS_H
#define CLI_CHECK_STATS_H

#include "cli/cli.h"
#include "live/tally.h"

/* Calls `found` with a sentence for each number that differs: what live/stats.h says of people against
 * a recount by SQL, and what live/view_count.h makes of the default view against the tally. */
enum err_code check_stats(struct cli *cli, struct tally *t,
                          void (*found)(void *arg, const char *text), void *arg);

#endif
