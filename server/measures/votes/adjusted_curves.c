/* adjusted_curves.c - how often models are right by true frequency, and the accuracies that follow
 * when images count by a weight of their true frequency: by the ratio of the densities, or by
 * whether it lies in a bin. */
#include <math.h>
#include <string.h>

#include "measures/votes/adjusted_private.h"

enum { CURVE_STEPS = 30, CURVE_AGAIN = 3 };

/* Where a frequency is on the scale on which points have equal shares, 0 to 1. */
static double angle_of(double frequency)
{
    return asin(sqrt(frequency)) / acos(0);
}

void adjusted_bins_make(unsigned points, const double *at, double in_bin[HISTOGRAM_BINS][ADJUSTED_POINTS])
{
    for (int b = 0; b < HISTOGRAM_BINS; b++) {
        double lo = angle_of((double)b / HISTOGRAM_BINS), hi = angle_of((b + 1.0) / HISTOGRAM_BINS);
        for (unsigned j = 0; j < points; j++) {
            double half = 0.5 / points, middle = angle_of(at[j]);
            double common = fmin(hi, middle + half) - fmax(lo, middle - half);
            in_bin[b][j] = fmin(1, fmax(0, common * points));
        }
    }
}

/* Accuracy on the images of a side, each counting as much as the mean of by[point] over its true
 * frequency, given its answers and whether the model is right; curve[point]: how often it is. NAN:
 * none counts. */
static double weighted(const struct counted_side *s, unsigned points, const double *curve,
                       const double *by)
{
    double right = 0, all = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        const double *d = s->density + i * points;
        double chance = 0, of_right = 0, of_all = 0;
        for (unsigned j = 0; j < points; j++) {
            double w = d[j] * curve[j];
            chance += w;
            of_right += w * by[j];
            of_all += d[j] * by[j];
        }
        double share = s->share[i];
        double when_right = share > 0 ? share * of_right / chance : 0;
        double when_wrong = share < 1 ? (1 - share) * (of_all - of_right) / (1 - chance) : 0;
        right += s->weight[i] * when_right;
        all += s->weight[i] * (when_right + when_wrong);
    }
    return all > 0 ? right / all : (double)NAN;
}

/* The curve of a model on a side, with which its figures are weighted. */
static void weigh_side(const struct adjusted_run *r, struct adjusted_counter *k, int side, size_t m, bool whole,
                       double *figures)
{
    struct counted_side *s = &k->side[side];
    const double *at;
    unsigned points = spread_points(r->spread[side], &at);
    const struct share_cells cells = {s->n_cells, points, at, s->weight, s->density};
    struct share_curve c = whole ? (struct share_curve){{0}} : r->curves[side][m];
    double curve[ADJUSTED_POINTS];
    for (size_t i = 0; i < s->n_cells; i++) {
        s->share[i] = fmin(1, s->right[m * s->room + i] / s->weight[i]);
    }
    share_curve_fit(&cells, s->share, whole ? CURVE_STEPS : CURVE_AGAIN, &c);
    share_curve_at(&c, points, at, curve);
    if (side == ADJUSTED_NEW) {
        figures[FIGURE_ADJUSTED] = weighted(s, points, curve, k->ratio);
    }
    for (int b = 0; b < HISTOGRAM_BINS; b++) {
        figures[figure_in(FIGURE_TRUE, side, b)] = weighted(s, points, curve, r->in_bin[b]);
    }
    if (whole) {
        r->curves[side][m] = c;
    }
}

void adjusted_weigh(const struct adjusted_run *r, struct adjusted_counter *k, bool whole,
                    double *figures)
{
    size_t n = r->in->n_models;
    double *mean = figures + n * FIGURES;
    for (size_t m = 0; m < n; m++) {
        double *f = figures + m * FIGURES;
        for (int side = 0; side < ADJUSTED_SIDES; side++) {
            weigh_side(r, k, side, m, whole, f);
        }
        for (int i = 0; i < FIGURES; i++) {
            mean[i] += f[i] / (double)n;
        }
    }
}
