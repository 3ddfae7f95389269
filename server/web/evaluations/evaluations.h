/* evaluations.h - what the pages and the API of evaluations share: who goes through which list, and where they are. */
#ifndef WEB_EVALUATIONS_EVALUATIONS_H
#define WEB_EVALUATIONS_EVALUATIONS_H

#include "experts/evaluation_save.h"
#include "web/core/app.h"

/* The list of the address, for whose work it is; with what their turn is (`turn->list` is *out). ERR_DENIED (rule
 * "evaluation-theirs") for others, leads too: who knows the images is not asked about them. */
enum err_code evaluation_open_theirs(struct ctx *c, struct evaluation_row *out, struct evaluation_turn *turn);
/* The signed-in account's turn in a list. */
struct evaluation_turn evaluation_turn_of(struct ctx *c, const struct evaluation_row *r);
/* The place of the address. ERR_NOT_FOUND (rule "evaluation-item"). */
enum err_code evaluation_place_asked(struct ctx *c, int64_t *place);
const char *evaluation_url(struct ctx *c, struct sv name);                  /* "/evaluations/NAME" */
const char *evaluation_place_url(struct ctx *c, struct sv name, int64_t at); /* "/evaluations/NAME/12" */

#endif
