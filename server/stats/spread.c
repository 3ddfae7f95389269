/* spread.c - the grid, the densities on it, and what the answers of an image say. */
#include "stats/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "stats/spread_private.h"

enum { GRID_LEAST = 40 };

/* ---- the grid ---- */

static double mean_product(const struct spread *s, const double *a, const double *b)
{
    double sum = 0;
    for (unsigned j = 0; j < s->grid; j++) {
        sum += a[j] * (b ? b[j] : 1);
    }
    return sum / s->grid;
}

/* Takes out of a row what those before it hold, and scales it to a variance of 1. */
static void make_orthonormal(struct spread *s, unsigned row)
{
    double *x = s->curve[row], mean = mean_product(s, x, NULL);
    for (unsigned j = 0; j < s->grid; j++) {
        x[j] -= mean;
    }
    for (unsigned m = 0; m < row; m++) {
        double part = mean_product(s, x, s->curve[m]);
        for (unsigned j = 0; j < s->grid; j++) {
            x[j] -= part * s->curve[m][j];
        }
    }
    double scale = 1 / sqrt(mean_product(s, x, x));
    for (unsigned j = 0; j < s->grid; j++) {
        x[j] *= scale;
    }
}

static double legendre(unsigned degree, double u)
{
    double before = 1, at = u;
    for (unsigned d = 2; d <= degree; d++) {
        double next = ((2 * d - 1) * u * at - (d - 1) * before) / d;
        before = at;
        at = next;
    }
    return degree ? at : 1;
}

/* Points lie evenly on the scale where k of n answers are equally sharp everywhere, arcsin sqrt p.
 * Any coefficients of logit p and log p(1 - p) make a beta distribution. */
static void make_grid(struct spread *s)
{
    double right = acos(0);
    for (unsigned j = 0; j < s->grid; j++) {
        double at = (j + 0.5) / s->grid, root = sin(right * at), rest = cos(right * at);
        s->p[j] = root * root;
        s->log_p[j] = 2 * log(root);
        s->log_q[j] = 2 * log(rest);
        s->curve[0][j] = s->log_p[j] - s->log_q[j];
        s->curve[1][j] = s->log_p[j] + s->log_q[j];
        for (unsigned m = 2; m < SPREAD_CURVE; m++) {
            s->curve[m][j] = legendre(m, 2 * at - 1);
        }
        for (unsigned m = 0; m < SPREAD_REVIEW; m++) {
            s->review[m][j] = legendre(m, 2 * at - 1);
        }
    }
    for (unsigned m = 0; m < SPREAD_CURVE; m++) {
        make_orthonormal(s, m);
    }
}

static size_t kinds(unsigned shown)
{
    return (size_t)(shown + 1) * (shown + 2) / 2;
}

/* Two points and more for each standard deviation of the sharpest answers. */
struct spread *spread_new(uint32_t n_classes, unsigned shown)
{
    struct spread *s = xcalloc(1, sizeof *s);
    BUG_IF(shown > SPREAD_SHOWN_MOST);
    unsigned grid = (unsigned)(7 * sqrt(shown));
    s->n_classes = n_classes;
    s->shown_most = shown;
    s->grid = grid < GRID_LEAST ? GRID_LEAST : grid > SPREAD_GRID_MOST ? SPREAD_GRID_MOST : grid;
    s->chance = xcalloc(kinds(shown), sizeof *s->chance);
    s->tilt = xcalloc((size_t)n_classes + 1, sizeof *s->tilt);
    s->top.own = xcalloc((size_t)n_classes + 1, sizeof *s->top.own);
    s->top.cross = xcalloc((size_t)n_classes + 1, sizeof *s->top.cross);
    for (unsigned i = 1; i <= shown; i++) {
        s->log_factorial[i] = s->log_factorial[i - 1] + log(i);
    }
    make_grid(s);
    return s;
}

void spread_free(struct spread *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < kinds(s->shown_most); i++) {
        free(s->chance[i]);
    }
    free(s->chance);
    free(s->tilt);
    free(s->top.own);
    free(s->top.cross);
    free(s);
}

static const double *chances(struct spread *s, uint32_t n, uint32_t k)
{
    BUG_IF(n > s->shown_most || k > n);
    double **row = &s->chance[(size_t)n * (n + 1) / 2 + k];
    if (!*row) {
        double ways = s->log_factorial[n] - s->log_factorial[k] - s->log_factorial[n - k];
        *row = xcalloc(s->grid, sizeof **row);
        for (unsigned j = 0; j < s->grid; j++) {
            (*row)[j] = exp(ways + k * s->log_p[j] + (n - k) * s->log_q[j]);
        }
    }
    return *row;
}

/* ---- densities ---- */

void spread_kept(struct spread *s)
{
    for (unsigned j = 0; j < s->grid; j++) {
        double x = 0;
        for (unsigned m = 0; m < SPREAD_REVIEW; m++) {
            x += s->common[SPREAD_CURVE + m] * s->review[m][j];
        }
        s->kept[j] = 1 / (1 + exp(-x));
        for (unsigned m = 0; m < SPREAD_REVIEW; m++) {
            s->push[0][m][j] = -s->kept[j] * s->review[m][j];
            s->push[1][m][j] = (1 - s->kept[j]) * s->review[m][j];
        }
    }
}

void spread_density(struct spread *s, uint32_t class_index)
{
    double most = -INFINITY, sum = 0;
    for (unsigned j = 0; j < s->grid; j++) {
        double x = s->tilt[class_index] * s->curve[0][j];
        for (unsigned m = 0; m < SPREAD_CURVE; m++) {
            x += s->common[m] * s->curve[m][j];
        }
        s->density[j] = x;
        most = fmax(most, x);
    }
    for (unsigned j = 0; j < s->grid; j++) {
        s->density[j] = exp(s->density[j] - most);
        sum += s->density[j];
    }
    for (unsigned j = 0; j < s->grid; j++) {
        s->density[j] /= sum;
    }
}

double spread_weights(struct spread *s, const struct spread_cell *image, double *w)
{
    const double *chance = chances(s, image->shown, image->selected);
    double sum = 1e-300;
    for (unsigned j = 0; j < s->grid; j++) {
        double review = image->review == SPREAD_KEPT      ? s->kept[j]
                        : image->review == SPREAD_REMOVED ? 1 - s->kept[j]
                                                          : 1;
        w[j] = s->density[j] * chance[j] * review;
        sum += w[j];
    }
    for (unsigned j = 0; j < s->grid; j++) {
        w[j] /= sum;
    }
    return sum;
}

/* ---- what answers say ---- */

static double mean_of(struct spread *s, const struct spread_cell *image, double *variance)
{
    double w[SPREAD_GRID_MOST], mean = 0, squares = 0;
    spread_weights(s, image, w);
    for (unsigned j = 0; j < s->grid; j++) {
        mean += w[j] * s->p[j];
        squares += w[j] * s->p[j] * s->p[j];
    }
    *variance = fmax(0, squares - mean * mean);
    return mean;
}

struct spread_image spread_of_image(struct spread *s, uint32_t class_index,
                                    const struct spread_cell *image)
{
    struct spread_image out;
    spread_density(s, class_index);
    out.mean = mean_of(s, image, &out.variance);
    out.shown = 0;
    if (image->selected && image->selected < image->shown) {
        struct spread_cell no_tick = *image, no_blank = *image;
        double n = image->shown, k = image->selected, unused;
        no_tick.shown = no_blank.shown = image->shown - 1;
        no_tick.selected--;
        double apart = mean_of(s, &no_blank, &unused) - mean_of(s, &no_tick, &unused);
        out.shown = fmin(out.variance, (n - 1) / n * k * (n - k) / n * apart * apart);
    }
    return out;
}

unsigned spread_points(const struct spread *s, const double **p)
{
    *p = s->p;
    return s->grid;
}

void spread_of_class(struct spread *s, uint32_t class_index)
{
    spread_density(s, class_index);
}

void spread_image_weights(struct spread *s, const struct spread_cell *image, double *w)
{
    spread_weights(s, image, w);
}
