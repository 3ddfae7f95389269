/* review_make.h - a label review made: which images of a revision, in which order, and which labels are asked about: the
 * set's, what each model says first, what label sources have (Shankar et al. 2020, section 3.1), and what
 * people found in campaigns (Tsipras et al. 2020, section 3.1). A sealed revision may be
 * reviewed: nothing comes of its predictions but labels to ask about, and the list says whose they are. */
#ifndef EXPERTS_REVIEW_MAKE_H
#define EXPERTS_REVIEW_MAKE_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/labels/label_review.h"

struct review_ask {
    struct sv name, set, models, sources; /* set: SET[/NUMBER]; models, sources: with commas, empty: all models, no source */
    struct sv candidates; /* frozen plans of candidate labels, NAME[/VERSION] with commas: what people found in CONTAINS grids */
    struct sv evaluation; /* only images of it, once all people's answers are in; empty: of the whole set. Implies `again` */
    enum review_queue queue;
    int64_t images; /* of the queue, the first of its order; 0: all of the set */
    int64_t beside; /* drawn beside them: the random arm, by which rates are estimated */
    int64_t seed, account;
    int reviewers, repeats;
    bool again;        /* images that people reviewed in other lists, or were evaluated on, may be theirs too */
    struct sv suggest; /* whose first answers are suggested for half of the images, one of the models; empty: nobody's */
    bool plan;         /* nothing is written */
};
struct review_common { /* another list that is open */
    struct sv name;
    int64_t images; /* of this one that it has too */
};
struct review_made {
    int64_t id, images, labels, models, drawn; /* id 0: planned; drawn: images of the random arm */
    int64_t of_set, of_models, of_sources, of_contains, of_classify; /* labels that come from there; from several: they count several times */
    int64_t most;                              /* labels of the image that has the most */
    int64_t suggested, shown;                  /* images with a suggestion; those where it is shown */
    const char *set, *model_names;             /* SET/NUMBER; with ", " between */
    const char *missing;                       /* models that have predicted nothing of the set, as they were asked for; NULL: none */
    const char *taken;                         /* of a plan: why the name cannot be used; NULL: it can */
    struct sv sealed_by;                       /* a sealed revision with the set's content, or itself; empty: none */
    const uint32_t *list;                      /* the images, by position */
    struct review_common *common;
    size_t n_common;
};
/* With a project that is open for writing, of a plan for reading; `alone`: no server runs (db/bulk.h). Errors of the name, the
 * set, the models, sources and plans; ERR_INPUT (rules "label-review-size"; "label-review-evaluation"; "label-review-suggest" for a model that is not asked about),
 * ERR_DENIED (rule "set-sealed") for suggestions about a set on which models may not be scored. */
enum err_code review_make(struct db *db, bool alone, const struct review_ask *ask, int64_t now, struct arena *a,
                          struct review_made *out, struct err *err);

#endif
