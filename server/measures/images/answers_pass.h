/* answers_pass.h - a pass over the first answers of models to the images of a revision, image by image, from the kept fold;
 * for those in measures/images/ that count over them. Images that a sealed revision has are passed by, but counted. */
#ifndef MEASURES_ANSWERS_PASS_H
#define MEASURES_ANSWERS_PASS_H

#include "measures/images/image_answers.h"
#include "measures/scores/model_scores_private.h"

enum { ANSWER_CIDS = PREDICTION_NONE + 1 };

struct answers_pass {
    const struct revision_scores *r; /* valid within the pass */
    const struct image_answers_ask *ask;
    const struct model_ranks **models;
    size_t n_models;
    bool *said, *has;  /* by cid, of ask->said and ask->has; NULL: any */
    double *times_log; /* c log2 c, up to n_models */
    uint32_t *count;   /* by cid; zero between images */
    uint32_t *at;      /* positions that are passed over */
    uint32_t n, sealed;
};
/* The answers about one image. */
struct image_said {
    const uint16_t *said;          /* the first answer of each of n_models; PREDICTION_NONE */
    const unsigned char *is_right; /* whether that is right, 0 or 1 */
    uint32_t position, right;      /* right: models that are, at ask->top */
};
typedef void (*each_image_said)(struct answers_pass *p, const struct image_said *w, void *arg);
/* Calls `each` for the images that are asked for, in the order of the revision. ERR_DENIED (rule "set-sealed"). */
enum err_code answers_pass(struct model_scores *s, struct db *db, const struct image_answers_ask *ask, each_image_said each,
                           void *arg, uint32_t *sealed, struct err *err);

/* What a label source says of an image by its rule. */
struct image_labels_right {
    uint16_t cid[LABELS_OF_IMAGE]; /* each once */
    bool own[LABELS_OF_IMAGE];     /* it is the set's label, or of the same object */
    uint32_t n;
    bool several;                  /* objects, where the source has some, else labels */
};
/* Of the image at a position of a fold by a label source. */
void image_labels_read(const struct revision_scores *r, uint32_t at, struct image_labels_right *out);

#endif
