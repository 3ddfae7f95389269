/* chance.h - whether a model's answers have anything to do with the labels: predictions whose rows are those of
 * another list are right as often as the same answers in a random order would be. */
#ifndef STATS_CHANCE_H
#define STATS_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
    double expected; /* share right of the same answers in a random order: Cohen's expected agreement, sum of p q */
    double most;     /* share right that answers with these frequencies can have: sum of min(p, q) */
};
/* `labels` and `answers`: how many of n images have each of the classes as label, as first answer. */
struct chance chance_agreement(const uint32_t *labels, const uint32_t *answers, size_t classes, uint32_t n);
/* Whether k right of n cannot be told from chance although n is enough to tell: the 95 % Clopper-Pearson interval
 * reaches down to `expected`, and ends below the middle between that and `most`. */
bool chance_level(uint32_t k, uint32_t n, struct chance c);
/* Whether the interval lies above `expected` already. */
bool chance_cannot_be(uint32_t k, uint32_t n, double expected);

#endif
