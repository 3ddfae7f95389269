/* cochran.c - sums over blocks, and the distance from expectation in units of their covariance. */
#include "stats/cochran.h"

#include <math.h>

#include "base/err.h"

static const double SINGULAR = 1e-9; /* of the largest variance: what rounding leaves of none */

/* Variance w (1 - 1 / n) and covariance -w / n at the listed positions. */
static void add_cov(struct cochran *c, const unsigned *at, unsigned n, double w)
{
    for (unsigned i = 0; i < n; i++) {
        double *row = c->cov[at[i]];
        for (unsigned j = 0; j < n; j++) {
            row[at[j]] -= w / n;
        }
        row[at[i]] += w;
    }
}

void cochran_block(struct cochran *c, uint64_t positions, const double value[COCHRAN_POSITIONS])
{
    unsigned at[COCHRAN_POSITIONS], n = 0;
    double sum = 0, squares = 0;
    BUG_IF(positions >> COCHRAN_POSITIONS);
    for (unsigned p = 0; p < COCHRAN_POSITIONS; p++) {
        if (positions >> p & 1) {
            at[n++] = p;
            sum += value[p];
        }
    }
    for (unsigned i = 0; i < n; i++) {
        double off = value[at[i]] - sum / n;
        squares += off * off;
    }
    if (!(squares > 0)) {
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        c->excess[at[i]] += value[at[i]] - sum / n;
    }
    add_cov(c, at, n, squares / (n - 1));
}

void cochran_blocks(struct cochran *c, unsigned n, double squares)
{
    unsigned at[COCHRAN_POSITIONS];
    BUG_IF(n > COCHRAN_POSITIONS);
    for (unsigned p = 0; p < n; p++) {
        at[p] = p;
    }
    if (n > 1 && squares > 0) {
        add_cov(c, at, n, squares / (n - 1));
    }
}

void cochran_excess(struct cochran *c, const double excess[COCHRAN_POSITIONS])
{
    for (unsigned p = 0; p < COCHRAN_POSITIONS; p++) {
        c->excess[p] += excess[p];
    }
}

/* Takes position p out: what is left of the others, given it. */
static void take_out(struct cochran *c, unsigned p)
{
    double pivot = c->cov[p][p], x = c->excess[p], column[COCHRAN_POSITIONS];
    for (unsigned i = 0; i < COCHRAN_POSITIONS; i++) {
        column[i] = c->cov[i][p];
    }
    for (unsigned i = 0; i < COCHRAN_POSITIONS; i++) {
        double share = column[i] / pivot;
        c->excess[i] -= share * x;
        for (unsigned j = 0; j < COCHRAN_POSITIONS; j++) {
            c->cov[i][j] -= share * column[j];
        }
    }
}

/* The excess of each block sums to 0, so the covariance is singular: the position with most variance is taken out
 * until none is left, which is a Cholesky decomposition with pivots. */
struct chi_square cochran_test(const struct cochran *c)
{
    struct chi_square out = {0, 0, 1};
    struct cochran left = *c;
    double least = -1;
    for (unsigned n = 0; n < COCHRAN_POSITIONS; n++) {
        unsigned best = 0;
        for (unsigned p = 1; p < COCHRAN_POSITIONS; p++) {
            best = left.cov[p][p] > left.cov[best][best] ? p : best;
        }
        double variance = left.cov[best][best];
        least = least < 0 ? SINGULAR * variance : least;
        if (!(variance > least)) {
            break;
        }
        out.statistic += left.excess[best] * left.excess[best] / variance;
        out.degrees++;
        take_out(&left, best);
    }
    out.p = out.degrees ? chi_square_tail(out.statistic, out.degrees) : 1;
    return out;
}
