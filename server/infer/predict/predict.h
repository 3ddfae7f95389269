/* predict.h - many images through one model: decoding, preprocessing and inference overlap on all cores. Each
 * thread takes the next few images, makes its block of input, runs its session and continues: the thread that
 * finishes the block that is next in the list delivers all that wait for it. Memory is bounded by
 * blocks, not images. Knows nothing of the database. */
#ifndef INFER_PREDICT_PREDICT_H
#define INFER_PREDICT_PREDICT_H

#include "infer/engine/engine.h"
#include "infer/predict/recipe.h"

struct predict_result {
    size_t index;              /* in the list */
    enum err_code failed;      /* OK, or why there is no result (the file is missing, cannot be decoded) */
    struct err why;
    const float *const *outputs; /* one per engine output: borrowed for the call */
};
struct predict_run {
    struct engine *engine;
    const struct recipe *recipe;
    struct image_limits limits;
    unsigned threads;
    int64_t batch;             /* per thread; 0: engine_best_batch */
    size_t n;
    /* The path of image i; called from the threads. */
    const char *(*path)(void *arg, size_t i);
    /* NULL, or whether the file's bytes are the image i that is meant; called from the threads. */
    enum err_code (*check)(void *arg, size_t i, const void *p, size_t n, struct err *err);
    /* In order, one call at a time. Anything but OK ends the run with that. */
    enum err_code (*take)(void *arg, const struct predict_result *r, struct err *err);
    bool (*stop)(void *arg);   /* asked after each block is taken; never beside `take` */
    void *arg;
};
/* *finished: how many results were taken. ERR_BUSY (rule "job-stopped") after stop. */
enum err_code predict_images(const struct predict_run *run, size_t *finished, struct err *err);

/* The k best of n, best first, ties to the smaller index; p: probabilities of those, by softmax over all n when
 * `logits`, in doubles. */
void predict_top(const float *scores, size_t n, bool logits, int k, uint32_t *best, float *p);

#endif
