/* decided_data.h - decisions about the images of a class as page data and as JSON: who said what and when, in words. */
#ifndef WEB_PARTS_DECIDED_DATA_H
#define WEB_PARTS_DECIDED_DATA_H

#include <jansson.h>

#include "store/review/class_decisions.h"
#include "web/core/app.h"

/* What one decision says: a decided_record. The addresses are null for an image that the project has not. New
 * reference; NULL with c->err set. */
json_t *decided_json(struct ctx *c, const struct decided *d);
/* A list of the above, newest first: decisions about the class after an event, at most `most`. */
json_t *decided_list_json(struct ctx *c, int64_t class_id, int64_t after, size_t most);
/* The same about the images of a class, all of them by others than the one who asks. */
json_t *decided_by_others_json(struct ctx *c, int64_t class_id, int64_t after, size_t most);
/* What was decided in few words, about who decided it: "1 blacklisted, class reviewed", in the arena; empty when
 * it says nothing. */
const char *decided_short(struct arena *a, const struct decided *d);
/* [{reason, label, current}] for a choice; `current` may be empty. New reference. */
json_t *decided_reasons_json(struct sv current);

/* Takes the ways to images' pages, which tell frequencies, out of such a list. */
void decided_without_ways(json_t *list);

#endif
