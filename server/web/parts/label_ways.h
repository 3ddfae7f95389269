/* label_ways.h - what a plan of labels is called; what it takes to ask people about all labels of a plan of potential labels, and
 * what else is possible, for the pages that show it (layout/label_ways) and their JSON. */
#ifndef WEB_PARTS_LABEL_WAYS_H
#define WEB_PARTS_LABEL_WAYS_H

#include "sets/labels/feasible.h"
#include "web/core/app.h"

/* "NAME/VERSION" in the arena. */
const char *plan_title(struct arena *a, const struct label_plan_row *p);

struct label_ways {
    struct feasible_way way, instead[PREDICTION_K];
    size_t n_instead;
    int64_t seen; /* people who saw one of its images before, at most */
};
/* By images: who saw one before cannot be asked about it. `book` is the plan's. */
enum err_code label_ways_find(struct ctx *c, const struct label_plan_row *plan, const struct label_plan_book *book,
                              const struct feasible_terms *terms, struct label_ways *out);
/* {ways [{top, answers, labels, most, grids, people_image, people, work_places, pay, hours, days, possible, itself}], possible, limited,
 * none_instead, seen (text or null)}. New reference. */
json_t *label_ways_json(struct ctx *c, const struct label_ways *w, const struct feasible_terms *terms);
/* "1,234.50" of cents, in the arena. */
const char *label_ways_money(struct arena *a, int64_t cents);

#endif
