/* by_class.h - accuracy class by class, of one model or as the mean over several, on one set or on two, with what few
 * images a class (ten, in new sets) let say about it:
 *   - each class' share is pulled towards what all classes have in common, as far as its images cannot tell (shrunk;
 *     stats/shrink.h);
 *   - a test for each class that its gap is 0, and which of the classes stand out while the share of chance among them
 *     stays below a level (stats/discovery.h).
 *
 * Of several models an image is no trial of its own: it counts as the share of models that are right about it. The
 * variance of these shares within classes is below that of right and wrong, d = sum (x - mean_c)^2 /
 * sum n_c mean_c (1 - mean_c) of it, so that n images are worth n / d of one model (the effective number of a design,
 * Kish 1965, "Survey sampling"); d = 1 of one model. The test is Fisher's exact one for one model; for several it is
 * that gap / sqrt(p_o (1 - p_o) / (n_o / d_o) + p_n (1 - p_n) / (n_n / d_n)) is standard normal, with the shrunk shares
 * p. Images of sealed revisions are in no class (group_scores.h). */
#ifndef MEASURES_BY_CLASS_H
#define MEASURES_BY_CLASS_H

#include "measures/images/group_scores.h"
#include "stats/shrink.h"
#include "store/classes/classes.h"

enum { BY_CLASS_SETS = 2 }; /* the originals; the new set, or the only one */

struct by_class_ask {
    const struct revision_row *sets[BY_CLASS_SETS]; /* NULL: there is none; at least one is there */
    const struct subset *subset;
    const struct subset *fresh_subset; /* of the new set, where its labels are others; NULL: as above */
    const int64_t *models;
    size_t n_models;
    int top;
    double level;          /* of false discoveries, between 0 and 1 */
};
struct class_on {          /* on one set */
    uint32_t images, n;    /* of the class; of them those that all models have predicted */
    struct proportion share, shrunk; /* NAN without images; of shrunk only without any of any class */
};
struct class_line {
    const struct class_info *info;
    struct class_on on[BY_CLASS_SETS];
    double gap;            /* original minus new, 0 to 1; NAN unless both have images of it */
    struct proportion shrunk_gap;
    double p, q;           /* of the test; the least level at which it is a discovery; NAN: no gap */
    bool stands_out;
};
struct class_side {        /* of a set as a whole */
    uint32_t sealed;
    double images_worth;   /* 1 / d: what an image is worth of one model's */
    struct share_spread spread;
};
struct by_class {          /* in the caller's arena */
    struct class_line *lines; /* classes with images in either set, by cid */
    size_t n;
    struct class_side sides[BY_CLASS_SETS];
    struct difference_spread gaps;
    size_t tested, discovered;
    double level;
    bool exact;            /* the tests are Fisher's */
};
/* ERR_DENIED (rule "set-sealed"). */
enum err_code by_class_make(struct model_scores *s, struct db *db, const struct by_class_ask *ask, struct arena *a,
                            struct by_class *out, struct err *err);

#endif
