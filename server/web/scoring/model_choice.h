/* model_choice.h - what forms about a pair of sets offer: revisions for either side, parts of the images. */
#ifndef WEB_SCORING_MODEL_CHOICE_H
#define WEB_SCORING_MODEL_CHOICE_H

#include "web/scoring/model_table.h"

/* All revisions, those of the side's role first; sealed ones cannot be chosen: [{value, label, current, off}]. New
 * reference. */
json_t *model_choice_sets(struct ctx *c, const struct model_table *t, enum model_side side);
/* [{value, label, current}]: the usual ones, those under a name, and the one that is chosen, by the address's word. `same`:
 * an empty word is "the same", of a new set beside the originals. New reference; NULL with c->err set. */
json_t *model_choice_subsets(struct ctx *c, struct sv asked, const struct subset *chosen, bool same);
/* Adds to the form of a pair whose sides may differ what is asked of the new set alone: new_subsets, new_tops (each [{value,
 * label, current}]). ERR_... as they are read. */
enum err_code model_choice_add_new(struct ctx *c, const struct model_table *t, json_t *query);
/* The same of label sources: `asked` is the address's word, `found` what it means. `same`: an empty word is "the same", of
 * a new set beside the originals. */
json_t *model_choice_labels(const struct label_choice *choices, size_t n, struct sv asked, const struct label_pick *found, bool same);
/* Adds to a form's data by whose labels answers are right, `labels` and `new_labels`: the set's own, every label source by
 * each of its rules, and the one that is chosen; of the new set first "the same". Each [{value, label, current}]; and
 * `any_labels`: whether there is a label source. */
void model_choice_add_labels(const struct model_table *t, json_t *query);
/* What is said of models as their group or family (MODEL_GROUP, MODEL_FAMILY), each once, after "all"; the one that is asked
 * for is there too. Empty when nothing is said of any. [{value, label, current}]; new reference. */
json_t *model_choice_facts(struct ctx *c, const struct model_table *t, size_t which);

#endif
