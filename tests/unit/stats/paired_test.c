/* paired_test.c - stats/paired.h against Newcombe's table (1998, method 10) and exact fractions. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/paired.h"

TEST(mcnemar)
{
    static const struct {
        int64_t first, second;
        double p;
    } rows[] = {{6, 16, 0.052478790283203125}, {16, 6, 0.052478790283203125}, {0, 5, 0.0625}, {3, 3, 1},
                {0, 0, 1},                     {1, 0, 1},                     {121, 59, 4.434449263755176e-06}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct paired_counts c = {40, rows[i].first, rows[i].second, 2};
        assert_true(fabs(paired_mcnemar(&c) - rows[i].p) < 1e-12);
    }
}

TEST(difference)
{
    static const struct {
        struct paired_counts c;
        double lo, hi;
    } rows[] = {{{36, 12, 2, 0}, 0.05692958400323883, 0.34042760297494057},
                {{53, 24, 22, 1}, -0.11227029951487982, 0.15134195988630486},
                {{20, 12, 2, 16}, 0.056156424841748404, 0.3292069954001405},
                {{36, 14, 0, 0}, 0.1528395178558573, 0.4166512369595655},
                {{18, 14, 0, 18}, 0.14408261615735732, 0.3963252817333278}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct paired_counts *c = &rows[i].c;
        struct proportion d = paired_difference(c, 0.05);
        double n = (double)(c->both + c->first + c->second + c->neither);
        assert_true(fabs(d.value - (double)(c->first - c->second) / n) < 1e-12);
        assert_true(fabs(d.lo - rows[i].lo) < 1e-9);
        assert_true(fabs(d.hi - rows[i].hi) < 1e-9);
        /* Who is first does not matter. */
        struct proportion back = paired_difference(&(struct paired_counts){c->both, c->second, c->first, c->neither}, 0.05);
        assert_true(fabs(back.lo + d.hi) < 1e-12 && fabs(back.hi + d.lo) < 1e-12);
    }
    assert_true(isnan(paired_difference(&(struct paired_counts){0}, 0.05).value));
}

/* Two who are right together more often than chance has it: the true difference is inside about as often as said. */
TEST(coverage)
{
    struct rng rng;
    int inside = 0;
    rng_seed(&rng, 11);
    for (int world = 0; world < 2000; world++) {
        struct paired_counts c = {0};
        for (int i = 0; i < 80; i++) {
            double hard = rng_unit(&rng);
            bool one = rng_unit(&rng) < 0.5 + 0.45 * hard, two = rng_unit(&rng) < 0.3 + 0.65 * hard;
            c.both += one && two;
            c.first += one && !two;
            c.second += !one && two;
            c.neither += !one && !two;
        }
        struct proportion d = paired_difference(&c, 0.05);
        inside += d.lo <= 0.1 && d.hi >= 0.1; /* 0.725 and 0.625 on average */
    }
    print_message("true difference inside in %.1f %% of 2,000 worlds\n", inside / 20.0);
    assert_in_range(inside, 1880, 1970);
}
