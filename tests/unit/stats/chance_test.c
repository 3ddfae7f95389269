/* chance_test.c - what counts as no better than chance: shuffled answers do, poor models and small sets do not. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/chance.h"

enum { CLASSES_MOST = 1000 };

struct told {
    uint32_t labels[CLASSES_MOST], answers[CLASSES_MOST], right;
};

/* n images, labels evenly among the first `classes`; the answer is right with `p`, else any of `of` classes. */
static struct told tell(struct rng *rng, uint32_t n, uint32_t classes, uint32_t of, double p)
{
    struct told t = {.right = 0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t label = i % classes, said = rng_unit(rng) < p ? label : (uint32_t)rng_below(rng, of);
        t.labels[label]++;
        t.answers[said]++;
        t.right += label == said;
    }
    return t;
}

static bool level(const struct told *t, uint32_t n)
{
    return chance_level(t->right, n, chance_agreement(t->labels, t->answers, CLASSES_MOST, n));
}

TEST(agreement_is_that_of_shuffled_answers)
{
    const uint32_t labels[] = {5, 20, 0}, answers[] = {10, 10, 5};
    struct chance c = chance_agreement(labels, answers, 3, 25);
    assert_true(fabs(c.expected - (0.2 * 0.4 + 0.8 * 0.4)) < 1e-12);
    assert_true(fabs(c.most - (0.2 + 0.4)) < 1e-12);
    c = chance_agreement(labels, answers, 3, 0);
    assert_true(c.expected == 0 && c.most == 0);
}

TEST(answers_without_order_are_told)
{
    static const struct {
        uint32_t n, classes;
    } sets[] = {{10000, 1000}, {200, 19}, {100, 2}, {2000, 10}};
    struct rng rng;
    rng_seed(&rng, 3);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        int told = 0;
        for (int round = 0; round < 50; round++) {
            struct told t = tell(&rng, sets[i].n, sets[i].classes, sets[i].classes, 0);
            told += level(&t, sets[i].n);
        }
        assert_true(told >= 42); /* but for those that are lucky at 95 % */
    }
    const struct told none = tell(&rng, 500, 10, 10, 0);
    struct told never = none;
    never.right = 0;
    assert_true(level(&never, 500));
}

TEST(poor_models_are_not)
{
    struct rng rng;
    rng_seed(&rng, 4);
    for (int round = 0; round < 50; round++) {
        const struct told weak = tell(&rng, 10000, 1000, 1000, 0.01);  /* 1 % where chance is 0.1 % */
        const struct told baseline = tell(&rng, 187, 19, 19, 0.2);
        const struct told few = tell(&rng, 6, 2, 2, 0.5);
        const struct told one = tell(&rng, 300, 1, 1000, 0.8);         /* a set of one class */
        const struct told two = tell(&rng, 400, 2, 1000, 0.5);         /* two of a thousand */
        assert_false(level(&weak, 10000));
        assert_false(level(&baseline, 187));
        assert_false(level(&few, 6));
        assert_false(level(&one, 300));
        assert_false(level(&two, 400));
    }
    assert_true(chance_cannot_be(30, 100, 0.1));
    assert_false(chance_cannot_be(12, 100, 0.1));
}
