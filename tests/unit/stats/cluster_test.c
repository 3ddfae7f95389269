/* cluster_test.c - Student's quantiles against closed forms and tables, the interval against numbers
 * worked out by hand and against how often it holds the truth. */
#include "unit.h"

#include <math.h>

#include "base/rng.h"
#include "stats/cluster.h"

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * fmax(1, fabs(want)))) {
        fail_msg("%.17g is not %.17g", got, want);
    }
}

TEST(quantiles_with_a_closed_form)
{
    static const double ps[] = {0.001, 0.025, 0.3, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9995};
    for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
        double p = ps[i], a = 4 * p * (1 - p), sign = p < 0.5 ? -1 : 1;
        assert_near(student_quantile(1, p), tan(acos(-1) * (p - 0.5)), 1e-10);
        assert_near(student_quantile(2, p), (2 * p - 1) * sqrt(2 / a), 1e-11);
        double four = cos(acos(sqrt(a)) / 3) / sqrt(a) - 1;
        assert_near(student_quantile(4, p), sign * 2 * sqrt(fmax(0, four)), 1e-7);
    }
}

TEST(quantiles_of_tables)
{
    static const struct {
        double df, p, t;
    } rows[] = {
        {1, 0.975, 12.706204736},  {2, 0.975, 4.3026527297},  {3, 0.975, 3.1824463053},
        {5, 0.975, 2.5705818356},  {10, 0.975, 2.2281388520}, {30, 0.975, 2.0422724563},
        {100, 0.975, 1.9839715184}, {1000, 0.975, 1.9623390808}, {3, 0.995, 5.8409093097},
        {10, 0.025, -2.2281388520}, {1e6, 0.975, 1.9599663568},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_near(student_quantile(rows[i].df, rows[i].p), rows[i].t, 2e-10);
    }
    for (double df = 1; df < 5000; df += 1) { /* falls with every degree of freedom */
        assert_true(student_quantile(df, 0.975) > student_quantile(df + 1, 0.975));
    }
}

static struct interval of(const uint32_t *k, const uint32_t *n, size_t m)
{
    return cluster_interval(k, n, m, 0.05);
}

/* p = 1/2; squares 4 + 0 + 4; se = sqrt(3/2 * 8) / 30; t = 4.3026527 at two degrees of freedom. */
TEST(worked_out_by_hand)
{
    struct interval a = of((uint32_t[]){3, 5, 7}, (uint32_t[]){10, 10, 10}, 3);
    assert_near(a.lo, 0.12054172429702845, 1e-9);
    assert_near(a.hi, 0.8794582757029715, 1e-9);
    /* Unequal: p = 15/40, squares 29.625, se = sqrt(4/3 * 29.625) / 40, t = 3.1824463. */
    struct interval b = of((uint32_t[]){8, 2, 5, 0}, (uint32_t[]){10, 4, 20, 6}, 4);
    assert_near(b.lo, 0.0663409147261431, 1e-9);
    assert_near(b.hi, 0.8351607269308471, 1e-9);
    /* Who gave no votes is nobody. */
    struct interval c = of((uint32_t[]){8, 0, 2, 5, 0}, (uint32_t[]){10, 0, 4, 20, 6}, 5);
    assert_true(c.lo == b.lo && c.hi == b.hi);
}

TEST(where_the_spread_says_nothing)
{
    struct interval i, want;
    i = of(NULL, NULL, 0);
    assert_true(i.lo == 0 && i.hi == 1);
    i = of((uint32_t[]){0, 0}, (uint32_t[]){0, 0}, 2);
    assert_true(i.lo == 0 && i.hi == 1);
    i = of((uint32_t[]){3}, (uint32_t[]){10}, 1);
    assert_true(i.lo == 0 && i.hi == 1);
    /* 90 votes without a tick, but only 3 people: 0 of 3. */
    i = of((uint32_t[]){0, 0, 0}, (uint32_t[]){30, 50, 10}, 3);
    want = binomial_clopper_pearson(0, 3, 0.05);
    assert_true(i.lo == 0 && i.hi == want.hi);
    i = of((uint32_t[]){30, 50}, (uint32_t[]){30, 50}, 2);
    want = binomial_clopper_pearson(2, 2, 0.05);
    assert_true(i.lo == want.lo && i.hi == 1);
    /* Everybody a third: as good as the votes are, not better. */
    i = of((uint32_t[]){1, 10, 7}, (uint32_t[]){3, 30, 21}, 3);
    want = binomial_clopper_pearson(18, 54, 0.05);
    assert_true(i.lo == want.lo && i.hi == want.hi);
}

TEST(sums_are_the_same_way)
{
    struct rng r;
    rng_seed(&r, 3);
    for (int round = 0; round < 200; round++) {
        uint32_t k[40], n[40];
        struct cluster_sums s = {0};
        size_t m = rng_below(&r, 40);
        for (size_t i = 0; i < m; i++) {
            n[i] = (uint32_t)rng_below(&r, 200000);
            k[i] = n[i] ? (uint32_t)rng_below(&r, n[i] + 1) : 0;
            cluster_add(&s, k[i], n[i]);
        }
        double t = s.m > 1 ? student_quantile((double)(s.m - 1), 0.975) : 0;
        struct interval a = of(k, n, m), b = cluster_sums_interval(&s, 0.05, t);
        assert_true(a.lo == b.lo && a.hi == b.hi);
        assert_true(a.lo >= 0 && a.lo <= a.hi && a.hi <= 1);
        if (s.n) {
            double p = (double)s.k / (double)s.n;
            assert_true(a.lo <= p && p <= a.hi);
        }
    }
}

/* People differ in how readily they tick, with standard deviation 0.15 around 0.6, and give 20 to 80
 * votes each. The interval holds 0.6 about 95 times in 100; the binomial one does not. */
TEST(it_holds_the_truth)
{
    enum { ROUNDS = 4000, PEOPLE = 25 };
    struct rng r;
    unsigned held = 0, binomial = 0;
    rng_seed(&r, 4);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t k[PEOPLE] = {0}, n[PEOPLE];
        int64_t sum_k = 0, sum_n = 0;
        for (int i = 0; i < PEOPLE; i++) {
            double p = 0.6 + 0.15 * sqrt(3) * (2 * rng_unit(&r) - 1);
            n[i] = 20 + (uint32_t)rng_below(&r, 61);
            for (uint32_t v = 0; v < n[i]; v++) {
                k[i] += rng_unit(&r) < p;
            }
            sum_k += k[i];
            sum_n += n[i];
        }
        struct interval c = of(k, n, PEOPLE), b = binomial_clopper_pearson(sum_k, sum_n, 0.05);
        held += c.lo <= 0.6 && 0.6 <= c.hi;
        binomial += b.lo <= 0.6 && 0.6 <= b.hi;
    }
    assert_in_range(held, ROUNDS * 935 / 1000, ROUNDS * 965 / 1000);
    assert_in_range(binomial, 0, ROUNDS * 85 / 100);
}

/* ---- differences ---- */

static struct interval difference(const uint32_t (*w)[4], size_t m)
{
    struct cluster_pair s = {.m = 0};
    for (size_t i = 0; i < m; i++) {
        cluster_pair_add(&s, w[i][0], w[i][1], w[i][2], w[i][3]);
    }
    double ta = s.a.m > 1 ? student_quantile((double)(s.a.m - 1), 0.975) : 0;
    double tb = s.b.m > 1 ? student_quantile((double)(s.b.m - 1), 0.975) : 0;
    double t = s.m > 1 ? student_quantile((double)(s.m - 1), 0.975) : 0;
    return cluster_pair_interval(&s, cluster_sums_interval(&s.a, 0.05, ta), cluster_sums_interval(&s.b, 0.05, tb), t);
}

/* pa = 15/30, pb = 8/20 of three workers: residuals (3-5)/30 - (2-4)/20, 0 - 0, 2/30 - 2/20: +-1/30. */
TEST(differences_by_hand)
{
    static const uint32_t w[][4] = {{3, 10, 2, 10}, {5, 10, 0, 0}, {7, 10, 6, 10}};
    struct interval i = difference(w, 3), a, b;
    double half = 4.3026527297 * sqrt(1.5 * 2 / 900.0);
    assert_near(i.lo, 0.1 - half, 1e-9);
    assert_near(i.hi, 0.1 + half, 1e-9);
    /* Nothing on one side; nobody; everybody selected everything: then by the sides' own bounds. */
    i = difference((const uint32_t[][4]){{3, 10, 0, 0}, {4, 10, 0, 0}}, 2);
    assert_true(i.lo == -1 && i.hi == 1);
    i = difference(NULL, 0);
    assert_true(i.lo == -1 && i.hi == 1);
    i = difference((const uint32_t[][4]){{10, 10, 3, 10}, {10, 10, 5, 10}, {10, 10, 7, 10}}, 3);
    a = of((uint32_t[]){10, 10, 10}, (uint32_t[]){10, 10, 10}, 3);
    b = of((uint32_t[]){3, 5, 7}, (uint32_t[]){10, 10, 10}, 3);
    assert_near(i.lo, 0.5 - hypot(1 - a.lo, b.hi - 0.5), 1e-12);
    assert_near(i.hi, 0.5 + hypot(0, 0.5 - b.lo), 1e-12);
}

/* People who tick readily do so on both sides: the difference is known better than either side. */
TEST(differences_hold_the_truth)
{
    enum { ROUNDS = 2000, PEOPLE = 25 };
    struct rng r;
    unsigned held = 0;
    double width = 0, apart = 0;
    rng_seed(&r, 6);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t w[PEOPLE][4] = {{0}};
        struct cluster_sums a = {0}, b = {0};
        for (int i = 0; i < PEOPLE; i++) {
            double lean = 0.2 * (2 * rng_unit(&r) - 1);
            for (int side = 0; side < 2; side++) {
                w[i][2 * side + 1] = 20 + (uint32_t)rng_below(&r, 61);
                for (uint32_t v = 0; v < w[i][2 * side + 1]; v++) {
                    w[i][2 * side] += rng_unit(&r) < (side ? 0.5 : 0.7) + lean;
                }
            }
            cluster_add(&a, w[i][0], w[i][1]);
            cluster_add(&b, w[i][2], w[i][3]);
        }
        struct interval i = difference((const uint32_t (*)[4])w, PEOPLE);
        double t = student_quantile(PEOPLE - 1, 0.975);
        struct interval ca = cluster_sums_interval(&a, 0.05, t), cb = cluster_sums_interval(&b, 0.05, t);
        held += i.lo <= 0.2 && 0.2 <= i.hi;
        width += i.hi - i.lo;
        apart += hypot(ca.hi - ca.lo, cb.hi - cb.lo);
    }
    assert_in_range(held, ROUNDS * 935 / 1000, ROUNDS * 968 / 1000);
    assert_true(width < 0.7 * apart);
}
