/* model_scores_private.h - the cache of folds, for those in measures/ that count over its ranks. */
#ifndef MEASURES_MODEL_SCORES_PRIVATE_H
#define MEASURES_MODEL_SCORES_PRIVATE_H

#include <pthread.h>

#include "measures/scores/model_scores.h"
#include "measures/scores/score_fold.h"

enum { REVISIONS_MOST = 64 };

struct model_scores {
    pthread_mutex_t lock;
    struct revision_scores *revisions[REVISIONS_MOST];
    size_t n;
    uint64_t looks, versions;
};

/* With the lock held: the revision's counts as of now, by the labels (NULL: the set's own). The one way to them, which asks for everybody whether models
 * may be scored on it: ERR_DENIED (rule "set-sealed"). */
enum err_code model_scores_look(struct model_scores *s, struct db *db, const struct revision_row *r,
                                const struct label_pick *labels, struct revision_scores **out, struct err *err);
/* By which labels a subset (NULL: all) is scored. */
const struct label_pick *model_scores_labels(const struct subset *subset);
/* Marks the images that a sealed revision has, as of now; *changed is set when that is not as it was, else left. */
enum err_code model_scores_seal(struct revision_scores *r, struct db *db, bool *changed, struct err *err);
/* Of each model with an answer that is reported (of a subset's images alone; NULL: of all), by id, in the arena. */
void model_scores_count(const struct revision_scores *r, const struct subset *subset, struct arena *a,
                        struct model_score **out, size_t *n);
/* NULL: it has no predictions about the revision. */
const struct model_ranks *model_scores_find(const struct revision_scores *r, int64_t model);
/* How far down the predictions go that score the revision: that of the source with the fewest columns; 0: none do. */
int model_scores_depth(const struct model_ranks *m);
/* Whether a count of the records in `rank` (by position) may have those of sealed images. Not when one of these is
 * alone: the others are told one by one, so the count would tell its answer. Nor when the records are of a sealed part
 * of the revision and nothing else: the count would be a score of what is sealed. */
bool model_scores_with_sealed(const struct revision_scores *r, const unsigned char *rank);
/* The answers of the model that count, by position, into `list` of r->n zeroed ones; those about sealed images too. */
enum err_code model_scores_read(const struct revision_scores *r, struct db *db, int64_t model,
                                struct model_answer *list, struct err *err);

#endif
