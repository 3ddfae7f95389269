/* texts.h - answers in words on a model's page. */
#ifndef WEB_MODELS_TEXTS_H
#define WEB_MODELS_TEXTS_H

#include "store/models/models.h"
#include "store/sets/sets.h"
#include "web/core/app.h"

/* {url, set, shares [{name, url, texts_url, version, top1, out_of_list, ambiguous, empty, current}], any_shares}: all mappings of
 * what was said, on the set r, or, when the model itself has predicted none (NULL), on the one asked for, as set_to_score has it. null for a model that has nothing to do with texts. New reference; NULL with
 * c->err set. */
json_t *model_texts_json(struct ctx *c, const struct model_row *m, const struct revision_row *r, struct sv asked);

#endif
