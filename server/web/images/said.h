/* said.h - what the page of an image says of its place in sets: whether sampling may take it, the
 * images of its photo, who said what and when, and the fields to decide again. */
#ifndef WEB_IMAGES_SAID_H
#define WEB_IMAGES_SAID_H

#include "store/classes/classes.h"
#include "store/images/images.h"
#include "web/core/app.h"

/* {sampled (an original or a candidate), version, back, state (class_browser_state), why (what
 * sampling makes of it), family [{name, url, class, original, out, survivor}], any_family, pick,
 * pick_url, said [{at, who, text, other, other_url, note}], any_said}. `family`: the images of its
 * photo. New reference; NULL with c->err set. */
json_t *image_said_json(struct ctx *c, const struct image_row *image, const struct class_info *k,
                        struct sv view);

#endif
