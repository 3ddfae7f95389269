/* object_answers.h - what a label source says that a set's images show, with models' first answers, as domain/labels/image_labels.h
 * counts them; and two things that follow: how models tell classes apart that people confuse, and whether what models take for one
 * another is what people do, or what comes together in images (Tsipras et al. 2020, figures 7b and 10). Classes are class numbers;
 * images that a sealed revision has are left out, but counted. */
#ifndef MEASURES_OBJECT_ANSWERS_H
#define MEASURES_OBJECT_ANSWERS_H

#include "measures/core/class_groups.h"
#include "measures/objects/image_label_rows.h"
#include "measures/scores/model_scores.h"

#define OBJECT_ANSWERS_BYTES ((size_t)1 << 30) /* of an arena for it: most that a call may take */
struct object_answers_ask {
    const struct revision_row *revision;
    const struct subset *subset;     /* by the labels of a source of objects or main labels */
    const struct model_row *models;
    size_t n_models;
};
struct object_answers { /* in the arena */
    struct image_list counted;       /* images that the source counts and gives a main label */
    uint32_t *at;                    /* of each: its index below */
    uint32_t *labels;                /* the set's, of all images */
    uint32_t **answers;              /* [model][image]; LABEL_NONE: no answer */
    size_t n, n_models;
    uint32_t sealed;
};
/* ERR_DENIED (rule "set-sealed"); ERR_INPUT (rule "labels-no-main") for a source without main labels. */
enum err_code object_answers_make(struct model_scores *s, struct db *db, const struct object_answers_ask *ask, struct arena *a,
                                  struct object_answers *out, struct err *err);

/* ---- pairs of classes that people confuse ---- */

enum { CONFUSING_LEAST = 3 };      /* images of a pair that people call by the other's name, at least; */
#define CONFUSING_SHARE 0.25       /* ... and of the images of both (reference: E6) */
struct confusing_pair {
    struct confused_row people;
    uint32_t a, b;                   /* class numbers */
    struct pair_accuracy best;       /* of the model that is right most often, the first of several; zeros without models */
    struct sv best_model;
    double mean_accuracy, mean_pairwise; /* over models; pairwise over those that say either */
};
struct confusing_model { /* on all pairs together, where an image of two pairs counts twice */
    struct pair_accuracy_row row;
    double top1, lo, hi;             /* on all images; 0 to 1 */
};
struct confusing_pairs { /* in the arena */
    struct confusing_pair *pairs;    /* most images that are confused first */
    size_t n;
    struct confusing_model *models;  /* most accurate on all images first */
    size_t n_models;
    struct pair_accuracy_row *rows;  /* pair by pair, of each model */
    size_t n_rows;
    uint32_t images, counted, sealed; /* of the subset; those by which pairs were found */
};
/* Pairs are found in the images that the source counts; models are counted over all images of the subset. */
enum err_code confusing_pairs_make(struct model_scores *s, struct db *db, const struct object_answers_ask *ask, struct arena *a,
                                   struct confusing_pairs *out, struct err *err);

/* ---- how alike matrices of superclasses are ---- */

enum { LIKE_HUMAN, LIKE_ANY, LIKE_OTHER, LIKES }; /* people's main labels; objects that come together: any, other than the label's */
struct likeness_row {
    struct sv who;                   /* "human", "any", or a model */
    double r[LIKES];                 /* NAN: the matrix itself, one that is in another row, or constant */
    double within;                   /* of confusions: answers that are another class of the same superclass, a share; NAN */
    uint32_t cells;
};
extern const struct record likeness_record;
struct likeness { /* in the arena */
    struct likeness_row *rows;       /* human, any, then models */
    size_t n;
    uint32_t images, left_out, sealed; /* left_out: people's main label or the set's is in no superclass */
};
enum err_code likeness_make(struct model_scores *s, struct db *db, const struct object_answers_ask *ask, const struct class_groups *groups,
                            struct arena *a, struct likeness *out, struct err *err);

#endif
