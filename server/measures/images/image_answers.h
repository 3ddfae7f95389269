/* image_answers.h - what models say of a set image by image: how many are right, how far they disagree. From the kept fold;
 * images that a sealed revision has are in no list and no count, but counted.
 *
 * Disagreement is the entropy of the models' first answers, H = log2 n - (sum over classes c log2 c) / n bits of n
 * answers of which c name a class: 0 when all say the same, log2 n when no two do. */
#ifndef MEASURES_IMAGE_ANSWERS_H
#define MEASURES_IMAGE_ANSWERS_H

#include "measures/scores/model_scores.h"

struct image_answers_ask {
    const struct revision_row *revision;
    const struct subset *subset; /* of its images; NULL: all */
    const int64_t *models;
    size_t n_models;
    int top;                     /* 1 or 5: what right means */
    const struct subset *said;   /* only images of which a model says one of these classes first; NULL: any */
    bool wrong;                  /* ... and is wrong */
    bool every;                  /* images too that the subset's label source does not count */
    const struct subset *has;    /* only images of which the subset's label source says that they show one of these classes
                                  * besides what has the set's label; NULL: any */
};
struct image_answer {
    uint32_t image, class_id;    /* label in the set */
    uint32_t predicted, right;   /* models that have predicted it; that are right */
    double disagreement;         /* bits; NAN without predictions */
    uint16_t most_said;          /* cid of the class that most models say, of several the lower; PREDICTION_NONE */
    uint32_t said_by, named;     /* how many say it; how many classes are said at all */
};
struct image_answers {           /* in the caller's arena */
    struct image_answer *list;   /* in the order of the revision */
    size_t n;
    uint32_t sealed;
};
/* ERR_DENIED (rule "set-sealed"). */
enum err_code image_answers_make(struct model_scores *s, struct db *db, const struct image_answers_ask *ask,
                                 struct arena *a, struct image_answers *out, struct err *err);

#endif
