/* cluster.c - interval of a pooled proportion by the spread between workers, and Student's t
 * quantile. Pure functions: no allocation, nothing known of votes. */
#include "stats/cluster.h"

#include <math.h>

#include "base/err.h"
#include "stats/share_scale.h"

double student_quantile(double df, double p)
{
    BUG_IF(!(df > 0 && p > 0 && p < 1));
    double both = 2 * (p < 0.5 ? p : 1 - p);
    if (both >= 1) {
        return 0;
    }
    /* t^2 / (df + t^2) is beta distributed. Of the two tails the one is taken that is small for
     * large df, so that no digits are lost in 1 - y; for small df it is the other that is small. */
    double y = df >= 1 ? beta_inv(0.5, df / 2, 1 - both) : 1 - beta_inv(df / 2, 0.5, both);
    double t = df >= 1 ? sqrt(df * y / (1 - y))
                       : sqrt(df * y / beta_inv(df / 2, 0.5, both));
    return p < 0.5 ? -t : t;
}

void cluster_add(struct cluster_sums *s, uint32_t k, uint32_t n)
{
    BUG_IF(k > n);
    if (n == 0) {
        return;
    }
    double dk = k, dn = n;
    s->m++;
    s->k += k;
    s->n += n;
    s->kk += dk * dk;
    s->kn += dk * dn;
    s->nn += dn * dn;
}

/* The sum of (k_w - p n_w)^2. */
static double residuals(const struct cluster_sums *s)
{
    double p = (double)s->k / (double)s->n;
    return s->kk - 2 * p * s->kn + p * p * s->nn;
}

/* Below this the difference is what rounding left of equal workers. */
static bool spreads(const struct cluster_sums *s)
{
    return s->m > 1 && s->k > 0 && s->k < s->n && residuals(s) > 1e-13 * s->nn;
}

struct interval cluster_sums_interval(const struct cluster_sums *s, double alpha, double t)
{
    struct interval out = {0, 1};
    if (s->n == 0) {
        return out;
    }
    if (s->k == 0 || s->k == s->n) {
        return binomial_clopper_pearson(s->k == 0 ? 0 : (int64_t)s->m, (int64_t)s->m, alpha);
    }
    if (s->m < 2) {
        return out;
    }
    double m = (double)s->m, n = (double)s->n, p = (double)s->k / n;
    double squares = residuals(s);
    if (!spreads(s)) {
        return binomial_clopper_pearson((int64_t)s->k, (int64_t)s->n, alpha);
    }
    double error = sqrt(m / (m - 1) * squares) / n;
    double half = t * error / (p * (1 - p)), middle = share_scale_at(SHARE_LOGIT, p);
    out.lo = share_scale_inverse(SHARE_LOGIT, middle - half);
    out.hi = share_scale_inverse(SHARE_LOGIT, middle + half);
    return out;
}

struct interval cluster_interval(const uint32_t *k, const uint32_t *n, size_t m, double alpha)
{
    struct cluster_sums s = {0};
    for (size_t i = 0; i < m; i++) {
        cluster_add(&s, k[i], n[i]);
    }
    double t = s.m > 1 ? student_quantile((double)(s.m - 1), 1 - alpha / 2) : 0;
    return cluster_sums_interval(&s, alpha, t);
}

void cluster_pair_add(struct cluster_pair *s, uint32_t ka, uint32_t na, uint32_t kb, uint32_t nb)
{
    cluster_add(&s->a, ka, na);
    cluster_add(&s->b, kb, nb);
    s->m += na > 0 || nb > 0;
    s->kk += (double)ka * kb;
    s->kn += (double)ka * nb;
    s->nk += (double)na * kb;
    s->nn += (double)na * nb;
}

struct interval cluster_pair_interval(const struct cluster_pair *s, struct interval a,
                                      struct interval b, double t)
{
    struct interval out = {-1, 1};
    if (s->a.n == 0 || s->b.n == 0) {
        return out;
    }
    double na = (double)s->a.n, nb = (double)s->b.n, m = (double)s->m;
    double pa = (double)s->a.k / na, pb = (double)s->b.k / nb;
    double both = s->kk - pb * s->kn - pa * s->nk + pa * pb * s->nn;
    double squares = residuals(&s->a) / na / na + residuals(&s->b) / nb / nb - 2 * both / na / nb;
    if (spreads(&s->a) && spreads(&s->b)) {
        double half = t * sqrt(m / (m - 1) * fmax(squares, 0));
        out = (struct interval){pa - pb - half, pa - pb + half};
    } else {
        struct proportion d = proportion_difference((struct proportion){pa, a.lo, a.hi}, (struct proportion){pb, b.lo, b.hi});
        out = (struct interval){d.lo, d.hi};
    }
    return (struct interval){fmax(out.lo, -1), fmin(out.hi, 1)};
}
