/* proposals.h - what models say of images, as labels that these could have. Of sealed images too, on which nobody may be
 * told how models do: so only sets/labels asks, which keeps neither scores nor which model said what. */
#ifndef MEASURES_SCORES_PROPOSALS_H
#define MEASURES_SCORES_PROPOSALS_H

#include "store/models/models.h"
#include "store/models/predictions.h"
#include "store/sets/sets.h"

struct proposals_ask {
    const struct revision_row *revision; /* whose images they are: answers that count on it. NULL: the newest about each */
    const uint32_t *images;              /* rising */
    size_t n;
    const struct model_row *models;
    size_t n_models;
    uint32_t top;                        /* answers of each model, 1 to PREDICTION_K */
};
/* `out`: for every image n_models x top class numbers, each model's best first; PREDICTION_NONE: it says nothing (more).
 * `answered`: for every model, about how many of the images it says something. */
enum err_code proposals_read(struct db *db, const struct proposals_ask *ask, uint16_t *out, uint32_t *answered,
                             struct err *err);

#endif
