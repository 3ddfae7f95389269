/* plan.h - what a plan costs and covers, as data for a campaign's page: the numbers a lead has in
 * view when they open it. */
#ifndef WEB_CAMPAIGNS_PLAN_H
#define WEB_CAMPAIGNS_PLAN_H

#include "store/campaigns/campaigns.h"
#include "web/core/app.h"

/* {tiles, warnings [{text}], any_warnings, target, below [{class, class_url, originals, covered,
 * after, why}], any_below, below_more}. Counts every vote of the project: for a helper thread. NULL on failure. */
json_t *campaign_plan_json(struct ctx *c, const struct campaign *k);

#endif
