/* filters.c - random patches as filters, whitened; whitening and mean end up in the weights.
 *
 * A patch x is whitened as Z (x - m), where m is the mean of many patches and Z = V (D + e)^-1/2 V'
 * of their covariance V D V'. A filter w is a whitened patch of length 1, so its response is w' Z
 * (x - m) = (Z w)' x - (Z w)' m: weights Z w and bias -(Z w)' m of a convolution on the pixels. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "infer/train/private.h"
#include "linalg/matrix.h"

/* Patches that mean and covariance are taken of; e for pixels from 0 to 1. */
enum { PATCHES = 20000 };
static const double SMOOTHING = 0.001;

struct patches {
    size_t n, width;          /* 3 x patch x patch */
    float *at;                /* n x width, minus the mean */
    double *mean, *whitening; /* width; width x width, symmetric */
};

static void copy_patch(const struct train_images *s, size_t image, size_t top, size_t left,
                       size_t patch, float *out)
{
    size_t side = s->side;
    const unsigned char *planes = s->pixels + image * 3 * side * side;
    for (size_t channel = 0; channel < 3; channel++) {
        for (size_t y = 0; y < patch; y++) {
            const unsigned char *row = planes + (channel * side + top + y) * side + left;
            for (size_t x = 0; x < patch; x++) {
                *out++ = (float)row[x] / 255;
            }
        }
    }
}

static void draw_patches(const struct train_images *s, size_t patch, struct rng *r,
                         struct patches *p)
{
    size_t places = s->side - patch + 1;
    p->at = xmalloc(p->n * p->width * sizeof *p->at);
    p->mean = xcalloc(p->width, sizeof *p->mean);
    for (size_t i = 0; i < p->n; i++) {
        size_t image = rng_below(r, s->n), top = rng_below(r, places), left = rng_below(r, places);
        float *row = p->at + i * p->width;
        copy_patch(s, image, top, left, patch, row);
        for (size_t k = 0; k < p->width; k++) {
            p->mean[k] += (double)row[k] / (double)p->n;
        }
    }
    for (size_t i = 0; i < p->n * p->width; i++) {
        p->at[i] -= (float)p->mean[i % p->width];
    }
}

/* In doubles, from float products of blocks: the order of the sums is fixed. */
static void add_covariance(const struct patches *p, double *out)
{
    size_t w = p->width;
    float *block = xmalloc(w * w * sizeof *block);
    for (size_t first = 0; first < p->n; first += TRAIN_BLOCK) {
        size_t n = p->n - first < TRAIN_BLOCK ? p->n - first : TRAIN_BLOCK;
        const float *rows = p->at + first * w;
        matrix_product(true, false, w, w, n, 1, rows, w, rows, w, 0, block, w);
        for (size_t i = 0; i < w * w; i++) {
            out[i] += (double)block[i] / (double)p->n;
        }
    }
    free(block);
}

/* Rows of `vectors` are eigenvectors. */
static void add_whitening(const double *vectors, const double *values, size_t w, double *out)
{
    for (size_t k = 0; k < w; k++) {
        const double *v = vectors + k * w;
        double by = 1 / sqrt(fmax(values[k], 0) + SMOOTHING);
        for (size_t i = 0; i < w; i++) {
            for (size_t j = 0; j < w; j++) {
                out[i * w + j] += by * v[i] * v[j];
            }
        }
    }
}

static enum err_code find_whitening(struct patches *p, struct err *err)
{
    size_t w = p->width;
    double *covariance = xcalloc(w * w, sizeof *covariance), *values = xmalloc(w * sizeof *values);
    p->whitening = xcalloc(w * w, sizeof *p->whitening);
    add_covariance(p, covariance);
    enum err_code rc = matrix_eigen(covariance, w, values, err);
    if (rc == OK) {
        add_whitening(covariance, values, w, p->whitening);
    }
    free(covariance);
    free(values);
    return rc;
}

static void whiten(const struct patches *p, const double *x, double *out)
{
    for (size_t i = 0; i < p->width; i++) {
        out[i] = 0;
        for (size_t j = 0; j < p->width; j++) {
            out[i] += p->whitening[i * p->width + j] * x[j];
        }
    }
}

/* False for a patch without any structure: it has no direction. */
static bool make_filter(const struct patches *p, const float *patch, double *w, float *weights,
                        float *bias)
{
    double *x = w + p->width, length = 0, offset = 0;
    for (size_t k = 0; k < p->width; k++) {
        x[k] = (double)patch[k];
    }
    whiten(p, x, w);
    for (size_t k = 0; k < p->width; k++) {
        length += w[k] * w[k];
    }
    if (length < 1e-6) {
        return false;
    }
    for (size_t k = 0; k < p->width; k++) {
        w[k] /= sqrt(length);
    }
    whiten(p, w, x);
    for (size_t k = 0; k < p->width; k++) {
        weights[k] = (float)x[k];
        offset -= x[k] * p->mean[k];
    }
    *bias = (float)offset;
    return true;
}

/* The patches were drawn at random: the first ones with a direction are as good as any. */
static enum err_code choose_filters(const struct patches *p, struct train_filters *out,
                                    struct err *err)
{
    double *room = xmalloc(2 * p->width * sizeof *room);
    unsigned found = 0;
    for (size_t i = 0; i < p->n && found < out->n; i++) {
        found += make_filter(p, p->at + i * p->width, room, out->weights + found * p->width,
                             out->biases + found);
    }
    free(room);
    return found == out->n
               ? OK
               : err_rule(err, ERR_INPUT, "train-images",
                          "The training images have almost no structure: only %u of %zu patches differ from "
                          "their mean, but %u filters are needed.",
                          found, p->n, out->n);
}

enum err_code train_filters_make(const struct train_images *s, const struct train_plan *plan,
                                 struct train_filters *out, struct err *err)
{
    struct rng r;
    struct patches p = {.n = plan->filters > PATCHES / 4 ? (size_t)plan->filters * 4 : PATCHES,
                        .width = (size_t)3 * plan->patch * plan->patch};
    *out = (struct train_filters){.n = plan->filters,
                                  .patch = plan->patch,
                                  .weights = xmalloc(plan->filters * p.width * sizeof(float)),
                                  .biases = xmalloc(plan->filters * sizeof(float))};
    rng_seed(&r, plan->seed);
    draw_patches(s, plan->patch, &r, &p);
    enum err_code rc = find_whitening(&p, err);
    rc = rc == OK ? choose_filters(&p, out, err) : rc;
    free(p.at);
    free(p.mean);
    free(p.whitening);
    return rc;
}

void train_filters_release(struct train_filters *f)
{
    free(f->weights);
    free(f->biases);
    *f = (struct train_filters){0};
}
