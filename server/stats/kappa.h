/* kappa.h - Cohen's kappa: how far two judges agree beyond what chance would give. Pure; several judges: raters.h. */
#ifndef STATS_KAPPA_H
#define STATS_KAPPA_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stats/binomial.h"

/* (po - pe) / (1 - pe) of a table [first * categories + second] of counts (Cohen 1960): po the share on the diagonal, pe
 * the share that the two margins give by chance. NAN: nothing was judged, or both always said the same one thing. */
double kappa_cohen(const int64_t *table, size_t categories);

enum { KAPPA_CATEGORIES = 8 };
struct judged { /* one item that both judged */
    uint32_t cluster; /* items of one cluster (labels of one image) follow each other */
    uint8_t first, second; /* categories, below KAPPA_CATEGORIES */
};
/* Kappa of n items with its interval at 1 - alpha from `draws` bootstrap samples of clusters (stats/percentile.h; a draw
 * without a figure is drawn again, and NAN stands for bounds when a hundred times as many do not give enough). The same
 * seed gives the same interval. Scratch from `a`: 8 bytes for each draw and for each cluster. */
struct proportion kappa_interval(const struct judged *list, size_t n, size_t draws, uint64_t seed, double alpha,
                                 struct arena *a);

#endif
