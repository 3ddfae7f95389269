/* made_of.h - what numbers about models on sets were made of, as JSON beside them: the sets by digest, the predictions by
 * source. */
#ifndef SETS_REVISIONS_MADE_OF_H
#define SETS_REVISIONS_MADE_OF_H

#include <jansson.h>

#include "measures/scores/model_scores.h"

/* {set, revision, role, images, digest, state, state_reason}; new reference. */
json_t *set_data(const struct revision_row *r);

struct made_of_ask {
    int64_t model;
    const struct revision_row *original, *fresh; /* original NULL: only one set is looked at */
};
/* Into a model's line: "sources" [{id, kind, engine, bytes, recipe, digest, k, predictions}], newest last; "scored_by" (on
 * `fresh`) and "original_scored_by" [{source, made_by, images}]. ERR_DENIED (rule "set-sealed"). */
enum err_code made_of_add(json_t *line, struct model_scores *s, struct db *db, const struct made_of_ask *ask, struct arena *a,
                          struct err *err);

#endif
