/* shrink_test.c - stats/shrink.h: closed forms where there is no spread, or groups of one size; drawn groups of known
 * spread. */
#include "near.h"

#include "base/rng.h"
#include "stats/shrink.h"

enum { GROUPS = 2000 };

/* Groups of one size: the estimate needs no rounds. p q (n - 1) g + p q is n times the spread with the m - 1 correction. */
TEST(groups_of_one_size)
{
    static const struct share_group g[] = {{9, 10}, {5, 10}, {7, 10}, {2, 10}};
    double p = 0.575, pq = p * (1 - p), spread = 0;
    for (size_t i = 0; i < 4; i++) {
        spread += (g[i].k / 10 - p) * (g[i].k / 10 - p) / 3;
    }
    double correlation = (10 * spread / pq - 1) / 9;
    struct share_spread s = share_spread_of(g, 4);
    assert_near(s.mean, p, 1e-12);
    assert_near(s.strength, 1 / correlation - 1, 1e-9);
    struct proportion one = share_spread_of_group(&s, &g[0]);
    assert_near(one.value, (s.mean * s.strength + 9) / (s.strength + 10), 1e-12);
    assert_near(beta_inc(s.mean * s.strength + 9, (1 - s.mean) * s.strength + 1, one.lo), 0.025, 1e-9);
    assert_near(beta_inc(s.mean * s.strength + 9, (1 - s.mean) * s.strength + 1, one.hi), 0.975, 1e-9);
    /* Of a group without trials it says what all are like. */
    assert_near(share_spread_of_group(&s, &(struct share_group){0, 0}).value, s.mean, 1e-12);
}

TEST(no_spread_beyond_chance)
{
    static const struct share_group alike[] = {{5, 10}, {5, 10}, {0, 0}, {10, 20}}, right[] = {{3, 3}, {4, 4}};
    struct share_spread s = share_spread_of(alike, 4);
    assert_true(isinf(s.strength));
    struct proportion p = share_spread_of_group(&s, &alike[0]);
    assert_near(p.value, 0.5, 1e-12);
    assert_near(beta_inc(20.5, 20.5, p.lo), 0.025, 1e-9);
    s = share_spread_of(right, 2);
    p = share_spread_of_group(&s, &right[0]);
    assert_true(p.value == 1 && p.hi == 1 && p.lo > 0.6 && p.lo < 1);
    s = share_spread_of(alike + 2, 1);
    assert_true(isnan(s.mean) && isnan(share_spread_of_group(&s, &alike[2]).value));
    /* Nothing but spread: each group is all right or all wrong. */
    static const struct share_group apart[] = {{10, 10}, {0, 10}, {10, 10}, {0, 10}};
    s = share_spread_of(apart, 4);
    assert_true(share_spread_of_group(&s, &apart[0]).value == 1 && share_spread_of_group(&s, &apart[1]).value == 0);
}

/* Beta(6, 2) is the sixth smallest of seven uniform numbers. */
static double sixth_of_seven(struct rng *r)
{
    double u[7];
    for (int i = 0; i < 7; i++) {
        double x = rng_unit(r);
        int at = i;
        while (at > 0 && u[at - 1] > x) {
            u[at] = u[at - 1];
            at--;
        }
        u[at] = x;
    }
    return u[5];
}

TEST(drawn_groups)
{
    struct rng r;
    static struct share_group g[GROUPS];
    static double truth[GROUPS];
    rng_seed(&r, 11);
    for (int i = 0; i < GROUPS; i++) {
        truth[i] = sixth_of_seven(&r);
        g[i].n = 4 + i % 13;
        for (int k = 0; k < (int)g[i].n; k++) {
            g[i].k += rng_unit(&r) < truth[i];
        }
    }
    struct share_spread s = share_spread_of(g, GROUPS);
    assert_near(s.mean, 0.75, 0.015);
    assert_near(s.strength, 8, 1.2);
    double raw = 0, shrunk = 0;
    int inside = 0;
    for (int i = 0; i < GROUPS; i++) {
        struct proportion p = share_spread_of_group(&s, &g[i]);
        raw += (g[i].k / g[i].n - truth[i]) * (g[i].k / g[i].n - truth[i]);
        shrunk += (p.value - truth[i]) * (p.value - truth[i]);
        inside += p.lo <= truth[i] && truth[i] <= p.hi;
    }
    assert_true(shrunk < 0.65 * raw);
    assert_near(inside / (double)GROUPS, 0.95, 0.015);
}

TEST(differences)
{
    /* Of equal variances v the method of moments is closed: t2 = s2 - v. */
    static const struct difference d[] = {{0.1, 0.01}, {0.5, 0.01}, {(double)NAN, 0.01}, {0.3, 0.01}, {0.7, 0.01}};
    struct difference_spread s = difference_spread_of(d, 5);
    assert_int_equal(s.n, 4);
    assert_near(s.mean, 0.4, 1e-12);
    assert_near(s.variance, 0.2 / 3 - 0.01, 1e-12);
    struct proportion one = difference_shrunk(&s, &d[0]);
    double b = s.variance / (s.variance + 0.01);
    assert_near(one.value, 0.4 - 0.3 * b, 1e-12);
    assert_near(one.hi - one.lo, 2 * 1.959963984540054 * sqrt(b * 0.01 + (1 - b) * (1 - b) * (s.variance + 0.01) / 4), 1e-12);
    assert_true(isnan(difference_shrunk(&s, &d[2]).value));
    /* What differs less than its error is all the same. */
    static const struct difference same[] = {{0.1, 1}, {0.2, 1}, {0.3, 4}};
    s = difference_spread_of(same, 3);
    assert_true(s.variance == 0);
    assert_near(s.mean, (0.1 + 0.2 + 0.3 / 4) / 2.25, 1e-12);
    assert_near(difference_shrunk(&s, &same[2]).value, s.mean, 1e-12);
    s = difference_spread_of(d + 2, 1);
    assert_true(s.n == 0 && isnan(s.mean));
}

