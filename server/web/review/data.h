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

/* A review_class_record. */
json_t *review_data_class(struct ctx *c, const struct review_way *w, const struct review_class *k);
/* Who decided, review_person_record each, whoever decided last first. NULL with c->err set. */
json_t *review_data_people(struct ctx *c, const struct review_way *w);
/* What was reviewed with frequencies shown (struct review_shown_sum), a review_frequencies_record. NULL with c->err
 * set. */
json_t *review_data_frequencies(struct ctx *c, const struct review_way *w);
/* The blind round, a review_round_record. JSON null when there is no round; NULL with c->err set. */
json_t *review_data_round(struct ctx *c, const struct review_way *w);

#endif
