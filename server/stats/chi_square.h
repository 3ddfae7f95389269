/* chi_square.h - tests whose statistic is chi-square distributed if nothing is there. Pure functions. */
#ifndef STATS_CHI_SQUARE_H
#define STATS_CHI_SQUARE_H

struct chi_square {
    double statistic;
    unsigned degrees; /* 0: nothing can be said, p is 1 */
    double p;         /* chance of a statistic at least this large if nothing is there */
};

/* Upper tail of the chi-square distribution: 1 for x <= 0. Error below 1e-12. */
double chi_square_tail(double x, unsigned degrees);

#endif
