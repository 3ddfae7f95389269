/* binomial.c - exact intervals of a proportion, and the incomplete beta function behind them. Pure
 * functions: no allocation, no state, nothing known of votes or models. */
#include "stats/binomial.h"

#include <float.h>
#include <math.h>

#include "base/err.h"
#include "stats/normal.h"

/* A continued fraction needs about sqrt(max(a, b)) steps near the mean; this is enough for
 * a + b = 1e11 and ends the loop for anything above. */
enum { LENTZ_STEPS = 2000000, NEWTON_STEPS = 100 };

static const double LOG_SQRT_2PI = 0.91893853320467274178;

/* ln(gamma(z + 1)) minus Stirling's formula. The series keeps the digits that a difference of two
 * large logarithms would lose. */
static double stirling_rest(double z)
{
    if (z < 16) {
        int sign;
        return lgamma_r(z + 1, &sign) - (z + 0.5) * log(z) + z - LOG_SQRT_2PI;
    }
    double q = 1 / (z * z);
    double tail = 1.0 / 1260 - q * (1.0 / 1680 - q * (1.0 / 1188 - q * 691.0 / 360360));
    return (1.0 / 12 - q * (1.0 / 360 - q * tail)) / z;
}

/* z ln(z / m) + m - z without cancellation near z = m (Loader 2000, "bd0"). */
static double deviance(double z, double m)
{
    double d = z - m;
    if (fabs(d) >= 0.1 * (z + m)) {
        return z * log(z / m) + m - z;
    }
    double v = d / (z + m), v2 = v * v, term = 2 * z * v, sum = d * v;
    for (int j = 3; j < 1000; j += 2) {
        term *= v2;
        double next = sum + term / j;
        if (next == sum) {
            break;
        }
        sum = next;
    }
    return sum;
}

/* What does not depend on x: computed once per (a, b), not once per Newton step. */
struct beta_shape {
    double a, b, rest, scale;
};

static struct beta_shape shape_of(double a, double b)
{
    struct beta_shape s = {.a = a, .b = b};
    s.rest = stirling_rest(a + b) - stirling_rest(a) - stirling_rest(b);
    s.scale = sqrt(a / (a + b) * b) * exp(-LOG_SQRT_2PI);
    return s;
}

/* x^a y^b / B(a, b) with y = 1 - x given apart, as the saddle-point form of the binomial density
 * (Loader 2000): its relative error does not grow with a + b. */
static double power_term(const struct beta_shape *s, double x, double y)
{
    double n = s->a + s->b;
    return s->scale * exp(s->rest - deviance(s->a, n * x) - deviance(s->b, n * y));
}

static double away_from_zero(double v)
{
    return fabs(v) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : v;
}

/* The continued fraction of I_x(a, b) by Lentz's method; converges fast for x < (a+1)/(a+b+2). */
static double lentz(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m <= LENTZ_STEPS; m++) {
        double m2 = 2.0 * m;
        double even = m * (b - m) * x / ((a + m2 - 1) * (a + m2));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        h *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        double step = d * c;
        h *= step;
        if (fabs(step - 1) < 2 * DBL_EPSILON) {
            break;
        }
    }
    return h;
}

/* I_x(a, b); *term gets x^a y^b / B(a, b), from which the density follows. */
static double inc(const struct beta_shape *s, double x, double *term)
{
    double a = s->a, b = s->b, y = 1 - x;
    *term = power_term(s, x, y);
    if (x < (a + 1) / (a + b + 2)) {
        return *term * lentz(a, b, x) / a;
    }
    return 1 - *term * lentz(b, a, y) / b;
}

double beta_inc(double a, double b, double x)
{
    BUG_IF(!(a > 0 && b > 0 && x >= 0 && x <= 1));
    if (x <= 0 || x >= 1) {
        return x <= 0 ? 0 : 1;
    }
    struct beta_shape s = shape_of(a, b);
    double term;
    return inc(&s, x, &term);
}

/* Where Newton starts: Abramowitz and Stegun 26.5.22 for a, b >= 1, else the power law of the
 * nearer end. */
static double inverse_start(double a, double b, double p)
{
    if (a >= 1 && b >= 1) {
        double z = -normal_quantile(p), ia = 1 / (2 * a - 1), ib = 1 / (2 * b - 1);
        double l = (z * z - 3) / 6, h = 2 / (ia + ib);
        double w = z * sqrt(h + l) / h - (ib - ia) * (l + 5.0 / 6 - 2 / (3 * h));
        double x = a / (a + b * exp(2 * w));
        if (h + l > 0 && x > 0 && x < 1) {
            return x;
        }
    }
    double left = exp(a * log(a / (a + b))) / a, right = exp(b * log(b / (a + b))) / b;
    double sum = left + right;
    return p < left / sum ? pow(a * sum * p, 1 / a) : 1 - pow(b * sum * (1 - p), 1 / b);
}

/* The next guess after x, where I_x = value. */
static double step_from(const struct beta_shape *s, double p, double x, double value, double term)
{
    /* Far down the left tail ln I is nearly a straight line over ln x. */
    if (value > 4 * p || value < p / 4) {
        return x * exp(log(p / value) * value * (1 - x) / term);
    }
    /* Halley's correction uses the density's own slope; it saves one step of three. */
    double u = (value - p) * x * (1 - x) / term;
    double slope = (s->a - 1) / x - (s->b - 1) / (1 - x);
    return x - u / (1 - 0.5 * fmin(1, fmax(-1, u * slope)));
}

double beta_inv(double a, double b, double p)
{
    BUG_IF(!(a > 0 && b > 0 && p >= 0 && p <= 1));
    if (p <= 0 || p >= 1) {
        return p <= 0 ? 0 : 1;
    }
    struct beta_shape s = shape_of(a, b);
    double lo = 0, hi = 1, x = inverse_start(a, b, p);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        if (!(x > lo && x < hi)) {
            x = lo + (hi - lo) / 2;
        }
        double term, value = inc(&s, x, &term);
        if (value < p) {
            lo = x;
        } else {
            hi = x;
        }
        if (value == p || hi - lo <= DBL_EPSILON * lo) {
            return x;
        }
        double next = step_from(&s, p, x, value, term);
        if (fabs(next - x) <= 1e-15 * x) {
            return x;
        }
        x = next;
    }
    return lo + (hi - lo) / 2;
}

struct interval binomial_clopper_pearson(int64_t k, int64_t n, double alpha)
{
    BUG_IF(k < 0 || k > n || !(alpha > 0 && alpha < 1));
    struct interval out = {0, 1};
    if (n == 0) {
        return out;
    }
    double kd = (double)k, nd = (double)n, half = alpha / 2;
    /* With k = 0 or k = n the quantile is a root, which needs no search. */
    if (k == n) {
        out.lo = exp(log(half) / nd);
    } else if (k > 0) {
        out.lo = beta_inv(kd, nd - kd + 1, half);
    }
    if (k == 0) {
        out.hi = -expm1(log(half) / nd);
    } else if (k < n) {
        out.hi = beta_inv(kd + 1, nd - kd, 1 - half);
    }
    return out;
}

struct proportion binomial_proportion(int64_t k, int64_t n)
{
    const struct interval i = binomial_clopper_pearson(k, n, 0.05);
    const double none = (double)NAN;
    return n ? (struct proportion){(double)k / (double)n, i.lo, i.hi} : (struct proportion){none, none, none};
}

struct interval binomial_wilson(int64_t k, int64_t n, double alpha)
{
    if (n == 0) {
        return (struct interval){0, 1};
    }
    double z = normal_quantile(1 - alpha / 2), m = (double)n, p = (double)k / m;
    double middle = (p + z * z / (2 * m)) / (1 + z * z / m);
    double half = z / (1 + z * z / m) * sqrt(p * (1 - p) / m + z * z / (4 * m * m));
    return (struct interval){k == 0 ? 0 : middle - half, k == n ? 1 : middle + half};
}

struct proportion proportion_difference(struct proportion a, struct proportion b)
{
    double d = a.value - b.value;
    return (struct proportion){d, d - hypot(a.value - a.lo, b.hi - b.value), d + hypot(a.hi - a.value, b.value - b.lo)};
}
