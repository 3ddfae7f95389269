/* share_curve_test.c - curves that are known, from exact shares and densities. */
#include "unit.h"

#include <math.h>

#include "stats/share_curve.h"

enum { CELLS = 40, POINTS = 40 };

struct known {
    double at[POINTS], density[CELLS * POINTS], weight[CELLS], share[CELLS];
    struct share_cells in;
};

/* Every cell is spread over a few neighbouring points; its share is the mean of the curve over them. */
static void make(struct known *k, const struct share_curve *c)
{
    double curve[POINTS];
    for (int j = 0; j < POINTS; j++) {
        double x = sin(acos(0) * (j + 0.5) / POINTS);
        k->at[j] = x * x;
    }
    share_curve_at(c, POINTS, k->at, curve);
    for (int i = 0; i < CELLS; i++) {
        double sum = 0;
        k->weight[i] = 1000;
        k->share[i] = 0;
        for (int j = 0; j < POINTS; j++) {
            k->density[i * POINTS + j] = exp(-(i - j) * (i - j) / 18.0);
            sum += k->density[i * POINTS + j];
        }
        for (int j = 0; j < POINTS; j++) {
            k->density[i * POINTS + j] /= sum;
            k->share[i] += k->density[i * POINTS + j] * curve[j];
        }
    }
    k->in = (struct share_cells){CELLS, POINTS, k->at, k->weight, k->density};
}

TEST(a_curve_is_found_again)
{
    const struct share_curve known = {{0.4, 1.3, -0.6}};
    struct share_curve c = {{0}};
    struct known k;
    make(&k, &known);
    share_curve_fit(&k.in, k.share, 50, &c);
    for (int m = 0; m < SHARE_CURVE; m++) {
        assert_true(fabs(c.of[m] - known.of[m]) < 1e-3);
    }
}

TEST(all_or_none_stay_finite)
{
    struct share_curve c = {{0}};
    struct known k;
    double curve[POINTS];
    make(&k, &c);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < CELLS; i++) {
            k.share[i] = turn;
        }
        share_curve_fit(&k.in, k.share, 50, &c);
        share_curve_at(&c, POINTS, k.at, curve);
        for (int j = 0; j < POINTS; j++) {
            assert_true(isfinite(curve[j]) && fabs(curve[j] - turn) < 0.01);
        }
    }
}

TEST(no_cells_change_nothing)
{
    struct share_curve c = {{0}};
    struct known k;
    make(&k, &c);
    k.in.n = 0;
    share_curve_fit(&k.in, k.share, 50, &c);
    assert_true(c.of[0] == 0 && c.of[1] == 0 && c.of[2] == 0);
}
