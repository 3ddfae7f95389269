/* private.h - the steps of training: images, filters, features, solution. Private to this room. */
#ifndef INFER_TRAIN_PRIVATE_H
#define INFER_TRAIN_PRIVATE_H

#include "infer/onnx/write.h"
#include "infer/train/train.h"

/* Images that are computed with at a time. Fixed: it decides the order in which numbers are added. */
enum { TRAIN_BLOCK = 256 };

struct train_images {
    unsigned side;
    size_t n, classes;
    uint32_t *labels;
    unsigned char *pixels; /* n times 3 x side x side, in planes */
};
enum err_code train_stopped(const struct train_watch *w, struct err *err); /* OK unless asked to stop */
void train_say(const struct train_watch *w, const char *what, size_t done, size_t total);

/* filters.c: weights of the convolution, filters x 3 x patch x patch, and its biases. */
struct train_filters {
    unsigned n, patch;
    float *weights, *biases;
};
enum err_code train_filters_make(const struct train_images *s, const struct train_plan *p,
                                 struct train_filters *out, struct err *err);
void train_filters_release(struct train_filters *f);

/* Images in folds, each with its share of every class: rows are in this order, so that a fold is a range. */
enum { TRAIN_FOLDS = 4 };
struct train_folds {
    uint32_t *order, *labels; /* of row i: its image, its class */
    size_t first[TRAIN_FOLDS + 1];
};

/* features.c: a row for each image, in a file that the system may put on the disk. */
struct train_rows {
    float *at; /* n x width */
    size_t n, width, bytes;
    double *mean, *deviation; /* of each column before it was standardised; of a constant one infinite */
};
/* By the model in that file; the rows' own file is beside it. */
enum err_code train_rows_make(const struct train_images *s, const uint32_t *order, const char *model,
                              unsigned threads, const struct train_watch *watch, struct train_rows *out,
                              struct err *err);
/* Every column minus its mean, over its deviation. */
void train_rows_standardise(struct train_rows *r, unsigned threads);
void train_rows_release(struct train_rows *r);

/* moments.c: what least squares needs of rows: the products of all pairs of columns (upper triangle)
 * and each column's sum per class. */
struct train_moments {
    size_t width, classes, n;
    double *products; /* width x width */
    double *sums;     /* width x classes */
    size_t *counts;   /* per class */
};
void train_moments_init(struct train_moments *m, size_t width, size_t classes);
void train_moments_release(struct train_moments *m);
/* Adds rows first .. end - 1 with sign 1, takes them away with -1. */
void train_moments_add(struct train_moments *m, const struct train_rows *r, const uint32_t *labels,
                       size_t first, size_t end, int sign, unsigned threads);

/* solve.c: the linear layer on standardised features. */
struct train_layer {
    double *weights; /* width x classes */
    double *means;   /* per class: its share of the images */
};
enum err_code train_solve(const struct train_rows *r, const struct train_folds *folds, size_t classes,
                          const struct train_plan *p, const struct train_watch *watch,
                          struct train_layer *out, struct train_facts *facts, struct err *err);
void train_layer_release(struct train_layer *l);

#endif
