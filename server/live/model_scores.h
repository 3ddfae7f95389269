/* model_scores.h - how models do on a set revision: counts per model and class, kept in memory and made again only
 * from the blocks that came since. Pages, JSON and `holdout score` ask here; nobody else compares predictions with
 * labels. Callers have asked revision_may_be_scored first.
 *
 * Of images that are in a sealed revision too (store/seals.h) nothing is told one by one: they are no mistakes that
 * are shown, and where such an image is the only one of a class, or of the set, nothing is counted. Other counts
 * include them: a number of many images is that of a set on which models may be scored. */
#ifndef LIVE_MODEL_SCORES_H
#define LIVE_MODEL_SCORES_H

#include "store/models.h"
#include "store/predictions.h"
#include "store/sets.h"

struct model_score { /* of one model on one revision */
    int64_t model;
    uint32_t images, predicted;   /* of the revision; with a prediction */
    uint32_t top1, topk;          /* right; k is the sources' (5 unless an import had fewer columns) */
    uint32_t sources;             /* how many prediction sources its records come from: 1 is a clean measurement */
    int k;
    bool scored;
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
/* All models with predictions about the revision, by model id. In the caller's arena. */
enum err_code model_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r, struct arena *a,
                              struct model_score **out, size_t *n, struct err *err);
/* By class id. */
enum err_code model_scores_classes(struct model_scores *s, struct db *db, const struct revision_row *r,
                                   int64_t model, struct arena *a, struct class_score **out, size_t *n,
                                   struct err *err);
/* How every model does on the images of one class, by model id; `k`, `sources` and `scored` are not told. */
enum err_code model_scores_on_class(struct model_scores *s, struct db *db, const struct revision_row *r,
                                    int64_t class_id, struct arena *a, struct model_score **out, size_t *n,
                                    struct err *err);
/* Wrong top-1 answers, surest first, at most `most`; class_id 0: all. Needs probabilities: none without. *sealed:
 * how many images of the revision, or of the class, are left out because a sealed revision has them. */
enum err_code model_scores_mistakes(struct model_scores *s, struct db *db, const struct revision_row *r,
                                    int64_t model, int64_t class_id, size_t most, struct arena *a,
                                    struct confident_mistake **out, size_t *n, size_t *sealed, struct err *err);

#endif
