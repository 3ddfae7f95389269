/* dnn.h - oneDNN as steps of a plan: descriptions of tensors, post-operations, primitives with their memory
 * objects made once. oneDNN's own threads are never used: this engine runs whole sessions side by side.
 * Private to infer/. */
#ifndef INFER_PLAN_DNN_H
#define INFER_PLAN_DNN_H

#include <dnnl.h>

#include "infer/plan/plan.h"
#include "infer/plan/weights.h"

/* Every thread that makes or runs primitives says so first. */
void dnn_use_one_thread(void);
dnnl_engine_t dnn_engine(void); /* made once, lives for ever */
/* ERR_IO, rule "processor": an x86 processor without AVX2. oneDNN 2.6 gives wrong sums of residuals there. */
enum err_code dnn_check_processor(struct err *err);
/* How many rows of a product oneDNN takes at a time. It adds up the rows that are left over in another
 * order, so a batch is made a multiple of this: an image gets the same bits wherever it stands. */
int64_t dnn_rows_at_once(void);
/* The primitive is not there or does not take this: false. Anything else is a bug and ends the program. */
bool dnn_ok(dnnl_status_t status);

dnnl_memory_desc_t dnn_tensor(const struct tensor *t);
/* Any layout that the primitive likes. */
dnnl_memory_desc_t dnn_any(uint32_t rank, const int64_t *dims);
/* Dense, row-major. */
dnnl_memory_desc_t dnn_rows(uint32_t rank, const int64_t *dims);

/* Attributes with a scratchpad that the plan provides. */
dnnl_primitive_attr_t dnn_attributes(dnnl_post_ops_t ops);
/* Appends what `act` means; false: it must be applied by another step (op_activate). That is so for functions with
 * an exponential but gelu: oneDNN's take two to three times as long as our own, more than a second pass over the
 * memory costs. */
bool dnn_activation(dnnl_post_ops_t ops, const struct activation *act);
void dnn_reorder(const dnnl_memory_desc_t *from, const float *source, const dnnl_memory_desc_t *to, float *out,
                 float scale);

/* One argument of a primitive: a tensor or a weight. */
struct dnn_use {
    int arg;
    bool written;
    const struct tensor *tensor;
    const struct weight *weight;
};
/* Appends the step; takes over `pd`. */
enum err_code dnn_add(struct plan *p, const char *what, dnnl_primitive_desc_t pd, const struct dnn_use *uses,
                      size_t n, struct err *err);
const dnnl_memory_desc_t *dnn_wants(dnnl_primitive_desc_t pd, int arg);
const char *dnn_implementation(dnnl_primitive_desc_t pd);

/* Of plan.c: makes memory objects once the plan has its memory; fills weights. */
enum err_code dnn_bind(struct plan *p, struct err *err);
void dnn_free(struct plan *p);

#endif
