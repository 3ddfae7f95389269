/* share_curve.h - how the share of images with a property depends on their true frequency, when of
 * each image only a density of the true frequency is known: the logistic curve, quadratic on the
 * angle's scale (arcsin sqrt of the frequency), that makes the shares seen most likely. Fisher's
 * scoring, halved steps; a weak hold at 0 keeps curves finite where all images have the property.
 * Pure computation. */
#ifndef STATS_SHARE_CURVE_H
#define STATS_SHARE_CURVE_H

#include <stddef.h>

enum { SHARE_CURVE = 3 };
struct share_curve {
    double of[SHARE_CURVE]; /* coefficients; all 0: a half everywhere */
};
struct share_cells { /* kinds of images */
    size_t n;
    unsigned points;       /* of the grid */
    const double *at;      /* [point]: true frequency, 0 to 1 */
    const double *weight;  /* [cell]: images, on any scale that makes one image about 1 */
    const double *density; /* [cell * points + point]: weights of the points, which sum to 1 */
};
/* From the coefficients in *c towards the most likely ones, `steps` steps at most. share[cell]: of
 * the cell's images that have the property, 0 to 1. */
void share_curve_fit(const struct share_cells *in, const double *share, unsigned steps,
                     struct share_curve *c);
/* out[point]: the share at each point. */
void share_curve_at(const struct share_curve *c, unsigned points, const double *at, double *out);

#endif
