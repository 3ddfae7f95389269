/* model_scores.h - how models do on a set revision: counts per model and class, kept in memory and made again only
 * from the blocks that came since. Which predictions of a model count is the rule of measures/scores/score_fold.h. Pages, JSON
 * and `holdout score` ask here; nothing else compares predictions with labels. Of a revision on which models may not
 * be scored (revision_may_be_scored) everything here is refused: ERR_DENIED (rule "set-sealed").
 *
 * Images that are also in a sealed revision (store/sets/seals.h) are never reported one by one: not as mistakes,
 * answers or differences. Nor do counts reveal them by subtraction from what is reported about the other images:
 * those of a class leave out one such answer alone (and, where one class alone does so, another class with sealed
 * images leaves its own out too); those of a whole set leave out one such answer alone, and all of them when nothing
 * but a sealed part of the set has answers. Other counts include them: a number of many images is that of a set on
 * which models may be scored. */
#ifndef MEASURES_MODEL_SCORES_H
#define MEASURES_MODEL_SCORES_H

#include "measures/core/subset.h"
#include "store/models/models.h"
#include "store/models/predictions.h"
#include "store/sets/sets.h"

struct model_score { /* of one model on one revision */
    int64_t model;
    uint32_t images, predicted;   /* of the revision, or the subset; with a prediction that is reported */
    uint32_t top1, topk;          /* right; k is the sources' (5 unless an import had fewer columns) */
    uint32_t sources;             /* how many prediction sources its records come from: 1 is a clean measurement */
    uint32_t others;              /* further sources with predictions about the revision, which do not count */
    int64_t source;               /* the one with most of the records; 0: none */
    struct sv made_by;            /* its file, or "run 12" */
    int k;
    bool scored;
    bool decided;                 /* somebody chose the source */
};
struct source_score {             /* of one source of a model on one revision */
    int64_t source;
    struct sv made_by;            /* as in model_score */
    uint32_t predicted, counted;  /* images of the revision that it has and that are reported; that it scores */
    uint32_t top1, topk;          /* right of those it has */
    int k;
    bool decided;                 /* somebody chose it */
    bool gave_way;                /* it scored the revision until a file for its list came */
};
struct model_answer {             /* that counts for an image */
    int64_t source;               /* 0: there is none, the rest is 0 */
    struct prediction p;
    int k;
    bool scored;
};
struct source_difference {        /* another source gives different labels from the one that counts */
    uint32_t position, image;
    struct model_answer counts;
    int64_t source;
    struct prediction other;
    int k;
};
struct class_score {
    uint32_t class_id, images, predicted, top1, topk;
};
struct confident_mistake {
    uint32_t image, class_id;     /* label in the set */
    uint16_t said;                /* cid */
    float score;
};
struct model_scores; /* the cache: one per process */
struct model_scores *model_scores_new(void);
void model_scores_free(struct model_scores *s);
/* All models with predictions that count on the revision (of a subset's images alone; NULL: of all), by model id. In the
 * caller's arena. */
enum err_code model_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              const struct subset *subset, struct arena *a, struct model_score **out, size_t *n,
                              struct err *err);
/* By class id. */
enum err_code model_scores_classes(struct model_scores *s, struct db *db, const struct revision_row *r,
                                   int64_t model, struct arena *a, struct class_score **out, size_t *n,
                                   struct err *err);
/* How every model with a prediction of them does on the images of one class, by model id; `k`, `sources` and `scored`
 * are not filled in. */
enum err_code model_scores_on_class(struct model_scores *s, struct db *db, const struct revision_row *r,
                                    int64_t class_id, struct arena *a, struct model_score **out, size_t *n,
                                    struct err *err);
/* Wrong top-1 answers, surest first, at most `most`; class_id 0: all. Needs probabilities: none without. *sealed:
 * how many images of the revision, or of the class, are left out because a sealed revision has them. */
enum err_code model_scores_mistakes(struct model_scores *s, struct db *db, const struct revision_row *r,
                                    int64_t model, int64_t class_id, size_t most, struct arena *a,
                                    struct confident_mistake **out, size_t *n, size_t *sealed, struct err *err);
/* Every source of a model with predictions about the revision, whether they count or not, in order of their first
 * block; but for those about the sealed part of the revision alone. */
enum err_code model_scores_sources(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model,
                                   struct arena *a, struct source_score **out, size_t *n, struct err *err);
/* The model's answers that count, by position in the revision. */
enum err_code model_scores_answers(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model,
                                   struct arena *a, struct model_answer **out, size_t *n, struct err *err);
/* The source whose answer counts, by position in the revision; 0: there is none. */
enum err_code model_scores_holders(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model,
                                   struct arena *a, int64_t **out, size_t *n, struct err *err);
/* Where a source (0: any) of the model gives different labels from the one that counts, as far down as both go: by
 * position and source. */
enum err_code model_scores_differences(struct model_scores *s, struct db *db, const struct revision_row *r,
                                       int64_t model, int64_t source, struct arena *a,
                                       struct source_difference **out, size_t *n, struct err *err);
/* Whether the model is right about the revision no more often than chance (stats/chance.h): its rows are probably
 * those of another list. */
enum err_code model_scores_chance(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model,
                                  bool *out, struct err *err);

#endif
