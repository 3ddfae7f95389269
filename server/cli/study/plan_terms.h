/* plan_terms.h - the terms of a campaign from the options of `holdout grids` and `holdout classify`. */
#ifndef CLI_STUDY_PLAN_TERMS_H
#define CLI_STUDY_PLAN_TERMS_H

#include "cli/core/cli.h"
#include "store/campaigns/campaigns.h"

/* ERR_INPUT (rule "usage") names the option that is wrong. The seed is drawn unless given. `classify`: of a campaign with that
 * task, whose name is "objects" unless given. */
enum err_code plan_terms_read(struct cli *cli, bool classify, struct campaign *out);
/* Puts the terms that options name, of those that a draft can still change (campaigns_set_terms), from
 * `asked` into the draft. True when there are any. */
bool plan_terms_change(const struct cli *cli, const struct campaign *asked, struct campaign *draft);

#endif
