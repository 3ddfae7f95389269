/* overview_words.h - what the first page says at its top: one sentence about how it stands, and
 * what a person should look at. Made of the figures of live_overview (web/parts/live_data.h). */
#ifndef WEB_OPERATE_OVERVIEW_WORDS_H
#define WEB_OPERATE_OVERVIEW_WORDS_H

#include "web/core/app.h"

/* The sentence as parts [{text, url (null: no link)}], to be joined without spaces. New reference. */
json_t *overview_state(struct ctx *c, const json_t *all);

/* [{text, url, note}], the most urgent first: complete campaigns that are still open, flagged images, jobs that failed in the last day,
 * test sets whose review has to go on or that lack images. `sets`: of set_tree_newest. What leads alone may see is left out
 * for others. New reference; NULL with c->err set. */
json_t *overview_attention(struct ctx *c, const json_t *all, const json_t *sets);

#endif
