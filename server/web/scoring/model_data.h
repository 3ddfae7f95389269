/* model_data.h - what is known of one model: its file, its recipe, where its predictions come from,
 * how it does on every set. */
#ifndef WEB_SCORING_MODEL_DATA_H
#define WEB_SCORING_MODEL_DATA_H

#include "measures/scores/model_scores.h"
#include "web/core/app.h"

/* New references; NULL with c->err set where that can happen. */

/* [{term, value}]: file, size, hash, parameters, operators, when it was added. */
json_t *model_data_facts(struct ctx *c, const struct model_row *m);
/* [{term, value}] of a recipe: a member of it each, long lists as their length. */
json_t *model_data_recipe(struct ctx *c, struct sv recipe);
/* prediction_source_record each: origin is the engine's fingerprint or the imported file; recipe is empty where it is
 * still the model's. */
json_t *model_data_sources(struct ctx *c, const struct model_row *m);
/* What is wrong with predictions that come from several sources; NULL for one. */
const char *model_data_mixed(struct ctx *c, const json_t *sources);

/* features_record each: files of feature vectors. */
json_t *model_data_features(struct ctx *c, const struct model_row *m);

struct model_on { /* how it does on one revision */
    const struct revision_row *r;
    struct model_score score;
    bool at_chance;     /* right no more often than chance (measures/scores/model_scores.h); of model_data_on only */
};
/* On every revision that models may be scored on and that it has predictions about, by set and number. */
enum err_code model_data_on(struct ctx *c, const struct model_row *m, struct model_on **out, size_t *n);
/* "/models/NAME/sources?set=SET/NUMBER". */
const char *model_sources_url(struct arena *a, struct sv model, const struct revision_row *r);
/* model_on_record each, for scripts: the source that scores the set, or has most of it; how many others have predictions
 * about the set that do not count. */
json_t *model_data_scores(struct ctx *c, const struct model_on *on, size_t n);

#endif
