/* kappa.c - sums of the table and of its margins are whole numbers. */
#include "stats/kappa.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/percentile.h"

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

static void add(int64_t *table, const struct judged *list, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        table[list[i].first * KAPPA_CATEGORIES + list[i].second]++;
    }
}

struct proportion kappa_interval(const struct judged *list, size_t n, size_t draws, uint64_t seed, double alpha,
                                 struct arena *a)
{
    int64_t table[KAPPA_CATEGORIES * KAPPA_CATEGORIES] = {0};
    size_t *from = arena_alloc(a, (n + 1) * sizeof *from), clusters = 0, drawn = 0;
    double *values = arena_alloc(a, (draws + 1) * sizeof *values);
    struct rng rng;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || list[i].cluster != list[i - 1].cluster) {
            from[clusters++] = i;
        }
    }
    from[clusters] = n;
    add(table, list, 0, n);
    struct proportion out = {kappa_cohen(table, KAPPA_CATEGORIES), (double)NAN, (double)NAN};
    rng_seed(&rng, seed);
    for (size_t tries = 0; isfinite(out.value) && drawn < draws && tries < 100 * draws; tries++) {
        memset(table, 0, sizeof table);
        for (size_t k = 0; k < clusters; k++) {
            size_t at = (size_t)rng_below(&rng, clusters);
            add(table, list, from[at], from[at + 1]);
        }
        values[drawn] = kappa_cohen(table, KAPPA_CATEGORIES);
        drawn += isfinite(values[drawn]);
    }
    if (drawn > 0 && drawn == draws) {
        struct interval i = percentile_interval(values, drawn, alpha);
        out.lo = i.lo;
        out.hi = i.hi;
    }
    return out;
}
