/* train.c - from decoded images to an ONNX file. */
#include "infer/train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "infer/train/private.h"
#include "linalg/matrix.h"

enum { PATCH_MOST = 16, POOL_MOST = 8 };
#define MODEL_MOST ((size_t)1 << 30)

/* How much a response must differ from the mean patch's to count; responses have a spread of
 * about 1. */
static const float THRESHOLD = 0.5F;

enum err_code train_plan_check(const struct train_plan *p, unsigned side, struct err *err)
{
    if (p->filters < 1 || p->filters > TRAIN_FILTERS || side < 1 || side > TRAIN_SIDE ||
        p->patch < 2 || p->patch > PATCH_MOST || p->pool < 1 || p->pool > POOL_MOST ||
        !(p->lambda <= 1e6)) {
        return err_rule(
            err, ERR_INPUT, "train-plan",
            "Training takes 1 to %d filters of 2 to %d pixels, images of up to %d pixels, 1 to %d "
            "fields a side and lambda up to 1e6.",
            TRAIN_FILTERS, PATCH_MOST, TRAIN_SIDE, POOL_MOST);
    }
    if (side < p->patch || side - p->patch + 1 < p->pool) {
        return err_rule(
            err, ERR_INPUT, "train-plan",
            "Filters of %u pixels on images of %u leave %u positions a side, too few for %u fields. Choose a "
            "smaller --patch or a larger --side.",
            p->patch, side, side < p->patch ? 0 : side - p->patch + 1, p->pool);
    }
    if ((size_t)p->filters * 2 * p->pool * p->pool > TRAIN_FEATURES) {
        return err_rule(
            err, ERR_LIMIT, "train-size",
            "%u filters in %u x %u fields make %u features; at most %d are possible. Choose fewer --filters "
            "or a smaller --pool.",
            p->filters, p->pool, p->pool, p->filters * 2 * p->pool * p->pool, TRAIN_FEATURES);
    }
    return matrix_solver_ready(err);
}

/* ------------------------------------------------------------------ the file */

/* The convolution has every filter twice: as it is, and with the sign turned. */
static void write_convolution(struct onnx_writer *w, const struct train_filters *f)
{
    size_t width = (size_t)3 * f->patch * f->patch, n = f->n * width;
    float *weights = xmalloc(2 * n * sizeof *weights), *biases = xmalloc(2 * f->n * sizeof *biases);
    int64_t dims[] = {2 * (int64_t)f->n, 3, f->patch, f->patch};
    for (size_t i = 0; i < n; i++) {
        weights[i] = f->weights[i];
        weights[n + i] = -f->weights[i];
    }
    for (size_t i = 0; i < f->n; i++) {
        biases[i] = f->biases[i] - THRESHOLD;
        biases[f->n + i] = -f->biases[i] - THRESHOLD;
    }
    onnx_write_weights(w, "filters", dims, 4, weights);
    onnx_write_weights(w, "offsets", dims, 1, biases);
    free(weights);
    free(biases);
}

/* The nodes from "image" to "features"; returns how many features there are. */
static size_t write_features(struct onnx_writer *w, const struct train_filters *f, unsigned side,
                             unsigned pool)
{
    int64_t places = (int64_t)side - f->patch + 1, stride = places / pool;
    int64_t field =
        places - (pool - 1) * stride; /* fields overlap a little where the places do not divide */
    int64_t patch[] = {f->patch, f->patch}, fields[] = {field, field}, strides[] = {stride, stride};
    int64_t image[] = {-1, 3, side, side};
    const struct onnx_write_attribute kernel = {
        .name = "kernel_shape", .kind = WRITE_INTS, .ints = patch, .n = 2};
    const struct onnx_write_attribute average[] = {
        {.name = "kernel_shape", .kind = WRITE_INTS, .ints = fields, .n = 2},
        {.name = "strides", .kind = WRITE_INTS, .ints = strides, .n = 2},
    };
    const struct onnx_write_attribute flat = {.name = "axis", .kind = WRITE_INT, .i = 1};
    onnx_write_input(w, "image", image, 4);
    write_convolution(w, f);
    onnx_write_node(w, "Conv", (const char *const[]){"image", "filters", "offsets", NULL},
                    "responses", &kernel, 1);
    onnx_write_node(w, "Relu", (const char *const[]){"responses", NULL}, "likeness", NULL, 0);
    onnx_write_node(w, "AveragePool", (const char *const[]){"likeness", NULL}, "averages", average,
                    2);
    onnx_write_node(w, "Flatten", (const char *const[]){"averages", NULL}, "features", &flat, 1);
    return (size_t)2 * f->n * pool * pool;
}

/* The model as far as its features, for the engine to compute them. */
static enum err_code write_first_part(const struct train_filters *f, unsigned side, unsigned pool,
                                      const char *path, struct err *err)
{
    struct onnx_writer w;
    onnx_write_begin(&w, "features", MODEL_MOST);
    int64_t dims[] = {-1, (int64_t)write_features(&w, f, side, pool)};
    onnx_write_output(&w, "features", dims, 2);
    enum err_code rc = onnx_write_file(&w, path, err);
    onnx_write_release(&w);
    return rc;
}

/* Standardisation and sharpness go into the weights: sharpness ((f - m) / d W + y). */
static void write_layer(struct onnx_writer *w, const struct train_rows *r,
                        const struct train_layer *l, size_t classes, double sharpness)
{
    float *weights = xmalloc(r->width * classes * sizeof *weights),
          *biases = xmalloc(classes * sizeof *biases);
    int64_t dims[] = {(int64_t)classes, (int64_t)r->width}, out[] = {-1, (int64_t)classes};
    const struct onnx_write_attribute turned = {.name = "transB", .kind = WRITE_INT, .i = 1};
    for (size_t k = 0; k < classes; k++) {
        double bias = l->means[k];
        for (size_t i = 0; i < r->width; i++) {
            double weight = l->weights[i * classes + k] / r->deviation[i];
            weights[k * r->width + i] = (float)(sharpness * weight);
            bias -= weight * r->mean[i];
        }
        biases[k] = (float)(sharpness * bias);
    }
    onnx_write_weights(w, "weights", dims, 2, weights);
    onnx_write_weights(w, "biases", dims, 1, biases);
    onnx_write_node(w, "Gemm", (const char *const[]){"features", "weights", "biases", NULL},
                    "scores", &turned, 1);
    onnx_write_output(w, "scores", out, 2);
    free(weights);
    free(biases);
}

/* ------------------------------------------------------------------ folds */

/* The images of each class are dealt out in a random order, so that every fold has its share of it.
 */
static void make_folds(const struct train_images *s, uint64_t seed, struct train_folds *out)
{
    struct rng r;
    uint32_t *shuffled = xmalloc(s->n * sizeof *shuffled);
    unsigned char *fold = xmalloc(s->n), *next = xcalloc(s->classes, 1);
    size_t at = 0;
    *out = (struct train_folds){
        xmalloc(s->n * sizeof(uint32_t)), xmalloc(s->n * sizeof(uint32_t)), {0}};
    for (size_t i = 0; i < s->n; i++) {
        shuffled[i] = (uint32_t)i;
    }
    rng_seed(&r, seed ^ 0x666f6c6473); /* not the numbers that the filters are drawn with */
    rng_shuffle_u32(&r, shuffled, s->n);
    for (size_t i = 0; i < s->n; i++) {
        unsigned char *of = &next[s->labels[shuffled[i]]];
        fold[shuffled[i]] = *of;
        *of = (unsigned char)((*of + 1) % TRAIN_FOLDS);
    }
    for (unsigned f = 0; f < TRAIN_FOLDS; f++) {
        out->first[f] = at;
        for (size_t i = 0; i < s->n; i++) {
            if (fold[i] == f) {
                out->order[at] = (uint32_t)i;
                out->labels[at++] = s->labels[i];
            }
        }
    }
    out->first[TRAIN_FOLDS] = at;
    free(shuffled);
    free(fold);
    free(next);
}

/* ------------------------------------------------------------------ all of it */

static enum err_code make_rows(const struct train_images *s, const struct train_plan *p,
                               const struct train_filters *f, const uint32_t *order,
                               const char *path, const struct train_watch *watch,
                               struct train_rows *out, struct err *err)
{
    size_t n = strlen(path) + 16;
    char *part = xmalloc(n);
    snprintf(part, n, "%s.part", path);
    enum err_code rc = write_first_part(f, s->side, p->pool, part, err);
    if (rc == OK) {
        rc = train_rows_make(s, order, part, p->threads, watch, out, err);
        unlink(part);
    }
    if (rc == OK) {
        train_rows_standardise(out, p->threads);
    }
    free(part);
    return rc;
}

static enum err_code write_model(const struct train_images *s, const struct train_plan *p,
                                 const struct train_filters *f, const struct train_rows *r,
                                 const struct train_layer *layer, double sharpness,
                                 const char *path, struct err *err)
{
    struct onnx_writer w;
    onnx_write_begin(&w, "random_features", MODEL_MOST);
    write_features(&w, f, s->side, p->pool);
    write_layer(&w, r, layer, s->classes, sharpness);
    enum err_code rc = onnx_write_file(&w, path, err);
    onnx_write_release(&w);
    return rc;
}

enum err_code train_model(const struct train_images *s, const struct train_plan *p,
                          const char *path, const struct train_watch *watch,
                          struct train_facts *out, struct err *err)
{
    struct train_filters filters = {0};
    struct train_folds folds = {0};
    struct train_rows rows = {0};
    struct train_layer layer = {0};
    *out = (struct train_facts){.images = s->n};
    enum err_code rc = train_plan_check(p, s->side, err);
    rc = rc == OK ? train_filters_make(s, p, &filters, err) : rc;
    if (rc == OK) {
        make_folds(s, p->seed, &folds);
        rc = make_rows(s, p, &filters, folds.order, path, watch, &rows, err);
    }
    if (rc == OK) {
        out->features = rows.width;
        rc = train_solve(&rows, &folds, s->classes, p, watch, &layer, out, err);
    }
    rc = rc == OK ? write_model(s, p, &filters, &rows, &layer, out->sharpness, path, err) : rc;
    train_layer_release(&layer);
    train_rows_release(&rows);
    train_filters_release(&filters);
    free(folds.order);
    free(folds.labels);
    return rc;
}
