/* chance.c - agreement by chance. */
#include "stats/chance.h"

#include "stats/binomial.h"

struct chance chance_agreement(const uint32_t *labels, const uint32_t *answers, size_t classes,
                               uint32_t n)
{
    struct chance c = {0, 0};
    for (size_t i = 0; i < classes && n; i++) {
        double p = (double)labels[i] / n, q = (double)answers[i] / n;
        c.expected += p * q;
        c.most += p < q ? p : q;
    }
    return c;
}

bool chance_cannot_be(uint32_t k, uint32_t n, double expected)
{
    return binomial_clopper_pearson(k, n, 0.05).lo > expected;
}

bool chance_level(uint32_t k, uint32_t n, struct chance c)
{
    return n > 0 && !chance_cannot_be(k, n, c.expected) &&
           binomial_clopper_pearson(k, n, 0.05).hi < (c.expected + c.most) / 2;
}
