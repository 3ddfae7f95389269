/* notice.h - what was done, shown once on the next page. It travels in a cookie that only
 * this server can have made and only for this session, so that no text of the outside gets into a page,
 * and no memory is kept for visitors who never come back. */
#ifndef WEB_CORE_NOTICE_H
#define WEB_CORE_NOTICE_H

#include <jansson.h>

#include "web/core/app.h"

/* Of a page that is about to be rendered: {text, undo: null or {action, fields [{name, value}]}}, and the
 * cookie is cleared; NULL when there is none, or when no person will see this reply. */
json_t *notice_take(struct ctx *c, int status);

#endif
