/* tombstones.h - what pages show in place of images that were taken down. */
#ifndef WEB_PARTS_TOMBSTONES_H
#define WEB_PARTS_TOMBSTONES_H

#include "web/core/app.h"

/* {rows [{name, url, wnid, class, at, reason}], count_text} of a revision's list; null without any. New reference;
 * NULL with c->err set. */
json_t *tombstones_json(struct ctx *c, int64_t list);
/* {at, reason} of an image that was taken down; null otherwise. New reference; NULL with c->err set. */
json_t *tombstone_json(struct ctx *c, int64_t image);

#endif
