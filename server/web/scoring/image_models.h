/* image_models.h - what models say about one image, where models may be scored; otherwise why not. */
#ifndef WEB_SCORING_IMAGE_MODELS_H
#define WEB_SCORING_IMAGE_MODELS_H

#include "store/classes/classes.h"
#include "store/images/images.h"
#include "web/core/app.h"

/* {sealed (why nothing is shown, or null), sealed_url (where a lead can change that, or null), any, many, count, classes [{synset, url, first, among, is_label}], rows
 * [{name, url, source, said [{synset, url, probability, is_label}]}]}: a row for each source of a model's
 * predictions. classes: how many models say it first, and among their five, by the newest source of each, most often
 * said first; is_label: the image's own class; many: too many rows to show at once. New
 * reference; NULL with c->err set. */
json_t *image_models_json(struct ctx *c, const struct image_row *image);

/* How all models together do on a class, on the newest originals and the newest new set: [{set, url, models,
 * images, value, note (the median model, the range)}]. Empty without predictions. New reference; NULL with
 * c->err set. */
json_t *class_models_json(struct ctx *c, const struct class_info *k);

#endif
