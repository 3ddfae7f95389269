/* spread.h - how the true frequencies of images are spread in the pool of each class, whatever the
 * shape, and how a review that sees the images removes some: estimated from k of n answers each;
 * and what the answers of an image then say about it. Pure computation.
 *
 * The model. A class's spread is a density on a grid of frequencies: the exponential of a smooth
 * curve that all classes share, tilted for each class (Efron 2016, "Empirical Bayes deconvolution
 * estimates", Biometrika 103). Every beta distribution is one of these; two humps, a cut or a few
 * points come as near as n answers can tell. The chance that a review keeps an image is a logistic
 * curve of its true frequency, quadratic on the angle's scale, the same in all classes. Two things
 * are taken for granted: given an image's true frequency the review knows nothing of its answers;
 * and which images a review sees depends on class, answers and chance alone. */
#ifndef STATS_SPREAD_H
#define STATS_SPREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPREAD_SHOWN_MOST = 400 };
enum spread_review { SPREAD_UNSEEN, SPREAD_KEPT, SPREAD_REMOVED, SPREAD_REVIEWS };

struct spread_cell { /* `count` images with `selected` of `shown` answers, shown > 0 */
    uint32_t shown, selected;
    double count; /* a weight: no whole number in a bootstrap */
    enum spread_review review;
};
struct spread_cells { /* those of class c are [from[c], from[c + 1]); a class may have none */
    const struct spread_cell *cells;
    const size_t *from;
};

/* Of so many classes, with at most `shown` answers of an image (up to SPREAD_SHOWN_MOST). One
 * thread uses it at a time. Never NULL; free it with spread_free, which takes NULL. */
struct spread;
struct spread *spread_new(uint32_t n_classes, unsigned shown);
void spread_free(struct spread *s);
/* The most likely spread. False: the search found no top, and `s` must not be asked. About 0.5 s
 * for 1,000 classes of 200 images. */
bool spread_fit(struct spread *s, const struct spread_cells *in);
/* One step of Newton's method from `whole`, which was fitted, towards the spread of slightly other
 * data: what leaving out a few votes changes. Both were made for the same numbers. */
void spread_step(struct spread *s, const struct spread *whole, const struct spread_cells *in);

/* The true frequency of an image of the class, given its answers and what the review said. */
struct spread_image {
    double mean, variance;
    double shown; /* part of the variance that leaving out the image's own answers one by one shows
                   * (stats/jackknife.h); 0 where all are alike */
};
struct spread_image spread_of_image(struct spread *s, uint32_t class_index,
                                    const struct spread_cell *image);

/* ---- densities ---- */

/* The grid: points of true frequency, ascending, the same for every spread of the same `shown`.
 * Densities are weights of the points. Gives how many there are, at most SPREAD_POINTS_MOST; *p
 * stays the spread's. */
enum { SPREAD_POINTS_MOST = 144 };
unsigned spread_points(const struct spread *s, const double **p);
/* Chooses the class that the following calls of spread_image_weights are about. */
void spread_of_class(struct spread *s, uint32_t class_index);
/* The density of the true frequency of an image with these answers, which sums to 1. */
void spread_image_weights(struct spread *s, const struct spread_cell *image, double *w);

#endif
