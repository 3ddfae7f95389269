/* agreement.c - controls, agreement with others, spread of durations. */
#include "domain/votes/agreement.h"

#include <stdlib.h>

#include "domain/votes/cell_counts.h"

/* What does not differ between the answers to a grid. */
struct totals {
    unsigned pos, neg, gold;
};

static void count_controls(const struct agreement_key *key, const struct totals *of, uint64_t mask,
                           struct agreement *s)
{
    s->selected = cells_in(mask);
    s->pos = of->pos;
    s->neg = of->neg;
    s->gold = of->gold;
    s->pos_right = cells_in(mask & key->positive);
    s->neg_right = cells_in(~mask & key->negative);
    uint64_t as_expected = ~(mask ^ key->gold_positive) & key->gold;
    s->gold_right = key->gold == 0 ? 0 : key->whole ? as_expected == key->gold : cells_in(as_expected);
    unsigned controls = s->pos + s->neg;
    s->control = controls ? (double)(s->pos_right + s->neg_right) / controls : -1;
}

/* The mean over the cells of the share of others who said the same, as one sum: selected cells have
 * what others selected, the rest what others did not. `all`: the counts over every cell. */
static double agreement(unsigned cells, const struct agreement_answer *a, unsigned ticks,
                        const struct cell_counts *c, uint64_t all, unsigned counted)
{
    uint64_t others = counted - a->counted;
    uint64_t said_yes = cell_counts_over(c, a->mask), said_yes_elsewhere = all - said_yes;
    said_yes -= a->counted ? ticks : 0;
    uint64_t same = said_yes + (cells - ticks) * others - said_yes_elsewhere;
    return (double)same / (double)(others * cells);
}

void agreement_compute(const struct agreement_key *key, const struct agreement_answer *answers, size_t n,
                    struct agreement *out)
{
    struct cell_counts selected = {0};
    struct totals totals = {cells_in(key->positive), cells_in(key->negative),
                            key->whole ? key->gold != 0 : cells_in(key->gold)};
    unsigned counted = 0;
    for (size_t i = 0; i < n; i++) {
        if (answers[i].counted) {
            counted++;
            cell_counts_add(&selected, answers[i].mask);
        }
    }
    uint64_t all = cell_counts_over(&selected, UINT64_MAX);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct agreement){0};
        count_controls(key, &totals, answers[i].mask, &out[i]);
        out[i].compared = key->n > 0 && counted > answers[i].counted;
        if (out[i].compared) {
            out[i].agreement =
                agreement(key->n, &answers[i], out[i].selected, &selected, all, counted);
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

struct agreement_spread agreement_spread(double *values, size_t n)
{
    struct agreement_spread s = {0};
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
