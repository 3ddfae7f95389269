/* shrink.c - moments, iterated. */
#include "stats/shrink.h"

#include <math.h>
#include <stdbool.h>

#include "stats/normal.h"

static const double ALPHA = 0.05, SETTLED = 1e-12;
enum { ROUNDS = 200 };

static const struct proportion unknown = {(double)NAN, (double)NAN, (double)NAN};

struct moments {
    double w, mean, spread, chance, most; /* S; what of it is chance; what it would be at g = 1 */
};

static double weight(const struct share_group *g, double correlation)
{
    return g->n / (1 + correlation * (g->n - 1));
}

static struct moments moments_of(const struct share_group *groups, size_t n, double correlation)
{
    struct moments m = {0};
    for (size_t i = 0; i < n; i++) {
        if (groups[i].n > 0) {
            double w = weight(&groups[i], correlation);
            m.w += w;
            m.mean += w * (groups[i].k / groups[i].n);
        }
    }
    m.mean /= m.w;
    for (size_t i = 0; i < n; i++) {
        if (groups[i].n > 0) {
            double w = weight(&groups[i], correlation), off = groups[i].k / groups[i].n - m.mean;
            m.spread += w * off * off;
            m.chance += w / groups[i].n * (1 - w / m.w);
            m.most += w * (1 - w / m.w);
        }
    }
    return m;
}

struct share_spread share_spread_of(const struct share_group *groups, size_t n)
{
    struct share_spread s = {.mean = (double)NAN, .strength = (double)INFINITY};
    for (size_t i = 0; i < n; i++) {
        s.k += groups[i].k;
        s.n += groups[i].n;
    }
    double correlation = 0, before = -1;
    for (int round = 0; round < ROUNDS && s.n > 0 && fabs(correlation - before) > SETTLED; round++) {
        struct moments m = moments_of(groups, n, correlation);
        double pq = m.mean * (1 - m.mean), room = pq * (m.most - m.chance);
        before = correlation;
        s.mean = m.mean;
        correlation = room > 0 ? fmin(1, fmax(0, (m.spread - pq * m.chance) / room)) : 0;
    }
    s.strength = correlation > 0 ? 1 / correlation - 1 : (double)INFINITY;
    return s;
}

static struct proportion of_beta(double a, double b)
{
    return (struct proportion){a / (a + b), beta_inv(a, b, ALPHA / 2), beta_inv(a, b, 1 - ALPHA / 2)};
}

struct proportion share_spread_of_group(const struct share_spread *s, const struct share_group *g)
{
    if (isnan(s->mean)) {
        return unknown;
    }
    if (isinf(s->strength)) {
        struct proportion p = of_beta(s->k + 0.5, s->n - s->k + 0.5);
        p.value = s->mean;
        p.lo = fmin(p.lo, p.value);
        p.hi = fmax(p.hi, p.value);
        return p;
    }
    /* All groups right or all wrong at a correlation of 1: the share is what it was measured as. */
    double a = s->mean * s->strength + g->k, b = (1 - s->mean) * s->strength + g->n - g->k;
    if (a <= 0 || b <= 0) {
        double value = a > 0 ? 1 : b > 0 ? 0 : s->mean;
        return (struct proportion){value, value, value};
    }
    return of_beta(a, b);
}

/* ---- differences ---- */

static bool known(const struct difference *d)
{
    return isfinite(d->value) && d->variance > 0;
}

struct difference_spread difference_spread_of(const struct difference *list, size_t n)
{
    struct difference_spread s = {.mean = (double)NAN};
    double w = 0, ww = 0, sum = 0, q = 0, last = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        if (known(&list[i])) {
            s.n++;
            w += 1 / list[i].variance;
            ww += 1 / (list[i].variance * list[i].variance);
            sum += list[i].value / list[i].variance;
        }
    }
    for (size_t i = 0; i < n; i++) {
        double off = known(&list[i]) ? list[i].value - sum / w : 0;
        q += known(&list[i]) ? off * off / list[i].variance : 0;
    }
    double room = s.n > 1 ? w - ww / w : 0;
    s.variance = room > 0 ? fmax(0, (q - (double)(s.n - 1)) / room) : 0;
    for (size_t i = 0; i < n; i++) {
        if (known(&list[i])) {
            double own = 1 / (list[i].variance + s.variance);
            total += own;
            last += own * list[i].value;
        }
    }
    s.mean = s.n ? last / total : s.mean;
    s.of_mean = s.n ? 1 / total : 0;
    return s;
}

struct proportion difference_shrunk(const struct difference_spread *s, const struct difference *d)
{
    if (!known(d) || s->n == 0) {
        return unknown;
    }
    double b = s->variance / (s->variance + d->variance), value = s->mean + b * (d->value - s->mean);
    double half = normal_quantile(1 - ALPHA / 2) * sqrt(b * d->variance + (1 - b) * (1 - b) * s->of_mean);
    return (struct proportion){value, value - half, value + half};
}
