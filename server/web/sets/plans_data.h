/* plans_data.h - which analysis plans were registered for a set, and whether in time, for the pages of the set and its revisions. */
#ifndef WEB_SETS_PLANS_DATA_H
#define WEB_SETS_PLANS_DATA_H

#include "web/core/app.h"

/* [{name, url, words, late, at}], newest first; for layout/sets/plans. New reference; NULL with c->err set. */
json_t *set_plans_data(struct ctx *c, struct sv set);

#endif
