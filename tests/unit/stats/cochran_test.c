/* cochran_test.c - stats/cochran.h against Cochran's own formula, against permutations drawn one by one, and in
 * studies whose images and people differ: how often it sees a position effect that is not there, and one that is. */
#include "unit.h"

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"
#include "stats/cochran.h"

enum { CELLS = COCHRAN_POSITIONS, WORLDS = 200, GRIDS = 40, ANSWERS = 10 };

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("got %.17g, want %.17g within %g", got, want, tolerance);
    }
}

static uint64_t first(unsigned n)
{
    return ((uint64_t)1 << n) - 1;
}

/* Q = (k - 1) (k sum C^2 - T^2) / (k T - sum R^2) with column sums C, row sums R, their sum T. */
TEST(cochrans_formula)
{
    enum { ROWS = 30, K = 6 };
    double columns[K] = {0}, rows = 0, total = 0, squares = 0;
    struct cochran c = {.excess = {0}};
    struct rng r;
    rng_seed(&r, 1);
    for (unsigned b = 0; b < ROWS; b++) {
        double value[CELLS] = {0}, sum = 0;
        for (unsigned p = 0; p < K; p++) {
            value[p] = rng_unit(&r) < (p + 1 + b % 3) / 10.0;
            columns[p] += value[p];
            sum += value[p];
        }
        rows += sum * sum;
        total += sum;
        cochran_block(&c, first(K), value);
    }
    for (unsigned p = 0; p < K; p++) {
        squares += columns[p] * columns[p];
    }
    struct chi_square x = cochran_test(&c);
    assert_near(x.statistic, (K - 1) * (K * squares - total * total) / (K * total - rows), 1e-9);
    assert_int_equal(x.degrees, K - 1);
    assert_near(x.p, chi_square_tail(x.statistic, K - 1), 0);
}

/* Sums over blocks of one length are the blocks. */
TEST(sums_are_the_blocks)
{
    struct cochran one = {.excess = {0}}, sums = {.excess = {0}};
    double excess[CELLS] = {0}, squares[CELLS + 1] = {0};
    struct rng r;
    rng_seed(&r, 2);
    for (unsigned b = 0; b < 50; b++) {
        unsigned n = b % 5 ? CELLS : 7;
        double value[CELLS] = {0}, mean = 0;
        for (unsigned p = 0; p < n; p++) {
            mean += (value[p] = rng_unit(&r)) / n;
        }
        for (unsigned p = 0; p < n; p++) {
            excess[p] += value[p] - mean;
            squares[n] += (value[p] - mean) * (value[p] - mean);
        }
        cochran_block(&one, first(n), value);
    }
    for (unsigned n = 0; n <= CELLS; n++) {
        cochran_blocks(&sums, n, squares[n]);
    }
    cochran_excess(&sums, excess);
    struct chi_square a = cochran_test(&one), b = cochran_test(&sums);
    assert_near(a.statistic, b.statistic, 1e-8);
    assert_int_equal(a.degrees, 47);
    assert_int_equal(b.degrees, 47);
}

TEST(nothing_to_say)
{
    struct cochran c = {.excess = {0}};
    double same[CELLS] = {1, 1, 1, 1}, other[CELLS] = {1, 0, 0, 1};
    cochran_block(&c, first(4), same);
    cochran_block(&c, 1, other);
    cochran_block(&c, 0, other);
    cochran_blocks(&c, 1, 3);
    struct chi_square x = cochran_test(&c);
    assert_int_equal(x.degrees, 0);
    assert_near(x.p, 1, 0);
    /* Of two groups of positions that never share a block, each loses a degree. */
    cochran_block(&c, 0x0f, other);
    cochran_block(&c, 0xf0, (const double[CELLS]){0, 0, 0, 0, 2, 0, 0, 1});
    assert_int_equal(cochran_test(&c).degrees, 6);
}

/* ---- studies ---- */

struct study {
    struct rng r;
    struct cochran c;
    uint64_t k[CELLS], n[CELLS]; /* votes by position, as if each were by itself */
};

/* Pearson's test of equal rates, which takes the votes as independent. */
static double independent(const struct study *s)
{
    double k = 0, n = 0, x = 0;
    for (unsigned p = 0; p < CELLS; p++) {
        k += (double)s->k[p];
        n += (double)s->n[p];
    }
    for (unsigned p = 0; p < CELLS; p++) {
        double want = k / n * (double)s->n[p], off = (double)s->k[p] - want;
        x += s->n[p] ? off * off / (want * (1 - k / n)) : 0;
    }
    return chi_square_tail(x, CELLS - 1);
}

/* A grid of candidates, which people select seldom or nearly always, and six controls somewhere between. */
static uint64_t draw_grid(struct study *s, double chance[CELLS])
{
    uint64_t candidates = first(CELLS);
    for (unsigned p = 0; p < CELLS; p++) {
        double u = rng_unit(&s->r);
        chance[p] = u < 0.6 ? 0.05 : 0.95;
    }
    for (unsigned i = 0; i < 6; i++) {
        candidates &= ~((uint64_t)1 << rng_below(&s->r, CELLS));
    }
    return candidates;
}

/* Some people select little, others a lot; `effect`: how much less at the last position than at the first. */
static void one_grid(struct study *s, bool shuffled, double effect)
{
    double chance[CELLS], value[CELLS] = {0};
    uint64_t candidates = draw_grid(s, chance);
    for (unsigned a = 0; a < ANSWERS; a++) {
        double eager = 0.4 + 0.6 * rng_unit(&s->r), own[CELLS] = {0};
        uint32_t order[CELLS];
        uint64_t here = 0;
        for (unsigned p = 0; p < CELLS; p++) {
            order[p] = p;
        }
        if (shuffled) {
            rng_shuffle_u32(&s->r, order, CELLS);
        }
        for (unsigned p = 0; p < CELLS; p++) {
            double f = chance[order[p]] * eager * (1 - effect * p / (CELLS - 1));
            if (candidates >> order[p] & 1) {
                own[p] = rng_unit(&s->r) < f;
                value[p] += own[p];
                s->k[p] += own[p] > 0;
                s->n[p]++;
                here |= (uint64_t)1 << p;
            }
        }
        if (shuffled) {
            cochran_block(&s->c, here, own);
        }
    }
    if (!shuffled) {
        cochran_block(&s->c, candidates, value);
    }
}

struct found {
    unsigned block, independent; /* worlds with p < .05 */
};

static struct found worlds(bool shuffled, double effect)
{
    struct found f = {0, 0};
    for (unsigned w = 0; w < WORLDS; w++) {
        struct study s = {.k = {0}};
        rng_seed(&s.r, 1000 + w);
        for (unsigned g = 0; g < GRIDS; g++) {
            one_grid(&s, shuffled, effect);
        }
        f.block += cochran_test(&s.c).p < 0.05;
        f.independent += independent(&s) < 0.05;
    }
    return f;
}

/* 10 of 200 are expected; 2 to 20 are as likely as 99.9 % of chance allows. */
TEST(an_effect_that_is_not_there)
{
    struct found grids = worlds(false, 0), answers = worlds(true, 0);
    assert_in_range(grids.block, 2, 20);
    assert_in_range(answers.block, 2, 20);
    assert_true(grids.independent > WORLDS / 2); /* what taking votes as independent says */
}

TEST(an_effect_that_is_there)
{
    assert_true(worlds(true, 0.3).block > WORLDS * 9 / 10);
    assert_true(worlds(false, 0.6).block > WORLDS / 2);
}
