/* kappa.h - Cohen's kappa: how far two judges agree beyond what chance would give. Pure. */
#ifndef STATS_KAPPA_H
#define STATS_KAPPA_H

#include <stddef.h>
#include <stdint.h>

/* (po - pe) / (1 - pe) of a table [first * categories + second] of counts (Cohen 1960): po the share on the diagonal, pe
 * the share that the two margins give by chance. NAN: nothing was judged, or both always said the same one thing. */
double kappa_cohen(const int64_t *table, size_t categories);

#endif
