/* engine_model.h - models made by hand, written to a file and opened by the engine, with random weights and inputs
 * that are the same in every run. */
#ifndef TESTS_ENGINE_MODEL_H
#define TESTS_ENGINE_MODEL_H

#include "made.h"

#include "infer/engine/engine.h"

struct model {
    struct made made;
    char *folder;
    struct arena arena;
    struct engine *engine;
};

void model_begin(struct model *m);
/* A weight, scaled so that deep models neither grow nor vanish. */
void model_weights(struct made *m, const char *name, const int64_t *dims);
/* Writes the file; its path lives as long as the model. */
const char *model_file(struct model *m);
void model_open(struct model *m); /* fails the test with the engine's own words */
void model_end(struct model *m);
/* Runs n images in batches over that many threads; out[o]: room for n results of output o, NULL: not wanted. */
enum err_code engine_run(struct engine *e, const float *in, int64_t n, int64_t batch, unsigned threads,
                         float *const *out, struct err *err);

/* n numbers in [-1, 1); free. */
float *floats_random(size_t n);
void floats_free(float **lists, size_t n);
/* Fails the test where a number is farther off than 3e-5 of the largest. */
void floats_near(const float *got, const double *want, size_t n, const char *what);

#endif
