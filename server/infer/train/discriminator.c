/* discriminator.c - weighted ridge regression on set membership, each fold scored by a model made without it. */
#include "infer/train/discriminator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "infer/train/private.h"
#include "linalg/matrix.h"

/* The features' variances are 1: shrinkage from hardly any to nearly all. */
static const double lambdas_tried[] = {0.001, 0.01, 0.1, 1, 10, 100};
enum { LAMBDAS = sizeof lambdas_tried / sizeof *lambdas_tried, NO_FOLD = DISCRIMINATOR_FOLDS };

struct fitting {
    const struct discriminator_images *s;
    const struct train_watch *watch;
    float *rows;           /* of the training part: sqrt(w) x */
    double *weights;       /* of all images: 0 outside the training part, else w */
    size_t *counts;        /* of each class: originals, new images of the training part */
    struct train_moments m;
    double *mean, *right;  /* m, and sum w y x / W - m times the mean of y, which is 0 */
    double *room, *beta;
    double total;          /* W */
    double (*loss)[LAMBDAS]; /* of each fold that is held out: over the other folds */
    size_t done, all;
};

/* ---- a training part ---- */

static bool is_held_out(const struct fitting *f, size_t i, unsigned one, unsigned other)
{
    return f->s->folds[i] == one || f->s->folds[i] == other;
}

/* w of every image; false when there is nothing to learn from. */
static bool weigh(struct fitting *f, unsigned one, unsigned other)
{
    const struct discriminator_images *s = f->s;
    memset(f->counts, 0, 2 * s->n_classes * sizeof *f->counts);
    f->total = 0;
    for (size_t i = 0; i < s->n; i++) {
        f->counts[2 * s->classes[i] + s->fresh[i]] += !is_held_out(f, i, one, other);
    }
    for (size_t i = 0; i < s->n; i++) {
        const size_t *of = &f->counts[2 * s->classes[i]];
        size_t least = of[0] < of[1] ? of[0] : of[1];
        f->weights[i] = is_held_out(f, i, one, other) ? 0 : (double)least / (double)of[s->fresh[i]];
        f->total += f->weights[i];
    }
    return f->total > 0;
}

static double target_of(const struct discriminator_images *s, size_t i)
{
    return s->fresh[i] ? 1 : -1;
}

/* Sums of w x and w y x, and the rows that teach, each times sqrt(w). */
static size_t gather(struct fitting *f)
{
    const struct discriminator_images *s = f->s;
    size_t n = 0;
    memset(f->mean, 0, s->width * sizeof *f->mean);
    memset(f->right, 0, s->width * sizeof *f->right);
    for (size_t i = 0; i < s->n; i++) {
        double w = f->weights[i], root = sqrt(w), y = target_of(s, i);
        if (w <= 0) {
            continue;
        }
        const float *x = s->rows + i * s->width;
        float *to = f->rows + n++ * s->width;
        for (size_t k = 0; k < s->width; k++) {
            to[k] = (float)(root * (double)x[k]);
            f->mean[k] += w * (double)x[k] / f->total;
            f->right[k] += w * y * (double)x[k] / f->total;
        }
    }
    return n;
}

/* sum w x x' / W - m m', upper triangle, in m.products. */
static void make_covariance(struct fitting *f, size_t n)
{
    size_t width = f->s->width;
    const struct train_rows rows = {.at = f->rows, .n = n, .width = width};
    uint32_t *labels = xcalloc(n + 1, sizeof *labels);
    memset(f->m.products, 0, width * width * sizeof *f->m.products);
    train_moments_add(&f->m, &rows, labels, 0, n, 1, f->s->threads);
    for (size_t i = 0; i < width; i++) {
        double *row = f->m.products + i * width;
        for (size_t k = i; k < width; k++) {
            row[k] = row[k] / f->total - f->mean[i] * f->mean[k];
        }
    }
    free(labels);
}

/* What is learned from all images but those of two folds (other NO_FOLD: of one). */
static enum err_code learn(struct fitting *f, unsigned one, unsigned other, struct err *err)
{
    enum err_code rc = train_stopped(f->watch, err);
    train_say(f->watch, "training", f->done++, f->all);
    if (rc != OK) {
        return rc;
    }
    if (!weigh(f, one, other)) {
        return err_rule(err, ERR_INPUT, "discriminator-folds",
                        "Too few images: without one or two of the folds no class has images of both sets. Use fewer folds or more "
                        "images");
    }
    make_covariance(f, gather(f));
    return OK;
}

static enum err_code solve(struct fitting *f, double lambda, struct err *err)
{
    size_t width = f->s->width;
    memcpy(f->room, f->m.products, width * width * sizeof *f->room);
    memcpy(f->beta, f->right, width * sizeof *f->beta);
    return matrix_solve_ridge(f->room, width, lambda, f->beta, 1, err);
}

static double score_of(const struct fitting *f, size_t i)
{
    const float *x = f->s->rows + i * f->s->width;
    double sum = 0;
    for (size_t k = 0; k < f->s->width; k++) {
        sum += f->beta[k] * ((double)x[k] - f->mean[k]);
    }
    return sum;
}

/* ---- choosing and scoring ---- */

/* Both sets count the same in the loss: otherwise a fold with more of one of them would like models that say so. */
static double loss_on(const struct fitting *f, unsigned fold)
{
    double sums[2] = {0};
    size_t n[2] = {0};
    for (size_t i = 0; i < f->s->n; i++) {
        if (f->s->folds[i] == fold) {
            double d = score_of(f, i) - target_of(f->s, i);
            sums[f->s->fresh[i]] += d * d;
            n[f->s->fresh[i]]++;
        }
    }
    return (n[0] ? sums[0] / (double)n[0] : 0) + (n[1] ? sums[1] / (double)n[1] : 0);
}

static enum err_code try_pair(struct fitting *f, unsigned one, unsigned other, struct err *err)
{
    enum err_code rc = learn(f, one, other, err);
    for (size_t l = 0; l < LAMBDAS && rc == OK; l++) {
        rc = solve(f, lambdas_tried[l], err);
        if (rc == OK) {
            f->loss[one][l] += loss_on(f, other);
            f->loss[other][l] += loss_on(f, one);
        }
    }
    return rc;
}

/* The least loss; of equals the strongest shrinkage. */
static double best_lambda(const double *loss)
{
    size_t best = LAMBDAS - 1;
    for (size_t l = LAMBDAS - 1; l-- > 0;) {
        best = loss[l] < loss[best] ? l : best;
    }
    return lambdas_tried[best];
}

static void score_fold(const struct fitting *f, unsigned fold, double *scores)
{
    double squares = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->s->n; i++) {
        if (f->s->folds[i] == fold) {
            scores[i] = score_of(f, i);
            squares += scores[i] * scores[i];
            n++;
        }
    }
    double by = n && squares > 0 ? sqrt(squares / (double)n) : 1;
    for (size_t i = 0; i < f->s->n; i++) {
        scores[i] = f->s->folds[i] == fold ? scores[i] / by : scores[i];
    }
}

static enum err_code score_all(struct fitting *f, double *scores, double *lambdas, struct err *err)
{
    unsigned folds = f->s->n_folds;
    enum err_code rc = OK;
    for (unsigned one = 0; one < folds && rc == OK; one++) {
        for (unsigned other = one + 1; other < folds && rc == OK; other++) {
            rc = try_pair(f, one, other, err);
        }
    }
    for (unsigned fold = 0; fold < folds && rc == OK; fold++) {
        lambdas[fold] = best_lambda(f->loss[fold]);
        rc = learn(f, fold, NO_FOLD, err);
        rc = rc == OK ? solve(f, lambdas[fold], err) : rc;
        if (rc == OK) {
            score_fold(f, fold, scores);
        }
    }
    return rc;
}

enum err_code discriminator_score(const struct discriminator_images *s, const struct train_watch *watch, double *scores,
                                  double *lambdas, struct err *err)
{
    struct fitting f = {.s = s, .watch = watch, .all = (size_t)s->n_folds * (s->n_folds + 1) / 2};
    BUG_IF(s->width < 1 || s->width > DISCRIMINATOR_WIDTH || s->n > DISCRIMINATOR_IMAGES || s->n_folds < 3 ||
           s->n_folds > DISCRIMINATOR_FOLDS);
    enum err_code rc = matrix_solver_ready(err);
    if (rc != OK) {
        return rc;
    }
    struct train_rows columns = {.at = s->rows,
                                 .n = s->n,
                                 .width = s->width,
                                 .mean = xcalloc(s->width, sizeof(double)),
                                 .deviation = xcalloc(s->width, sizeof(double))};
    f.rows = xmalloc(s->n * s->width * sizeof *f.rows);
    f.weights = xmalloc(s->n * sizeof *f.weights);
    f.counts = xcalloc(2 * s->n_classes, sizeof *f.counts);
    f.mean = xmalloc(s->width * sizeof *f.mean);
    f.right = xmalloc(s->width * sizeof *f.right);
    f.beta = xmalloc(s->width * sizeof *f.beta);
    f.room = xmalloc(s->width * s->width * sizeof *f.room);
    f.loss = xcalloc(s->n_folds, sizeof *f.loss);
    train_moments_init(&f.m, s->width, 1);
    train_rows_standardise(&columns, s->threads);
    rc = score_all(&f, scores, lambdas, err);
    train_moments_release(&f.m);
    free(columns.mean);
    free(columns.deviation);
    free(f.rows);
    free(f.weights);
    free(f.counts);
    free(f.mean);
    free(f.right);
    free(f.beta);
    free(f.room);
    free(f.loss);
    return rc;
}
