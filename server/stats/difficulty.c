/* difficulty.c - the curve of solutions, and worlds in which the truth is known. */
#include "stats/difficulty.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "stats/cluster.h"
#include "stats/normal.h"
#include "stats/share_scale.h"

#define ALPHA 0.05
enum { MODELS_LEAST = 3 };

bool difficulty_solve(const struct line *l, double spread_original, struct difficulty_solution *out)
{
    double scale = sqrt(spread_original * spread_original + 1), left = scale / l->slope;
    if (!(l->slope > 0) || left < 1 || l->n < MODELS_LEAST) {
        return false;
    }
    double t = student_quantile((double)l->n - 2, 1 - ALPHA / 2), ratio = l->offset / l->slope;
    double of_slope = l->slope_error * l->slope_error, together = -l->mean_x * of_slope;
    double variance = (l->offset_error * l->offset_error + ratio * ratio * of_slope - 2 * ratio * together) / (l->slope * l->slope);
    double half = t * scale * sqrt(fmax(0, variance)), steep = l->slope + t * l->slope_error, flat = l->slope - t * l->slope_error;
    *out = (struct difficulty_solution){.spread_original = spread_original,
                                        .spread_new = sqrt(left * left - 1),
                                        .shift = -ratio * scale};
    out->shift_range = (struct interval){out->shift - half, out->shift + half};
    out->spread_range.lo = sqrt(fmax(0, scale / steep * (scale / steep) - 1));
    out->spread_range.hi = flat > 0 ? sqrt(scale / flat * (scale / flat) - 1) : INFINITY;
    return true;
}

/* Box and Muller. */
static double normal_draw(struct rng *r)
{
    double u = 1 - rng_unit(r), v = rng_unit(r);
    return sqrt(-2 * log(u)) * cos(4 * acos(0) * v);
}

static double skill(const struct difficulty_world *w, size_t model)
{
    return w->models > 1 ? 2 * (double)model / (double)(w->models - 1) : 1;
}

static void answer(const struct difficulty_world *w, double mean, double spread, struct rng *r, double *share)
{
    for (size_t i = 0; i < w->images; i++) {
        double difficulty = mean + spread * normal_draw(r);
        for (size_t m = 0; m < w->models; m++) {
            share[m] += rng_unit(r) < normal_cdf(skill(w, m) - difficulty) ? 1 / (double)w->images : 0;
        }
    }
}

bool difficulty_simulate(const struct difficulty_world *w, struct line *out)
{
    double *x = xcalloc(w->models + 1, sizeof *x), *y = xcalloc(w->models + 1, sizeof *y);
    struct rng r;
    size_t n = 0;
    rng_seed(&r, w->seed);
    answer(w, 0, w->spread_original, &r, x);
    answer(w, w->shift, w->spread_new, &r, y);
    for (size_t m = 0; m < w->models; m++) {
        double a = fmin(x[m], 1), b = fmin(y[m], 1);
        if (share_scale_takes(SHARE_PROBIT, a) && share_scale_takes(SHARE_PROBIT, b)) {
            x[n] = normal_quantile(a);
            y[n++] = normal_quantile(b);
        }
    }
    bool fitted = n >= MODELS_LEAST && line_fit(x, y, n, out);
    free(x);
    free(y);
    return fitted;
}
