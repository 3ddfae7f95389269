/* confused.h - with which classes models confuse a class, over images that experts are not asked about. */
#ifndef WEB_GUIDE_CONFUSED_H
#define WEB_GUIDE_CONFUSED_H

#include <jansson.h>

#include "store/classes/classes.h"
#include "web/core/app.h"

/* [{name, url, pair_url, images}]: the most often first, at most five; images: about which at least one model says so. Empty where
 * no model may be scored. New reference; NULL with c->err set. Slow steps only. */
json_t *guide_confused_json(struct ctx *c, const struct class_info *k);

#endif
