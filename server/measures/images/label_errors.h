/* label_errors.h - which labels of a set are probably wrong, by what models say of its images. From the models that have
 * predicted all images that are asked for; images that a sealed revision has are in no list, but counted.
 *
 * Where models carry probabilities, an image is as doubtful as the mean probability that they give its label is low
 * (self-confidence, Northcutt, Jiang and Chuang 2021, "Confident learning", section 3, with the mean over models as the one
 * model); what a model does not name among its first answers has 0. Without any probabilities it is the share of the models
 * that say the label first. Ties: fewer models that say the label, then a stronger other label, then the set's order.
 *
 * A label is likely wrong by the rule of the same paper: of the classes whose mean probability here is at least that over
 * the images which have them as label, the one with the highest is another one. Without probabilities: when more than half
 * of the models say one and the same other label first. */
#ifndef MEASURES_LABEL_ERRORS_H
#define MEASURES_LABEL_ERRORS_H

#include "measures/scores/model_scores.h"

struct label_errors_ask {
    const struct revision_row *revision;
    const struct subset *subset; /* of its images; NULL: all */
    const int64_t *models;
    size_t n_models;
};
struct label_error {
    uint32_t image, class_id;    /* its label in the set */
    double confidence;           /* 0 to 1; NAN: no model has probabilities */
    uint32_t say;                /* models that say the label first */
    uint16_t other;              /* cid of the strongest other label, by mean probability, else by models; PREDICTION_NONE */
    double other_confidence;     /* as confidence */
    uint32_t other_say;
    bool likely;
};
struct label_errors {            /* in the caller's arena */
    struct label_error *list;    /* of every image that was asked for, the most doubtful first */
    size_t n;
    uint32_t models, scored;     /* that count; those with probabilities */
    uint32_t likely, sealed;     /* images */
};
/* ERR_DENIED (rule "set-sealed"). Without a model that counts the list is empty. */
enum err_code label_errors_make(struct model_scores *s, struct db *db, const struct label_errors_ask *ask, struct arena *a,
                                struct label_errors *out, struct err *err);

#endif
