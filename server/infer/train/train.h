/* train.h - baselines trained in place: random convolutional features and ridge regression, after Coates,
 * Ng and Lee 2011, as the random_features_* of the CIFAR-10 study.
 *
 * Filters are patches of training images, whitened (ZCA); whitening and mean are folded into the weights
 * of one convolution, whose second half is the first with the sign turned, so that after ReLU a filter
 * says both how much an image is like it (x - b) and how much unlike (-x - b). Averages over pool x pool
 * fields are the features; a linear layer solved by least squares says the class. The result is an
 * ordinary ONNX file: Conv, Relu, AveragePool, Flatten, Gemm. The same input and seed give the same
 * bytes on any number of threads. Knows nothing of the database. */
#ifndef INFER_TRAIN_TRAIN_H
#define INFER_TRAIN_TRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "image/preprocess.h"

enum { TRAIN_CLASSES = 10000, TRAIN_IMAGES = 5000000, TRAIN_SIDE = 256, TRAIN_FILTERS = 4096, TRAIN_FEATURES = 8192 };

/* What both steps ask of the caller. Any may be NULL. */
struct train_watch {
    void (*progress)(void *arg, const char *what, uint64_t done, uint64_t total); /* on the caller's thread */
    bool (*stop)(void *arg); /* then ERR_BUSY (rule "job-stopped") */
    void *arg;
};

/* ------------------------------------------------------------------ images */

struct train_list {
    size_t n, classes;
    const uint32_t *labels;                    /* below `classes` */
    const char *(*path)(void *arg, size_t i);  /* called from the threads */
    void (*skipped)(void *arg, size_t i, const struct err *why); /* cannot be decoded; in order, afterwards */
    const char *(*class_name)(void *arg, uint32_t label); /* for messages */
    void *arg;
    unsigned side, threads;
    struct image_limits limits;
};
struct train_images;
/* Decodes all of them as the recipe of the model will (train_preprocess), and keeps side x side pixels of
 * each. ERR_INPUT (rule "train-images") when a class is left with fewer than two. */
enum err_code train_images_load(const struct train_list *list, const struct train_watch *watch,
                                struct train_images **out, struct err *err);
/* As above from pixels: n times 3 x side x side bytes in planes, copied. For tests. */
enum err_code train_images_make(const struct train_list *list, const unsigned char *planes,
                                struct train_images **out, struct err *err);
void train_images_free(struct train_images *s);
size_t train_images_count(const struct train_images *s);
/* Shorter side to `side`, middle square, values 0 to 1. */
struct preprocess train_preprocess(unsigned side);

/* ------------------------------------------------------------------ a model */

struct train_plan {
    unsigned filters, patch, pool, threads;
    double lambda;   /* of the standardised features' mean square matrix; < 0: chosen on held-out folds */
    uint64_t seed;
};
struct train_facts {
    size_t images, features;
    double lambda, sharpness;  /* sharpness: what scores are multiplied with so that softmax gives probabilities */
    size_t right;              /* of `images`, by the model itself */
    size_t held_out_right;     /* of `images`, each by a model made without its fold */
};
/* ERR_INPUT (rule "train-plan") for what does not fit together, ERR_LIMIT (rule "train-size"), ERR_NOT_FOUND
 * (rule "lapack"). Checked before anything is computed: call train_plan_check before loading images. */
enum err_code train_plan_check(const struct train_plan *p, unsigned side, struct err *err);
/* Writes the model to `path`: input "image" (N x 3 x side x side), values "features" and output "scores". */
enum err_code train_model(const struct train_images *s, const struct train_plan *p, const char *path,
                          const struct train_watch *watch, struct train_facts *out, struct err *err);

#endif
