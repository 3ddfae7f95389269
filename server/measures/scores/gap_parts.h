/* gap_parts.h - the parts that a gap is made of (Recht et al. 2019, section 2): with L_S and L_S' the errors on both sets,
 * L_D and L_D' those on the distributions that they were drawn from,
 *   L_S' - L_S = adaptivity gap (L_D - L_S) + distribution gap (L_D' - L_D) + generalization gap (L_S' - L_D').
 * Two accuracies of a model identify the sum alone. The new set did not exist when models were made, so its images are
 * independent of them and the last part is bounded by their number; what the first two are no number of images says. */
#ifndef MEASURES_GAP_PARTS_H
#define MEASURES_GAP_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"

enum { GAP_PARTS = 3 };
struct gap_part {
    const char *name, *is; /* what it is, in words */
    bool identified;
    double bound, all;  /* at most so large, as a share: for one model; for all models at once. Not identified: nothing */
    const char *method; /* which bound, at what level; or why it is not identified */
};
/* All three in the order above. The bound is Hoeffding's for `images` independent images with probability 0.95,
 * sqrt(ln(2 / 0.05) / (2 images)); for all models at once with the union bound, 2 models in place of 2. Models must not
 * have been chosen by the new set. images > 0, models > 0. Texts are static. */
void gap_parts_of(size_t images, size_t models, struct gap_part out[GAP_PARTS]);
extern const struct record gap_part_record;

#endif
