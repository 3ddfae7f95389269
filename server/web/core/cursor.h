/* cursor.h - how the API's lists are read page by page. */
#ifndef WEB_CORE_CURSOR_H
#define WEB_CORE_CURSOR_H

#include "web/core/app.h"

struct cursor {
    int64_t from;  /* the "next" of an earlier page; 0: the first page */
    size_t limit;  /* rows of this page */
};

/* From the query: `name` ("after" or "before") and "limit", which is 1 to `most`, and `usual` when it is
 * not there. ERR_INPUT (rule "cursor") for anything else. */
enum err_code cursor_read(struct ctx *c, const char *name, size_t usual, size_t most,
                          struct cursor *out);

#endif
