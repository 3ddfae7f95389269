/* image_objects.h - what people see in an image: for its page, and for scripts. */
#ifndef WEB_IMAGES_IMAGE_OBJECTS_H
#define WEB_IMAGES_IMAGE_OBJECTS_H

#include "live/core/tally.h"
#include "web/core/view_choice.h"

/* The image's pair with a class under the view (NULL: the default one); false: the view has none. */
bool image_pair_of(struct ctx *c, const struct counted_view *view, int64_t image, int64_t class_id, struct tally_pair *out);

/* {any, enough, terms [{term, value}], labels [{url, name, wnid, set_label, is_main, main,
 * selected, share, object, names_object, of_object, found, frequency}], list [{event, who, who_url, at, seconds, order, ticked,
 * main}], source, source_url, json_url} (texts, or null where there is none); any false: nobody was asked. New reference; NULL with
 * c->err set. */
json_t *image_objects_json(struct ctx *c, int64_t image, struct sv view);

#endif
