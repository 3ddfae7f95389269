/* training_needed.h - what somebody must unlock before they work on a list, as page data for templates/layout/classes/training_needed. */
#ifndef WEB_NAMING_TRAINING_NEEDED_H
#define WEB_NAMING_TRAINING_NEEDED_H

#include <jansson.h>

#include "store/labels/training_lists.h"
#include "web/core/app.h"

/* [{unlocks, url (or null)}]: empty when nothing is missing. New reference; NULL with c->err set. */
json_t *training_needed_json(struct ctx *c, enum training_for kind, int64_t list);

#endif
