/* training.h - what the pages and the API of training share: which list and which image the address means. */
#ifndef WEB_EXPERTS_TRAINING_H
#define WEB_EXPERTS_TRAINING_H

#include "experts/training_facts.h"
#include "experts/training_item.h"
#include "experts/training_make.h"
#include "web/core/app.h"

enum err_code training_open(struct ctx *c, struct training_list_row *out);
/* The same, with the image's place. */
enum err_code training_open_item(struct ctx *c, struct training_list_row *out, int64_t *position);
const char *training_url(struct ctx *c, struct sv name);                        /* "/training/NAME" */
const char *training_item_url(struct ctx *c, struct sv name, int64_t position); /* "/training/NAME/12" */
/* The next image after `after` (-1: from the start); -1: nothing is left. */
enum err_code training_goes_on(struct ctx *c, const struct training_list_row *l, int64_t after, int64_t *position);
/* A list with its progress, for templates/experts/training*.mustache. New reference. */
json_t *training_list_json(struct ctx *c, const struct training_facts *f);

#endif
