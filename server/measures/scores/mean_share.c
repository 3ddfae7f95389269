/* mean_share.c - moments to a mean. */
#include "measures/scores/mean_share.h"

#include <math.h>

#include "stats/cluster.h"

static const double ALPHA = 0.05, ALIKE = 1e-18; /* a variance that is rounding alone */

double mean_share_spread(const struct mean_share *m)
{
    return m->n ? fmax(0, m->squares - m->sum * m->sum / m->n) : 0;
}

struct proportion mean_share_of(const struct mean_share *m, bool counted)
{
    struct proportion p = {(double)NAN, (double)NAN, (double)NAN};
    double n = m->n;
    if (m->n) {
        p.value = m->sum / n;
    }
    double variance = m->n > 1 ? fmax(0, m->squares - n * p.value * p.value) / (n - 1) : 0;
    if (m->n && (counted || variance < ALIKE)) {
        struct interval ci = binomial_clopper_pearson(lround(m->sum), m->n, ALPHA);
        p.lo = fmin(ci.lo, p.value);
        p.hi = fmax(ci.hi, p.value);
    } else if (m->n) {
        double half = student_quantile(n - 1, 1 - ALPHA / 2) * sqrt(variance / n);
        p.lo = fmax(0, p.value - half);
        p.hi = fmin(1, p.value + half);
    }
    return p;
}
