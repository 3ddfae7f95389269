/* line.c - sums of deviations from the means, in the order of the points. */
#include "stats/line.h"

#include <math.h>

#include "base/err.h"
#include "stats/cluster.h"

static bool all_equal(const double *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (v[i] != v[0]) {
            return false;
        }
    }
    return true;
}

static double mean(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i];
    }
    return sum / (double)n;
}

/* What a residual leaves is taken from the residuals themselves: a difference of sums would lose its digits where the
 * points lie close to the line. */
static double squares_left(const struct line *l, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < l->n; i++) {
        double e = y[i] - line_value(l, x[i]);
        sum += e * e;
    }
    return sum;
}

bool line_fit(const double *x, const double *y, size_t n, struct line *out)
{
    if (n < 2 || all_equal(x, n)) {
        return false;
    }
    double mx = mean(x, n), my = mean(y, n), sxx = 0, sxy = 0, syy = 0;
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] - mx, dy = y[i] - my;
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
    }
    *out = (struct line){.n = n, .slope = sxy / sxx, .mean_x = mx, .sxx = sxx};
    out->offset = my - out->slope * mx;
    out->r = all_equal(y, n) ? (double)NAN : sxy / sqrt(sxx * syy);
    out->spread = n > 2 ? sqrt(squares_left(out, x, y) / (double)(n - 2)) : (double)NAN;
    out->slope_error = out->spread / sqrt(sxx);
    out->offset_error = out->spread * sqrt(1 / (double)n + mx * mx / sxx);
    return true;
}

double line_value(const struct line *l, double x)
{
    return l->slope * x + l->offset;
}

struct interval line_band(const struct line *l, double x, double alpha)
{
    BUG_IF(l->n < 3);
    double away = x - l->mean_x, value = line_value(l, x);
    double half = student_quantile((double)(l->n - 2), 1 - alpha / 2) * l->spread *
                  sqrt(1 / (double)l->n + away * away / l->sxx);
    return (struct interval){value - half, value + half};
}

struct interval line_slope_range(const struct line *l, double alpha)
{
    BUG_IF(l->n < 3);
    double half = student_quantile((double)(l->n - 2), 1 - alpha / 2) * l->slope_error;
    return (struct interval){l->slope - half, l->slope + half};
}

/* What is left of u^2 when its own mean and its own line on u are taken off: orthogonal to both, so that its
 * coefficient is the parabola's and needs no system of equations (Forsythe 1957). */
struct curve {
    double mean_square, skew; /* mean of u^2; sum of u^3 over sum of u^2 */
};

static double curve_at(const struct curve *c, double u)
{
    return u * u - c->mean_square - c->skew * u;
}

bool line_bend(const struct line *l, const double *x, const double *y, double alpha, struct line_bend *out)
{
    double cubes = 0, fourths = 0, squares = 0, product = 0, left = 0;
    for (size_t i = 0; i < l->n; i++) {
        double u = x[i] - l->mean_x;
        cubes += u * u * u;
        fourths += u * u * u * u;
    }
    const struct curve c = {l->sxx / (double)l->n, cubes / l->sxx};
    for (size_t i = 0; i < l->n; i++) {
        double v = curve_at(&c, x[i] - l->mean_x);
        squares += v * v;
        product += v * (y[i] - line_value(l, x[i]));
    }
    /* Of two different x only rounding is left. */
    if (l->n < 4 || squares <= 1e-20 * fourths) {
        return false;
    }
    out->term = product / squares;
    for (size_t i = 0; i < l->n; i++) {
        double e = y[i] - line_value(l, x[i]) - out->term * curve_at(&c, x[i] - l->mean_x);
        left += e * e;
    }
    double df = (double)(l->n - 3);
    out->error = sqrt(left / df / squares);
    double half = student_quantile(df, 1 - alpha / 2) * out->error;
    out->range = (struct interval){out->term - half, out->term + half};
    return true;
}
