/* score_grid.h - every model on every revision, as tables that other programs read: long, a row for each model, revision
 * and top, or as models times settings (the layout of imagenet-testbed, Taori et al. 2020). One header row, numbers
 * with a point and nothing else, moments as ISO 8601, empty cells where nothing is known; columns are only ever added, at
 * the end. Revisions on which models may not be scored are left out. */
#ifndef MEASURES_SCORE_GRID_H
#define MEASURES_SCORE_GRID_H

#include "domain/scores/score_level.h"
#include "measures/scores/model_pair.h"
#include "record/record.h"
#include "store/models/model_facts.h"

struct score_grid {
    struct scored_set *sets;   /* by set and number */
    size_t n_sets, sealed, unlabelled; /* revisions left out: models may not be scored on them; none of their images counts
                                        * in the label source */
    struct model_row *models;  /* that were not removed, by name */
    size_t n_models;
    struct model_facts_row *facts;
    size_t n_facts;
    const struct subset *subset; /* of the images of every revision; NULL: all */
    int64_t event;             /* newest of the moment that was looked at */
};
/* In the arena; borrows the subset. In the caller's snapshot. */
enum err_code score_grid_read(struct model_scores *s, struct db *db, const struct subset *subset, struct arena *a,
                              struct score_grid *out, struct err *err);

/* The long table: by revision, model and top; no row where a model has no predictions, or none so far down. Accuracy and
 * its Clopper-Pearson interval are those of the images with a prediction; `complete` is 1 when that is all of them. */
void score_grid_long(const struct score_grid *g, const struct score_level *level, struct str *out);
/* A row for each model, a column for the newest revision of each set under the set's name: accuracy in percent of models that
 * have predicted all of it, empty otherwise. Originals first; rows by accuracy on the first of them, the best first. */
void score_grid_testbed(const struct score_grid *g, int top, struct arena *a, struct str *out);

#endif
