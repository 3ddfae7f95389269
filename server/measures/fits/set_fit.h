/* set_fit.h - the line through models' accuracies on two sets (fit.h). */
#ifndef MEASURES_SET_FIT_H
#define MEASURES_SET_FIT_H

#include "measures/fits/fit.h"
#include "measures/scores/model_pair.h"

struct set_fit_family {
    struct sv model, family;
};
struct set_fit_ask {
    const struct scored_set *original, *fresh; /* of the subset, too */
    const struct subset *subset;           /* NULL: all images */
    const struct subset *fresh_subset;     /* of the new set, where its images or labels are others; NULL: as above */
    int top, fresh_top;                    /* 1 or 5, of either set */
    const struct sv *without;              /* models to leave out; each must be there */
    size_t n_without;
    const struct set_fit_family *families; /* in place of what is said of them (model_facts.h) */
    size_t n_families;
    struct fit_ask fit;
};
/* A point for each model of the project, by name, with its family and year: a model of which no family is said is one of
 * its own. Those without predictions about all of both sets are left out. In the snapshot in which the sets were read.
 * ERR_NOT_FOUND (rule "model"): a model of `without` is not there; otherwise as fit_points, and as model_scores.h. */
enum err_code set_fit(struct model_scores *s, struct db *db, const struct set_fit_ask *ask, struct arena *a,
                      struct fit_found *out, struct err *err);

#endif
