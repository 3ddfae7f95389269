/* solve.c - ridge regression, one column of targets per class: 1 for images of the class, 0
 * for others.
 *
 * With standardised features X (n rows) and targets Y minus their means y, the weights are
 * W = (X'X / n + lambda I)^-1 X'(Y - y) / n, and an image's scores are x W + y. Lambda is the one
 * of a few whose models, each made without a fold, are right most often about that fold; the same
 * scores say how sharp a softmax over them must be so that its probabilities are those of being
 * right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/xalloc.h"
#include "infer/train/private.h"
#include "linalg/matrix.h"

static const double lambdas[] = {0.003, 0.01, 0.03, 0.1, 0.3, 1};
enum { LAMBDAS = sizeof lambdas / sizeof *lambdas };

/* Sharpness is 2 to the power of i / 2. */
enum { SHARPNESSES = 18 };

struct tally {
    size_t right;
    double loss[SHARPNESSES]; /* minus the logarithm of the label's probability, summed */
};

struct solving {
    const struct train_rows *r;
    const struct train_folds *folds;
    const struct train_plan *p;
    const struct train_watch *watch;
    size_t classes, n_lambdas;
    const double *lambdas;
    double *room; /* width x width, destroyed by the solver */
};

/* ------------------------------------------------------------------ solving */

static void find_means(const struct train_moments *m, double *means)
{
    for (size_t k = 0; k < m->classes; k++) {
        means[k] = (double)m->counts[k] / (double)m->n;
    }
}

/* X'(Y - y): class sums, minus y times the sum over all of the column. */
static void fill_right_side(const struct train_moments *m, const double *means, double *out)
{
    for (size_t i = 0; i < m->width; i++) {
        const double *sums = m->sums + i * m->classes;
        double all = 0;
        for (size_t k = 0; k < m->classes; k++) {
            all += sums[k];
        }
        for (size_t k = 0; k < m->classes; k++) {
            out[i * m->classes + k] = sums[k] - means[k] * all;
        }
    }
}

static enum err_code solve(const struct solving *s, const struct train_moments *m, double lambda,
                           struct train_layer *out, struct err *err)
{
    find_means(m, out->means);
    fill_right_side(m, out->means, out->weights);
    memcpy(s->room, m->products, m->width * m->width * sizeof *s->room);
    return matrix_solve_ridge(s->room, m->width, lambda * (double)m->n, out->weights, m->classes,
                              err);
}

static void layer_init(struct train_layer *l, size_t width, size_t classes)
{
    *l = (struct train_layer){xmalloc(width * classes * sizeof(double)),
                              xmalloc(classes * sizeof(double))};
}

void train_layer_release(struct train_layer *l)
{
    free(l->weights);
    free(l->means);
    *l = (struct train_layer){0};
}

/* ------------------------------------------------------------------ looking at a model */

struct looking {
    const struct solving *s;
    const struct train_layer *layer;
    size_t first, end;
    float *weights, *scores; /* scores: a block of rows for each worker */
    struct tally *tallies;   /* of each block: they are added up in order */
};

static size_t best_of(const float *scores, size_t n)
{
    size_t best = 0;
    for (size_t k = 1; k < n; k++) {
        best = scores[k] > scores[best] ? k : best;
    }
    return best;
}

/* exp(2 x) is exp(x) squared: two chains of doublings do for all sharpnesses. */
static void add_losses(const float *scores, size_t n, size_t label, float top, struct tally *t)
{
    for (size_t chain = 0; chain < 2; chain++) {
        double sums[SHARPNESSES / 2] = {0}, first = chain ? sqrt(2) : 1;
        for (size_t k = 0; k < n; k++) {
            double e = exp(first * (double)(scores[k] - top));
            for (size_t i = 0; i < SHARPNESSES / 2; i++, e *= e) {
                sums[i] += e;
            }
        }
        double by = first;
        for (size_t i = 0; i < SHARPNESSES / 2; i++, by *= 2) {
            t->loss[2 * i + chain] += log(sums[i]) - by * (double)(scores[label] - top);
        }
    }
}

static void look_at_block(void *arg, unsigned worker, size_t i)
{
    const struct looking *l = arg;
    const struct solving *s = l->s;
    size_t first = l->first + i * TRAIN_BLOCK, width = s->r->width, classes = s->classes;
    size_t n = l->end - first < TRAIN_BLOCK ? l->end - first : TRAIN_BLOCK;
    float *scores = l->scores + (size_t)worker * TRAIN_BLOCK * classes;
    matrix_product(false, false, n, classes, width, 1, s->r->at + first * width, width, l->weights,
                   classes, 0, scores, classes);
    for (size_t row = 0; row < n; row++) {
        float *of = scores + row * classes;
        size_t label = s->folds->labels[first + row];
        for (size_t k = 0; k < classes; k++) {
            of[k] += (float)l->layer->means[k];
        }
        size_t best = best_of(of, classes);
        l->tallies[i].right += best == label;
        add_losses(of, classes, label, of[best], &l->tallies[i]);
    }
}

/* How the layer does on rows first .. end - 1; added to *out. */
static void look_at(const struct solving *s, const struct train_layer *layer, size_t first,
                    size_t end, struct tally *out)
{
    unsigned threads = s->p->threads > PARALLEL_THREADS ? PARALLEL_THREADS
                       : s->p->threads < 1              ? 1
                                                        : s->p->threads;
    size_t blocks = (end - first + TRAIN_BLOCK - 1) / TRAIN_BLOCK, n = s->r->width * s->classes;
    struct looking l = {.s = s,
                        .layer = layer,
                        .first = first,
                        .end = end,
                        .weights = xmalloc(n * sizeof(float)),
                        .scores = xmalloc(threads * TRAIN_BLOCK * s->classes * sizeof(float)),
                        .tallies = xcalloc(blocks, sizeof(struct tally))};
    for (size_t i = 0; i < n; i++) {
        l.weights[i] = (float)layer->weights[i];
    }
    parallel_for(threads, blocks, look_at_block, &l);
    for (size_t i = 0; i < blocks; i++) {
        out->right += l.tallies[i].right;
        for (size_t k = 0; k < SHARPNESSES; k++) {
            out->loss[k] += l.tallies[i].loss[k];
        }
    }
    free(l.weights);
    free(l.scores);
    free(l.tallies);
}

/* ------------------------------------------------------------------ choosing */

/* Makes each lambda's model without one fold and looks at it on that fold. */
static enum err_code hold_out(const struct solving *s, const struct train_moments *all, size_t fold,
                              struct tally *tallies, struct err *err)
{
    struct train_moments rest;
    struct train_layer layer;
    size_t first = s->folds->first[fold], end = s->folds->first[fold + 1];
    enum err_code rc = OK;
    train_moments_init(&rest, all->width, all->classes);
    layer_init(&layer, all->width, all->classes);
    memcpy(rest.products, all->products, all->width * all->width * sizeof *rest.products);
    memcpy(rest.sums, all->sums, all->width * all->classes * sizeof *rest.sums);
    memcpy(rest.counts, all->counts, all->classes * sizeof *rest.counts);
    rest.n = all->n;
    train_moments_add(&rest, s->r, s->folds->labels, first, end, -1, s->p->threads);
    for (size_t i = 0; i < s->n_lambdas && rc == OK; i++) {
        train_say(s->watch, "solving", fold * s->n_lambdas + i, TRAIN_FOLDS * s->n_lambdas);
        rc = train_stopped(s->watch, err);
        rc = rc == OK ? solve(s, &rest, s->lambdas[i], &layer, err) : rc;
        if (rc == OK) {
            look_at(s, &layer, first, end, &tallies[i]);
        }
    }
    train_layer_release(&layer);
    train_moments_release(&rest);
    return rc;
}

static size_t best_sharpness(const struct tally *t)
{
    size_t best = 0;
    for (size_t k = 1; k < SHARPNESSES; k++) {
        best = t->loss[k] < t->loss[best] ? k : best;
    }
    return best;
}

/* Right most often; of equals the one whose probabilities are better. */
static size_t best_lambda(const struct tally *t, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        double a = t[i].loss[best_sharpness(&t[i])], b = t[best].loss[best_sharpness(&t[best])];
        if (t[i].right > t[best].right || (t[i].right == t[best].right && a < b)) {
            best = i;
        }
    }
    return best;
}

static enum err_code choose(const struct solving *s, const struct train_moments *all,
                            struct train_facts *facts, struct err *err)
{
    struct tally tallies[LAMBDAS] = {{0}};
    enum err_code rc = OK;
    for (size_t fold = 0; fold < TRAIN_FOLDS && rc == OK; fold++) {
        if (s->folds->first[fold + 1] > s->folds->first[fold]) {
            rc = hold_out(s, all, fold, tallies, err);
        }
    }
    size_t best = best_lambda(tallies, s->n_lambdas);
    facts->lambda = s->lambdas[best];
    facts->held_out_right = tallies[best].right;
    facts->sharpness = pow(2, (double)best_sharpness(&tallies[best]) / 2);
    return rc;
}

enum err_code train_solve(const struct train_rows *r, const struct train_folds *folds,
                          size_t classes, const struct train_plan *p,
                          const struct train_watch *watch, struct train_layer *out,
                          struct train_facts *facts, struct err *err)
{
    struct train_moments all;
    struct tally own = {0};
    struct solving s = {.r = r,
                        .folds = folds,
                        .p = p,
                        .watch = watch,
                        .classes = classes,
                        .n_lambdas = p->lambda < 0 ? LAMBDAS : 1,
                        .lambdas = p->lambda < 0 ? lambdas : &p->lambda};
    s.room = xmalloc(r->width * r->width * sizeof *s.room);
    train_moments_init(&all, r->width, classes);
    layer_init(out, r->width, classes);
    for (size_t fold = 0; fold < TRAIN_FOLDS; fold++) {
        train_moments_add(&all, r, folds->labels, folds->first[fold], folds->first[fold + 1], 1,
                          p->threads);
    }
    enum err_code rc = choose(&s, &all, facts, err);
    rc = rc == OK ? solve(&s, &all, facts->lambda, out, err) : rc;
    if (rc == OK) {
        look_at(&s, out, 0, r->n, &own);
        facts->right = own.right;
    }
    train_moments_release(&all);
    free(s.room);
    return rc;
}
