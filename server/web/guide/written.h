/* written.h - the pages of the guide that say something, as a list that is searched, narrowed and sorted. */
#ifndef WEB_GUIDE_WRITTEN_H
#define WEB_GUIDE_WRITTEN_H

#include <jansson.h>

#include "web/core/app.h"

/* What the guide's address asks for of them, as page data: {query, text, shows, sorts, heads, rows, any, none, count, pages, pages_label,
 * print_url, json_url, csv_url}. New reference; NULL with c->err set. */
json_t *guide_written_json(struct ctx *c);

#endif
