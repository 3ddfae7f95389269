/* flag_data.h - what the page of flags says besides the images: surges, the people behind the
 * flags, what was dismissed. All need the role lead. */
#ifndef WEB_FLAGS_FLAG_DATA_H
#define WEB_FLAGS_FLAG_DATA_H

#include <jansson.h>

#include "web/core/app.h"

/* {surges [...], people [...], actions [...], done, restored}: see templates/flags/index.mustache.
 * `all`: the page that shows everything, dismissals too. NULL with c->err on failure. */
json_t *flag_about_json(struct ctx *c, bool all);
/* "3 people" */
const char *flag_people_text(struct ctx *c, int64_t n);

#endif
