/* model_pair.h - how models do on a set, and which of them may stand beside each other: those that have predicted all
 * of it. */
#ifndef MEASURES_MODEL_PAIR_H
#define MEASURES_MODEL_PAIR_H

#include "measures/scores/model_scores.h"

struct scored_set {
    struct revision_row r;
    struct model_score *scores; /* by model id */
    size_t n;
};
/* "SET" or "SET/NUMBER" with its scores, of a part's images alone (NULL: of all). ERR_NOT_FOUND (rule "set"), ERR_DENIED (rule "set-sealed"),
 * ERR_INPUT (rule "labels-missing"). */
enum err_code scored_set_read(struct model_scores *s, struct db *db, struct sv name, const struct subset *part,
                              struct arena *a, struct scored_set *out, struct err *err);
/* The score of a model; NULL: no predictions. */
const struct model_score *scored_set_find(const struct scored_set *set, int64_t model);
/* Why a model cannot be compared with others at top-`top`, in the arena; NULL when it can: it has predicted all images,
 * so far down. */
const char *scored_set_lacks(const struct scored_set *set, int64_t model, int top, struct arena *a);

/* Whether predictions go down to that place (imports may have fewer columns), and how many are right. */
bool model_score_knows(const struct model_score *s, int top);
uint32_t model_score_right(const struct model_score *s, int top);

#endif
