/* near_accuracy.h - what near-duplicates of training images add to the accuracies of models on the originals (papers,
 * section on near-duplicates of the original test set: acc = (1 - share) acc_true + share acc_duplicates). */
#ifndef MEASURES_NEAR_ACCURACY_H
#define MEASURES_NEAR_ACCURACY_H

#include "measures/scores/model_scores.h"
#include "record/record.h"

struct near_accuracy {           /* of a model that has predicted all of the originals; top-1 */
    struct sv model;
    int64_t images, duplicates;  /* that are told one by one; of them near-duplicates of a training image */
    double all, without;         /* accuracy, 0 to 1: on all of them, on those without near-duplicates */
    double on_duplicates;
    double change;               /* without - all */
};
extern const struct record near_accuracy_record;
/* On the newest originals that models may be scored on, by accuracy on all, the best first; in the arena. None without
 * originals, or without near-duplicates among them. */
enum err_code near_accuracy_list(struct model_scores *s, struct db *db, struct arena *a, struct near_accuracy **out,
                                 size_t *n, struct err *err);

#endif
