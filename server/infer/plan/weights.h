/* weights.h - a model's constants in the order in which the engine reads them, made once and shared by all
 * sessions of the model. An entry is described while planning and filled when the first session is made, so
 * that a model can be checked without touching its weights. Private to infer/. */
#ifndef INFER_PLAN_WEIGHTS_H
#define INFER_PLAN_WEIGHTS_H

#include <dnnl.h>

#include "infer/graph/graph.h"

struct weights;
struct weight;

/* `constants`: the graph whose constants live as long as the model. `file`: to give pages back to; may be NULL. */
struct weights *weights_new(const struct graph *constants, const struct onnx_file *file);
void weights_free(struct weights *w);

/* Constant v of graph g, which lies as `from` says, in the order `to`, times `scale`. Equal calls give the same
 * entry. */
const struct weight *weights_reordered(struct weights *w, const struct graph *g, int v,
                                       const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to, float scale);
/* What `make` writes from constant v: `floats` of them. `a` and `b` are handed to it. */
typedef void weight_fn(const float *from, int64_t a, int64_t b, float *out);
const struct weight *weights_made(struct weights *w, const struct graph *g, int v, weight_fn *make, int64_t a,
                                  int64_t b, int64_t floats);
/* Computes it unless that was done. ERR_BUSY (rule "model-memory") when the machine has no memory. */
enum err_code weights_fill(struct weights *w, const struct weight *weight, struct err *err);
float *weight_data(const struct weight *weight); /* after weights_fill */
uint64_t weights_planned(struct weights *w);     /* bytes of all that is described, filled or not */

#endif
