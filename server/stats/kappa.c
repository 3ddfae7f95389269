/* kappa.c - sums of the table and of its margins are whole numbers. */
#include "stats/kappa.h"

#include <math.h>

double kappa_cohen(const int64_t *table, size_t categories)
{
    int64_t n = 0, alike = 0;
    double chance = 0;
    for (size_t i = 0; i < categories * categories; i++) {
        n += table[i];
    }
    for (size_t i = 0; i < categories; i++) {
        int64_t first = 0, second = 0;
        for (size_t j = 0; j < categories; j++) {
            first += table[i * categories + j];
            second += table[j * categories + i];
        }
        alike += table[i * categories + i];
        chance += (double)first * (double)second;
    }
    double po = (double)alike / (double)n, pe = chance / ((double)n * (double)n);
    return n > 0 && pe < 1 ? (po - pe) / (1 - pe) : (double)NAN;
}
