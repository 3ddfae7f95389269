/* scores.c - controls, agreement with others, spread of durations. */
#include "domain/scores.h"

#include <stdlib.h>

static unsigned bits(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

static void score_controls(const struct score_key *key, uint64_t mask, struct score *s)
{
    s->selected = bits(mask);
    s->pos = bits(key->positive);
    s->neg = bits(key->negative);
    s->gold = bits(key->gold);
    s->pos_right = bits(mask & key->positive);
    s->neg_right = bits(~mask & key->negative);
    s->gold_right = bits(~(mask ^ key->gold_positive) & key->gold);
    unsigned controls = s->pos + s->neg;
    s->control = controls ? (double)(s->pos_right + s->neg_right) / controls : -1;
}

/* `selected[j]`: how many of the `counted` answers selected cell j. */
static double agreement(unsigned cells, const struct score_answer *a, const unsigned *selected,
                        unsigned counted)
{
    unsigned others = counted - a->counted;
    double sum = 0;
    for (unsigned j = 0; j < cells; j++) {
        bool x = a->mask >> j & 1;
        unsigned said_yes = selected[j] - (a->counted && x);
        sum += (double)(x ? said_yes : others - said_yes) / others;
    }
    return sum / cells;
}

void scores_compute(const struct score_key *key, const struct score_answer *answers, size_t n,
                    struct score *out)
{
    unsigned selected[GRID_CELLS] = {0}, counted = 0;
    for (size_t i = 0; i < n; i++) {
        counted += answers[i].counted;
        for (unsigned j = 0; answers[i].counted && j < key->n; j++) {
            selected[j] += (unsigned)(answers[i].mask >> j & 1);
        }
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct score){0};
        score_controls(key, answers[i].mask, &out[i]);
        out[i].compared = key->n > 0 && counted > answers[i].counted;
        if (out[i].compared) {
            out[i].agreement = agreement(key->n, &answers[i], selected, counted);
            sum += answers[i].counted ? out[i].agreement : 0;
        }
    }
    for (size_t i = 0; i < n; i++) {
        /* A single counted answer has nobody to agree with: then the others have no mean. */
        out[i].relative = out[i].compared && counted > 1 ? out[i].agreement - sum / counted : 0;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct score_spread scores_spread(double *values, size_t n)
{
    struct score_spread s = {0};
    if (n == 0) {
        return s;
    }
    qsort(values, n, sizeof *values, by_value);
    for (size_t i = 0; i < n; i++) {
        s.mean += values[i] / (double)n;
    }
    s.least = values[0];
    s.most = values[n - 1];
    s.median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    return s;
}
