/* review.h - what the pages and the API of label reviews share: who may open a list, and what was sent about an image. */
#ifndef WEB_EXPERTS_REVIEW_H
#define WEB_EXPERTS_REVIEW_H

#include "experts/review_item.h"
#include "experts/review_save.h"
#include "web/core/app.h"

/* The list of the address, for whose work it is and for leads. ERR_DENIED (rule "label-review-theirs") for others. */
enum err_code review_open(struct ctx *c, struct label_review_row *out);
/* The same, to work on it: ERR_DENIED (rule "training-needed") for an expert who has not unlocked what it needs. */
enum err_code review_open_work(struct ctx *c, struct label_review_row *out);
/* The same, with the image's place. */
enum err_code review_open_item(struct ctx *c, struct label_review_row *out, int64_t *position);
/* Changes whose work a list is, or its state; what: add or remove, with a login; open or close. *did: what was done, in words.
 * ERR_INPUT (rules "label-review-login", "label-review-do"). */
enum err_code review_change(struct ctx *c, const struct label_review_row *r, struct sv what, struct sv login, const char **did);
const char *review_url(struct ctx *c, struct sv name);                      /* "/labels/NAME" */
const char *review_item_url(struct ctx *c, struct sv name, int64_t position); /* "/labels/NAME/12" */

#endif
