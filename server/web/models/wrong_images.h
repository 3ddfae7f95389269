/* wrong_images.h - the surest mistakes of a model on a set, as cards. */
#ifndef WEB_MODELS_WRONG_IMAGES_H
#define WEB_MODELS_WRONG_IMAGES_H

#include "store/models/models.h"
#include "store/sets/sets.h"
#include "web/core/app.h"

/* [{name, url, thumb_url, hidden, label {synset, url}, said (null: a class that is not in the project),
 * probability "0.98"}], the surest first; class_id 0: of all classes. Empty without probabilities. *left_out: why
 * some are not there, or null. New references; NULL with c->err set, and *left_out as it was. */
json_t *wrong_images_json(struct ctx *c, const struct revision_row *r, const struct model_row *m,
                          int64_t class_id, json_t **left_out);

#endif
