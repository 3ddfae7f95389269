/* standardised.c - differences in standard deviations. */
#include "stats/standardised.h"

#include <math.h>

static const double normal_975 = 1.959963984540054;

void moments_add(struct moments *m, double x)
{
    double before = x - m->mean;
    m->n++;
    m->mean += before / (double)m->n;
    m->m2 += before * (x - m->mean);
}

/* With n - 1; 0 for fewer than two values. */
static double moments_variance(const struct moments *m)
{
    return m->n < 2 ? 0 : m->m2 / (double)(m->n - 1);
}

/* `error` is the variance of the difference of means; va and vb with their degrees of freedom are
 * what the denominator is made of. */
static struct standardised make(double difference, double error, double va, double dfa, double vb,
                                double dfb)
{
    double s2 = (va + vb) / 2;
    if (!(s2 > 0) || dfa < 1 || dfb < 1) {
        return (struct standardised){.known = false};
    }
    double d = difference / sqrt(s2);
    double var = d * d * (va * va / dfa + vb * vb / dfb) / (8 * s2 * s2) + error / s2;
    double half = normal_975 * sqrt(var);
    return (struct standardised){true, d, d - half, d + half};
}

struct standardised standardised_difference(const struct moments *a, const struct moments *b)
{
    double va = moments_variance(a), vb = moments_variance(b);
    if (a->n < 2 || b->n < 2) {
        return (struct standardised){.known = false};
    }
    double dfa = (double)(a->n - 1), dfb = (double)(b->n - 1);
    return make(b->mean - a->mean, va / dfa + vb / dfb, va, dfa, vb, dfb);
}

/* Adds what another group of values has (Chan et al.). */
static void merge(struct moments *into, const struct moments *m)
{
    if (m->n == 0) {
        return;
    }
    double n = (double)into->n, k = (double)m->n, apart = m->mean - into->mean;
    into->n += m->n;
    into->mean += apart * k / (n + k);
    into->m2 += m->m2 + apart * apart * n * k / (n + k);
}

/* Of one side: all values, and the sum of squares within strata with its degrees of freedom. */
struct side {
    struct moments all;
    double within, df;
};

static void add_stratum(struct side *side, const struct moments *m)
{
    merge(&side->all, m);
    side->within += m->m2;
    side->df += (double)(m->n - 1);
}

struct standardised standardised_strata(const struct stratum *s, size_t n, size_t *used)
{
    struct side a = {.df = 0}, b = {.df = 0};
    double difference = 0, pa = 0, pb = 0;
    *used = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i].a.n > 0 && s[i].b.n > 0) {
            add_stratum(&a, &s[i].a);
            add_stratum(&b, &s[i].b);
            ++*used;
        }
    }
    if (a.df < 1 || b.df < 1) {
        return (struct standardised){.known = false};
    }
    for (size_t i = 0; i < n; i++) {
        if (s[i].a.n > 0 && s[i].b.n > 0) {
            double weight = (double)s[i].b.n / (double)b.all.n;
            difference += weight * (s[i].b.mean - s[i].a.mean);
            pa += weight * weight / (double)s[i].a.n;
            pb += weight * weight / (double)s[i].b.n;
        }
    }
    return make(difference, pa * a.within / a.df + pb * b.within / b.df, moments_variance(&a.all),
                (double)(a.all.n - 1), moments_variance(&b.all), (double)(b.all.n - 1));
}
