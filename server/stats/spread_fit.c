/* spread_fit.c - the search for the most likely spread: Newton's method, damped as by Levenberg and
 * Marquardt so that every step gains. The tilts of the classes are eliminated one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "stats/spread_private.h"

enum { CURVE = SPREAD_CURVE, COMMON = SPREAD_COMMON };
enum { STEPS_MOST = 80, WIDTH_STEPS = 15 };
#define STEP_DONE 1e-3
#define STEP_MOST 8.0 /* further away the second derivatives say nothing */
#define DAMPING_MOST 1e9
#define WIDTH_LEAST 0.02
#define WIDTH_MOST 3.0

/* How strongly coefficients are held at 0: a few images' worth, for directions that the answers do
 * not show. The tilts of classes are held by how much classes are found to differ. */
static const double hold[COMMON] = {1e-3, 0.1, 10, 10, 10, 10, 10, 10, 0.02, 0.02, 0.02};

/* The logarithm of the likelihood and its derivatives. */
struct slope {
    double value, first[COMMON], *tilt_first; /* [class] */
    struct spread_square second;              /* minus the second derivatives */
    struct spread_arrow arrow;                /* likewise */
};
/* Weights of the points, summed over images with the same word of the review. Their pushes are the
 * same, so second moments are taken of the sums. */
struct weights {
    double of[SPREAD_REVIEWS][SPREAD_GRID_MOST];
};

/* ---- derivatives ---- */

static unsigned pushes(enum spread_review review)
{
    return review == SPREAD_UNSEEN ? CURVE : COMMON;
}

/* Minus the sum of weights times pushes m and i. The chance to be kept is no exponential of its
 * coefficients, so its second derivative has a part of its own. */
static double second_of(const struct spread *s, const struct weights *w, unsigned m, unsigned i)
{
    double sum = 0;
    for (int review = 0; review < SPREAD_REVIEWS; review++) {
        enum spread_review of = (enum spread_review)review;
        if (m >= pushes(of) || i >= pushes(of)) {
            continue;
        }
        const double *one = spread_push(s, of, m), *other = spread_push(s, of, i);
        for (unsigned j = 0; j < s->grid; j++) {
            sum -= w->of[of][j] * one[j] * other[j];
        }
        for (unsigned j = 0; m >= CURVE && i >= CURVE && j < s->grid; j++) {
            sum += w->of[of][j] * s->kept[j] * (1 - s->kept[j]) * s->review[m - CURVE][j] *
                   s->review[i - CURVE][j];
        }
    }
    return sum;
}

/* The sum of weights times pushes m: a first derivative. */
static double first_of(const struct spread *s, const struct weights *w, unsigned m)
{
    double sum = 0;
    for (int review = 0; review < SPREAD_REVIEWS; review++) {
        enum spread_review of = (enum spread_review)review;
        const double *push = m < pushes(of) ? spread_push(s, of, m) : NULL;
        for (unsigned j = 0; push && j < s->grid; j++) {
            sum += w->of[of][j] * push[j];
        }
    }
    return sum;
}

/* `images` with these weights, which sum to 1: the part of the second derivatives that is no sum of
 * weights, and the sum of weights. */
static void add_weights(const struct spread *s, const double *w, enum spread_review review,
                        double images, uint32_t c, bool curved, struct weights *sum,
                        struct slope *t)
{
    double first[COMMON] = {0};
    for (unsigned j = 0; j < s->grid; j++) {
        sum->of[review][j] += images * w[j];
    }
    for (unsigned m = 0; curved && m < pushes(review); m++) {
        const double *push = spread_push(s, review, m);
        for (unsigned j = 0; j < s->grid; j++) {
            first[m] += w[j] * push[j];
        }
    }
    for (unsigned m = 0; curved && m < pushes(review); m++) {
        t->arrow.cross[c][m] += images * first[0] * first[m];
        for (unsigned i = 0; i <= m; i++) {
            t->second.at[m][i] += images * first[m] * first[i];
        }
    }
}

static void add_class(struct spread *s, const struct spread_cells *in, uint32_t c, bool curved,
                      struct weights *all, struct slope *t)
{
    struct weights sum = {{{0}}};
    double w[SPREAD_GRID_MOST], images = 0;
    spread_density(s, c);
    for (size_t i = in->from[c]; i < in->from[c + 1]; i++) {
        const struct spread_cell *cell = &in->cells[i];
        double chance = spread_weights(s, cell, w);
        t->value += curved ? cell->count * log(chance) : 0;
        add_weights(s, w, cell->review, cell->count, c, curved, &sum, t);
        images += cell->count;
    }
    add_weights(s, s->density, SPREAD_UNSEEN, -images, c, curved, &sum, t);
    t->tilt_first[c] = first_of(s, &sum, 0);
    for (unsigned m = 0; curved && m < COMMON; m++) {
        t->arrow.cross[c][m] += second_of(s, &sum, 0, m);
    }
    t->arrow.own[c] = t->arrow.cross[c][0];
    for (unsigned r = 0; r < SPREAD_REVIEWS; r++) {
        for (unsigned j = 0; j < s->grid; j++) {
            all->of[r][j] += sum.of[r][j];
        }
    }
}

/* What the holds take off, and its derivatives by the tilt of a class. */
static void hold_class(const struct spread *s, uint32_t c, struct slope *t)
{
    double weight = 1 / (s->width * s->width);
    t->value -= weight * s->tilt[c] * s->tilt[c] / 2;
    t->tilt_first[c] -= weight * s->tilt[c];
    t->arrow.own[c] += weight;
}

static void take_slope(struct spread *s, const struct spread_cells *in, bool curved,
                       struct slope *t)
{
    struct weights all = {{{0}}};
    t->value = 0;
    memset(&t->second, 0, sizeof t->second);
    memset(t->arrow.own, 0, s->n_classes * sizeof *t->arrow.own);
    memset(t->arrow.cross, 0, s->n_classes * sizeof *t->arrow.cross);
    spread_kept(s);
    for (uint32_t c = 0; c < s->n_classes; c++) {
        add_class(s, in, c, curved, &all, t);
        hold_class(s, c, t);
    }
    for (unsigned m = 0; m < COMMON; m++) {
        for (unsigned i = 0; curved && i <= m; i++) {
            t->second.at[m][i] += second_of(s, &all, m, i);
            t->second.at[i][m] = t->second.at[m][i];
        }
        t->value -= hold[m] * s->common[m] * s->common[m] / 2;
        t->first[m] = first_of(s, &all, m) - hold[m] * s->common[m];
        t->second.at[m][m] += hold[m];
    }
}

static void slope_new(struct slope *t, uint32_t n_classes)
{
    t->tilt_first = xcalloc((size_t)n_classes + 1, sizeof *t->tilt_first);
    t->arrow.own = xcalloc((size_t)n_classes + 1, sizeof *t->arrow.own);
    t->arrow.cross = xcalloc((size_t)n_classes + 1, sizeof *t->arrow.cross);
}

static void slope_free(struct slope *t)
{
    free(t->tilt_first);
    free(t->arrow.own);
    free(t->arrow.cross);
}

/* ---- steps ---- */

/* False: not positive definite. */
static bool cholesky(const struct spread_square *from, struct spread_square *out)
{
    for (unsigned a = 0; a < COMMON; a++) {
        for (unsigned b = 0; b <= a; b++) {
            double x = from->at[a][b];
            for (unsigned i = 0; i < b; i++) {
                x -= out->at[a][i] * out->at[b][i];
            }
            if (a == b && !(x > 1e-12)) {
                return false;
            }
            out->at[a][b] = a == b ? sqrt(x) : x / out->at[b][b];
        }
    }
    return true;
}

/* x becomes the inverse of root * root' times x. */
static void spread_solve(const struct spread_square *root, double *x)
{
    for (unsigned a = 0; a < COMMON; a++) {
        for (unsigned i = 0; i < a; i++) {
            x[a] -= root->at[a][i] * x[i];
        }
        x[a] /= root->at[a][a];
    }
    for (unsigned a = COMMON; a-- > 0;) {
        for (unsigned i = a + 1; i < COMMON; i++) {
            x[a] -= root->at[i][a] * x[i];
        }
        x[a] /= root->at[a][a];
    }
}

static double damped(double x, double damping)
{
    return x + damping * (fabs(x) + 1);
}

/* Eliminates the tilts and makes the root, with damped diagonals. False: the likelihood bends the
 * wrong way here. */
static bool reduce(struct slope *t, uint32_t n_classes, double damping)
{
    struct spread_square left = t->second;
    for (uint32_t c = 0; c < n_classes; c++) {
        double own = damped(t->arrow.own[c], damping);
        if (!(own > 1e-9)) {
            return false;
        }
        for (unsigned a = 0; a < COMMON; a++) {
            for (unsigned b = 0; b <= a; b++) {
                left.at[a][b] -= t->arrow.cross[c][a] * t->arrow.cross[c][b] / own;
            }
        }
    }
    for (unsigned a = 0; a < COMMON; a++) {
        left.at[a][a] += damped(t->second.at[a][a], damping) - t->second.at[a][a];
    }
    return cholesky(&left, &t->arrow.root);
}

/* Puts `s` a step of Newton's away from `from`, where the first derivatives are those of `t`. Gives
 * the largest part of the step. */
static double move(struct spread *s, const struct spread *from, const struct slope *t,
                   const struct spread_arrow *arrow, double damping)
{
    double x[COMMON], most = 0;
    memcpy(x, t->first, sizeof x);
    for (uint32_t c = 0; c < s->n_classes; c++) {
        for (unsigned a = 0; a < COMMON; a++) {
            x[a] -= arrow->cross[c][a] * t->tilt_first[c] / damped(arrow->own[c], damping);
        }
    }
    spread_solve(&arrow->root, x);
    for (unsigned a = 0; a < COMMON; a++) {
        s->common[a] = from->common[a] + x[a];
        most = fmax(most, fabs(x[a]));
    }
    for (uint32_t c = 0; c < s->n_classes; c++) {
        double step = t->tilt_first[c];
        for (unsigned a = 0; a < COMMON; a++) {
            step -= arrow->cross[c][a] * x[a];
        }
        step /= damped(arrow->own[c], damping);
        s->tilt[c] = from->tilt[c] + step;
        most = fmax(most, fabs(step));
    }
    return most;
}

/* How much classes differ: what their tilts show and what they leave open. The slope follows, so
 * that steps gain by one measure. Gives the share by which it changed. */
static double take_width(struct spread *s, struct slope *t)
{
    double before = s->width, sum = 0;
    for (uint32_t c = 0; c < s->n_classes; c++) {
        sum += s->tilt[c] * s->tilt[c] + 1 / t->arrow.own[c];
    }
    s->width = fmin(WIDTH_MOST, fmax(WIDTH_LEAST, sqrt(sum / s->n_classes)));
    double more = 1 / (s->width * s->width) - 1 / (before * before);
    for (uint32_t c = 0; c < s->n_classes; c++) {
        t->value -= more * s->tilt[c] * s->tilt[c] / 2;
        t->tilt_first[c] -= more * s->tilt[c];
        t->arrow.own[c] += more;
    }
    return fabs(s->width - before) / before;
}

static void take_place(struct spread *s, const struct spread *of)
{
    memcpy(s->common, of->common, sizeof s->common);
    memcpy(s->tilt, of->tilt, s->n_classes * sizeof *s->tilt);
    s->width = of->width;
}

static void swap(struct slope *a, struct slope *b)
{
    struct slope other = *a;
    *a = *b;
    *b = other;
}

/* Ends with the slope of the last place in `here`. */
static bool climb(struct spread *s, struct spread *next, const struct spread_cells *in,
                  struct slope *here, struct slope *there)
{
    double damping = 0.01;
    take_slope(s, in, true, here);
    for (int i = 0; i < STEPS_MOST && damping < DAMPING_MOST; i++) {
        bool gains = reduce(here, s->n_classes, damping);
        double moved = 0, wider = 0;
        if (gains) {
            next->width = s->width;
            moved = move(next, s, here, &here->arrow, damping);
            gains = moved <= STEP_MOST;
        }
        if (gains) {
            take_slope(next, in, true, there);
            gains = there->value >= here->value - 1e-9 * fabs(here->value);
        }
        if (!gains) {
            damping = damping * 8 + 1e-3;
            continue;
        }
        take_place(s, next);
        swap(here, there);
        wider = i < WIDTH_STEPS ? take_width(s, here) : 0;
        damping = damping < 1e-6 ? 0 : damping / 8;
        if (moved < STEP_DONE && wider < 0.02) {
            return reduce(here, s->n_classes, 0);
        }
    }
    return false;
}

bool spread_fit(struct spread *s, const struct spread_cells *in)
{
    struct slope here, there;
    struct spread next = *s; /* with the tables of `s` */
    if (s->n_classes == 0) {
        return false;
    }
    memset(s->common, 0, sizeof s->common);
    memset(s->tilt, 0, s->n_classes * sizeof *s->tilt);
    s->width = 1;
    next.tilt = xcalloc(s->n_classes, sizeof *next.tilt);
    slope_new(&here, s->n_classes);
    slope_new(&there, s->n_classes);
    bool top = climb(s, &next, in, &here, &there);
    if (top) {
        s->top.root = here.arrow.root;
        memcpy(s->top.own, here.arrow.own, s->n_classes * sizeof *s->top.own);
        memcpy(s->top.cross, here.arrow.cross, s->n_classes * sizeof *s->top.cross);
    }
    spread_kept(s);
    slope_free(&here);
    slope_free(&there);
    free(next.tilt);
    return top;
}

void spread_step(struct spread *s, const struct spread *whole, const struct spread_cells *in)
{
    struct slope here;
    slope_new(&here, s->n_classes);
    take_place(s, whole);
    take_slope(s, in, false, &here);
    move(s, whole, &here, &whole->top, 0);
    spread_kept(s);
    slope_free(&here);
}
