/* by_revision.h - how models do on every revision of a set: whether a review that took out a thousand images changed any
 * accuracy (papers, figure 7). Only the predictions of the models that are asked for are read, revision by revision, by the
 * rule of measures/scores/score_fold.h; counts are kept until predictions of that model come, somebody decides which score it, a
 * revision is frozen, or something is sealed or opened. Revisions on which models may not be scored have no counts. */
#ifndef MEASURES_BY_REVISION_H
#define MEASURES_BY_REVISION_H

#include "measures/scores/model_scores.h"

struct by_revision; /* the cache: one per process, from any thread */
struct by_revision *by_revision_new(void);
void by_revision_free(struct by_revision *b); /* NULL is allowed */

struct revision_ask {
    int64_t set;
    const struct subset *subset; /* of the images of each revision; NULL: all */
    const int64_t *models;
    size_t n_models;
};
struct revision_line {
    const struct revision_row *revision;
    bool changed;           /* its parent is a revision of the set: the next two say what it changed */
    size_t added, removed;  /* images; one that has another class now is both */
    bool scoreable;
    struct model_score *on; /* as the models asked; `predicted` 0: nothing that is reported. Without made_by */
};
/* Of every revision of the set, by number; in the arena. */
enum err_code by_revision_make(struct by_revision *b, struct db *db, const struct revision_ask *ask, struct arena *a,
                               struct revision_line **out, size_t *n, struct err *err);

#endif
