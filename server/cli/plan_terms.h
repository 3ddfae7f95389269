/* plan_terms.h - the terms of a campaign from the options of `holdout grids`. */
#ifndef CLI_PLAN_TERMS_H
#define CLI_PLAN_TERMS_H

#include "cli/cli.h"
#include "store/campaigns.h"

/* ERR_INPUT (rule "usage") names the option that is wrong. The seed is drawn unless given. */
enum err_code plan_terms_read(struct cli *cli, struct campaign *out);

#endif
