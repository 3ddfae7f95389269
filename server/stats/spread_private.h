/* spread_private.h - what spread.c (the grid, densities, answers) and spread_fit.c (the search)
 * share. */
#ifndef STATS_SPREAD_PRIVATE_H
#define STATS_SPREAD_PRIVATE_H

#include "stats/spread.h"

enum {
    SPREAD_CURVE = 8,  /* coefficients of the curve; the first is the tilt, two make a beta */
    SPREAD_REVIEW = 3, /* of the review's */
    SPREAD_COMMON = SPREAD_CURVE + SPREAD_REVIEW,
    SPREAD_GRID_MOST = SPREAD_POINTS_MOST,
};
struct spread_square {
    double at[SPREAD_COMMON][SPREAD_COMMON];
};
/* Minus the second derivatives of the likelihood, as an arrow: classes touch each other only
 * through the common coefficients. */
struct spread_arrow {
    double *own;                    /* [class] of its tilt */
    double (*cross)[SPREAD_COMMON]; /* [class] of its tilt and the common coefficients */
    struct spread_square root;      /* Cholesky's, of what the tilts leave for the common ones */
};
struct spread {
    uint32_t n_classes;
    unsigned grid, shown_most;
    double p[SPREAD_GRID_MOST], log_p[SPREAD_GRID_MOST], log_q[SPREAD_GRID_MOST];
    double curve[SPREAD_CURVE][SPREAD_GRID_MOST], review[SPREAD_REVIEW][SPREAD_GRID_MOST];
    double log_factorial[SPREAD_SHOWN_MOST + 1];
    double **chance; /* of k of n answers at every point: at n (n + 1) / 2 + k, made when needed */
    double common[SPREAD_COMMON], *tilt;             /* coefficients */
    double width;                                    /* standard deviation of the tilts */
    double kept[SPREAD_GRID_MOST];                   /* chance that the review keeps an image */
    double push[2][SPREAD_REVIEW][SPREAD_GRID_MOST]; /* [removed, kept]: by `kept` */
    double density[SPREAD_GRID_MOST]; /* of the class that spread_density was asked for last */
    struct spread_arrow top;          /* where spread_fit ended */
};

/* Make `kept` with `push`, and `density`, of the coefficients. */
void spread_kept(struct spread *s);
void spread_density(struct spread *s, uint32_t class_index);
/* Weights of the points given an image of the class that has the density; they sum to 1. Gives the
 * chance of its answers and of what the review said. */
double spread_weights(struct spread *s, const struct spread_cell *image, double *w);
/* How the logarithm of each point's weight moves with a common coefficient; the review's only where
 * it saw the image. */
static inline const double *spread_push(const struct spread *s, enum spread_review review,
                                        unsigned m)
{
    return m < SPREAD_CURVE ? s->curve[m] : s->push[review == SPREAD_KEPT][m - SPREAD_CURVE];
}

#endif
