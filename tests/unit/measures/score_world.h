/* score_world.h - models, sets and predictions that come one after the other, and what must count of them by the rule
 * of measures/scores/score_fold.h, told once more without blocks. */
#ifndef TESTS_UNIT_LIVE_SCORE_WORLD_H
#define TESTS_UNIT_LIVE_SCORE_WORLD_H

#include "base/rng.h"
#include "measures/scores/model_scores.h"
#include "temp_project.h"

enum { CLASSES = 7, IMAGES = 90, MODELS = 3, SOURCES = 6, SETS = 3, SET_MOST = 60, LOG_MOST = MODELS * SOURCES * IMAGES };

/* What the project holds, told once more without blocks: every record, in the order they came. */
struct world {
    struct temp_project *t;
    struct model_scores *scores;
    int64_t classes[CLASSES + 1], images[IMAGES], models[MODELS];
    struct prediction_source sources[MODELS][SOURCES];
    struct {
        struct revision_row r;
        int image[SET_MOST], cid[SET_MOST], n;
        int frozen; /* how long the log was then; -1: it is not */
        int decided[MODELS]; /* source; -1: none */
    } sets[SETS];
    struct {
        int model, source, image;
        struct prediction p;
    } log[LOG_MOST];
    int n_log;
    struct {
        struct prediction p;
        int source; /* -1: none */
    } counts[MODELS][SET_MOST]; /* of the set at hand, by position */
    bool sealed[IMAGES]; /* a sealed revision has it */
};

void world_must(struct world *w, enum err_code rc);
struct world *score_world_make(struct temp_project *t, struct rng *rng);
/* A block of one source about images that it lacks, from one on; labels are shuffled classes. Sometimes all. */
void score_world_predict(struct world *w, struct rng *rng);
void score_world_freeze(struct world *w, int set);
/* Chooses a source, or takes the choice back. */
void score_world_decide(struct world *w, struct rng *rng, int set, int m);
/* How many images of a set a source has, of the first `until` records. */
int score_world_covered(const struct world *w, int set, int m, int s, int until);
/* Fills `counts` for a set. */
void score_world_count(struct world *w, int set);

#endif
