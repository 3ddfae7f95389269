/* mean_share.h - the mean over models of their accuracies on some images, with its interval over images: it is images
 * that were drawn, not models, and models are right about the same ones. Pure computation. */
#ifndef MEASURES_MEAN_SHARE_H
#define MEASURES_MEAN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/binomial.h"

struct mean_share { /* of images: of each the share of the models that are right about it */
    uint32_t n;
    double sum, squares;
};
static inline void mean_share_add(struct mean_share *m, double share)
{
    m->n++;
    m->sum += share;
    m->squares += share * share;
}
/* Sum of (share - mean)^2. */
double mean_share_spread(const struct mean_share *m);
/* Each image as much as the next, 0 to 1, 95 %, by Student's t; where every share is 0 or 1 (`counted`: one model), and
 * where all images are alike, which is no certainty, by Clopper and Pearson of so many right of so many images. NAN
 * without images. */
struct proportion mean_share_of(const struct mean_share *m, bool counted);

#endif
