/* review_make.h - a label review made: which images of a revision, in which order, and which labels are asked about: the
 * set's, what each model says first, and what label sources have (Shankar et al. 2020, section 3.1). A sealed revision may be
 * reviewed: nothing comes of its predictions but labels to ask about, and the list says whose they are. */
#ifndef EXPERTS_REVIEW_MAKE_H
#define EXPERTS_REVIEW_MAKE_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/labels/label_review.h"

struct review_ask {
    struct sv name, set, models, sources; /* set: SET[/NUMBER]; models, sources: with commas, empty: all models, no source */
    enum review_queue queue;
    int64_t images; /* of the queue, the first of its order; 0: all of the set */
    int64_t beside; /* drawn beside them: the random arm, by which rates are estimated */
    int64_t seed, account;
    int reviewers, repeats;
};
struct review_made {
    int64_t id, images, labels, models, drawn; /* drawn: images of the random arm */
};
/* With a project that is open for writing; `alone`: no server runs (db/bulk.h). Errors of the name, the set, the models and
 * sources; ERR_INPUT (rule "label-review-size"). */
enum err_code review_make(struct db *db, bool alone, const struct review_ask *ask, int64_t now, struct arena *a,
                          struct review_made *out, struct err *err);

#endif
