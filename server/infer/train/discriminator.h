/* discriminator.h - can a linear model tell which of two sets an image is of? Held-out scores by cross-validation, after
 * the discriminators of Recht et al. 2019, B.2.8 and C.3.3, with least squares on features in place of a network trained
 * from scratch.
 *
 * With features x (every column less its mean over all images, over its deviation), y = 1 for new images and -1 for
 * originals, the model of a training part is
 *
 *     beta = (sum w x x' / W - m m' + lambda I)^-1 sum w y x / W,   m = sum w x / W,   W = sum w,
 *     score(x) = beta' (x - m),
 *
 * ridge least squares, which is Fisher's discriminant with the covariance shrunk towards the identity. The weights w
 * make both sets count the same within every class: an image of class k and set s has min(n_k0, n_k1) / n_ks, n_ks being
 * how many of these the training part has. Without them, holding out a new image would leave more originals of its class
 * to learn from, so that sets which are alike would come out below one half. Classes of which the training part has one
 * set only teach nothing.
 *
 * Lambda is chosen for each fold without looking at it: for each other fold, models made without both are measured there
 * by weighted squares, and the lambda with the least sum is taken. Scores of a fold are divided by their root mean square,
 * so that scores of several folds have one scale; their signs stay.
 *
 * The same input gives the same scores, up to the rounding of this machine's arithmetic, on any number of threads. Knows
 * nothing of the database, of pictures, or of how folds were chosen. */
#ifndef INFER_TRAIN_DISCRIMINATOR_H
#define INFER_TRAIN_DISCRIMINATOR_H

#include "infer/train/train.h"

enum { DISCRIMINATOR_WIDTH = 4096, DISCRIMINATOR_IMAGES = 100000, DISCRIMINATOR_FOLDS = 20 };

struct discriminator_images {
    size_t n, width, n_classes;
    float *rows;             /* n x width; standardised in place */
    const uint32_t *classes; /* below n_classes */
    const uint8_t *folds;    /* below n_folds */
    const bool *fresh;
    unsigned n_folds, threads;
};
/* Fills the score of each of n images and the lambda of each fold. ERR_INPUT (rule "discriminator-folds") when a
 * training part has no class with images of both sets, ERR_NOT_FOUND (rule "lapack"), and what `watch` says. Memory: the rows once
 * more and two width x width matrices of doubles. */
enum err_code discriminator_score(const struct discriminator_images *s, const struct train_watch *watch, double *scores,
                                  double *lambdas, struct err *err);

#endif
