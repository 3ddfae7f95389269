/* share_curve.c - Fisher's scoring over cells of images. */
#include "stats/share_curve.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "stats/spread.h"

#define HOLD 0.05 /* of a coefficient at 0, in images */
#define STEP_DONE 1e-6
#define SHARE_LEAST 1e-9

enum { POINTS = SPREAD_POINTS_MOST, HALVINGS = 6 };

struct basis {
    double of[SHARE_CURVE][POINTS];
};
struct score { /* what a step is made of */
    double value, first[SHARE_CURVE], info[SHARE_CURVE][SHARE_CURVE];
};

/* Legendre's polynomials of the angle, from -1 to 1. */
static void make_basis(unsigned points, const double *at, struct basis *b)
{
    double right = acos(0);
    for (unsigned j = 0; j < points; j++) {
        double u = 2 * asin(sqrt(at[j])) / right - 1;
        b->of[0][j] = 1;
        b->of[1][j] = u;
        b->of[2][j] = 1.5 * u * u - 0.5;
    }
}

static void curve_at(const struct basis *b, const struct share_curve *c, unsigned points,
                     double *out)
{
    for (unsigned j = 0; j < points; j++) {
        double x = 0;
        for (int m = 0; m < SHARE_CURVE; m++) {
            x += c->of[m] * b->of[m][j];
        }
        out[j] = 1 / (1 + exp(-x));
    }
}

static void add_cell(const struct basis *b, const double *curve, const double *density,
                     unsigned points, double weight, double share, struct score *s)
{
    double chance = 0, slope[SHARE_CURVE] = {0};
    for (unsigned j = 0; j < points; j++) {
        double w = density[j] * curve[j], bend = w * (1 - curve[j]);
        chance += w;
        for (int m = 0; m < SHARE_CURVE; m++) {
            slope[m] += bend * b->of[m][j];
        }
    }
    chance = fmin(1 - SHARE_LEAST, fmax(SHARE_LEAST, chance));
    double part = weight / (chance * (1 - chance));
    s->value += weight * (share * log(chance) + (1 - share) * log(1 - chance));
    for (int m = 0; m < SHARE_CURVE; m++) {
        s->first[m] += part * (share - chance) * slope[m];
        for (int i = 0; i <= m; i++) {
            s->info[m][i] += part * slope[m] * slope[i];
        }
    }
}

static void take_score(const struct share_cells *in, const struct basis *b, const double *share,
                       const struct share_curve *c, struct score *s)
{
    double curve[POINTS];
    *s = (struct score){.value = 0};
    curve_at(b, c, in->points, curve);
    for (size_t i = 0; i < in->n; i++) {
        if (in->weight[i] > 0) {
            add_cell(b, curve, in->density + i * in->points, in->points, in->weight[i], share[i],
                     s);
        }
    }
    for (int m = 0; m < SHARE_CURVE; m++) {
        s->value -= HOLD * c->of[m] * c->of[m] / 2;
        s->first[m] -= HOLD * c->of[m];
        s->info[m][m] += HOLD;
    }
}

/* x becomes the inverse of the information, which is positive definite, times the first derivatives
 * (Cholesky). */
static void solve(const struct score *s, double x[SHARE_CURVE])
{
    double root[SHARE_CURVE][SHARE_CURVE];
    for (int m = 0; m < SHARE_CURVE; m++) {
        x[m] = s->first[m];
        for (int i = 0; i <= m; i++) {
            double sum = s->info[m][i];
            for (int k = 0; k < i; k++) {
                sum -= root[m][k] * root[i][k];
            }
            root[m][i] = i == m ? sqrt(fmax(sum, 1e-12)) : sum / root[i][i];
        }
    }
    for (int m = 0; m < SHARE_CURVE; m++) {
        for (int i = 0; i < m; i++) {
            x[m] -= root[m][i] * x[i];
        }
        x[m] /= root[m][m];
    }
    for (int m = SHARE_CURVE; m-- > 0;) {
        for (int i = m + 1; i < SHARE_CURVE; i++) {
            x[m] -= root[i][m] * x[i];
        }
        x[m] /= root[m][m];
    }
}

/* Halves the step until it gains. False: none does. */
static bool advance(const struct share_cells *in, const struct basis *b, const double *share,
                    const double step[SHARE_CURVE], struct share_curve *c, struct score *s)
{
    double part = 1;
    for (int i = 0; i < HALVINGS; i++, part /= 2) {
        struct share_curve next;
        struct score there;
        for (int m = 0; m < SHARE_CURVE; m++) {
            next.of[m] = c->of[m] + part * step[m];
        }
        take_score(in, b, share, &next, &there);
        if (there.value >= s->value) {
            *c = next;
            *s = there;
            return true;
        }
    }
    return false;
}

void share_curve_fit(const struct share_cells *in, const double *share, unsigned steps,
                     struct share_curve *c)
{
    struct basis b;
    struct score s;
    double step[SHARE_CURVE], most = 1;
    BUG_IF(in->points > POINTS);
    make_basis(in->points, in->at, &b);
    take_score(in, &b, share, c, &s);
    for (unsigned i = 0; i < steps && most > STEP_DONE; i++) {
        solve(&s, step);
        most = 0;
        for (int m = 0; m < SHARE_CURVE; m++) {
            most = fmax(most, fabs(step[m]));
        }
        most = advance(in, &b, share, step, c, &s) ? most : 0;
    }
}

void share_curve_at(const struct share_curve *c, unsigned points, const double *at, double *out)
{
    struct basis b;
    BUG_IF(points > POINTS);
    make_basis(points, at, &b);
    curve_at(&b, c, points, out);
}
