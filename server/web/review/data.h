/* data.h - how far the final review of a revision is, and what a blind round says about its
 * reviewers, as page data and as JSON. */
#ifndef WEB_REVIEW_DATA_H
#define WEB_REVIEW_DATA_H

#include <jansson.h>

#include "web/review/way.h"

struct review_sum {
    size_t classes, reviewed, problematic, carried, images, banned, paired;
};
struct review_sum review_sum_of(const struct review_way *w);

/* {wnid, synset, url, images, reviewed, problematic, carried, banned, paired, at (null: nobody), shown_to: who asked
 * for frequencies, "ada, bob" (null: nobody)}. */
json_t *review_data_class(struct ctx *c, const struct review_way *w, const struct review_class *k);
/* Who decided: [{login, decisions, classes, wnid, url, at}], whoever decided last first. NULL with
 * c->err set. */
json_t *review_data_people(struct ctx *c, const struct review_way *w);
/* What was reviewed with frequencies shown (struct review_shown_sum): {classes, reviewed, shown, imported, text, asked
 * [{login, wnid, event, at}]}. NULL with c->err set. */
json_t *review_data_frequencies(struct ctx *c, const struct review_way *w);
/* The blind round: {id, at, originals, repeats, seed (for leads), reviewers [{login, turns, probes, images, alike}]},
 * each of the last three {k, n, share, lo, hi, text} with its Clopper-Pearson interval (95 %); share null
 * without any. JSON null when there is no round; NULL with c->err set. */
json_t *review_data_round(struct ctx *c, const struct review_way *w);

#endif
