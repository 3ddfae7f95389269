/* potential.h - making a plan of potential labels: of every image the set's label, the first answers of chosen models, and
 * what a file adds (Tsipras et al. 2020, section 3.1; E1 of the reference). A plan keeps which labels, never a score nor
 * which model said what.
 *
 * Of sealed images the union must not give a model away either: at least LABEL_PLAN_SEALED_MODELS models, or none; and
 * every plan that has one of these images is of the same models, or what one plan has beside the other would be what the
 * models say by which they differ. */
#ifndef SETS_LABELS_POTENTIAL_H
#define SETS_LABELS_POTENTIAL_H

#include "store/labels/label_plans.h"
#include "store/models/models.h"
#include "store/models/predictions.h"
#include "store/sets/sets.h"

struct potential_image {
    uint32_t image, class_id;
};
/* The images of a revision, or (NULL) every candidate that nobody hid, by id. ERR_INPUT (rule "label-plan-empty"). */
enum err_code potential_images(struct db *db, const struct revision_row *revision, int64_t flags_to_quarantine, struct arena *a,
                               struct potential_image **out, size_t *n, struct err *err);

struct potential_named { /* by image and class, each pair once */
    uint32_t image, class_id;
    const char *source;  /* NULL: the file says none */
};
struct potential_ask {
    struct sv name;
    int64_t account;
    const struct revision_row *revision; /* NULL: candidates of no set */
    const struct potential_image *images;
    size_t n_images;
    struct model_row *models;            /* in any order; sorted by name */
    size_t n_models;
    uint32_t top;                        /* answers of each model, 1 to PREDICTION_K */
    const struct potential_named *named;
    size_t n_named;
    struct sv file;                      /* its name; empty: none */
};
struct potential_depth { /* what a plan with fewer answers of each model comes to */
    uint32_t top, most;  /* most: labels of one image */
    uint64_t labels, grids; /* grids: of 42 images each, label by label */
};
struct potential_made { /* texts are in the arena, the book on the heap */
    struct label_plan_book book;
    struct label_plan_new plan;
    struct potential_depth depths[PREDICTION_K]; /* by top, from 1 */
    uint32_t *answered;  /* of each model: about how many of the images it says something */
    size_t sealed;       /* images that a sealed revision has */
    size_t unsaid;       /* images of which no model says anything */
};
/* Nothing is written. ERR_DENIED (rules "label-plan-models", "label-plan-same-models") for sealed images, ERR_LIMIT (rule
 * "label-plan-labels"). The caller releases the book, on failure too. */
enum err_code potential_make(struct db *db, const struct potential_ask *ask, struct arena *a, struct potential_made *out,
                             struct err *err);
/* The same labels of images that the plan is not about, for controls that must not have a label: by its models, without its
 * file. Nothing of it is stored or shown. The caller releases the book, on failure too. */
enum err_code potential_of_others(struct db *db, const struct label_plan_row *p, const struct potential_image *images, size_t n,
                                  struct arena *a, struct label_plan_book *out, struct err *err);
/* What a stored plan comes to at depth 1 to its `top`; returns how many. */
size_t potential_depths(const struct label_plan_row *p, struct potential_depth out[PREDICTION_K]);

#endif
