/* nav.h - the rail of pages for experts and leads: which areas there are, for whom, in which group, and
 * how much open work waits in each. */
#ifndef WEB_CORE_NAV_H
#define WEB_CORE_NAV_H

#include "web/core/app.h"

/* [{name (null: the group has no heading), id, entries [{label, url, here, count (null: nothing open),
 * counted}]}] of the areas that the request's user may open; `here`: the area that the address belongs to. Empty
 * for anybody below expert. Counts may be as old as the last commit. New reference. */
json_t *nav_json(struct ctx *c);

#endif
