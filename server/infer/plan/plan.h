/* plan.h - from a graph with shapes to a list of steps over one block of memory.
 *
 * Each operator's file (operators/) has one function that looks at its node, asks for its inputs in the layout it
 * wants, makes its outputs and appends steps. All memory is laid out by plan.c when the last step is known:
 * a buffer lives from the first to the last step that names it, views count for what they look at, so nothing
 * is allocated while running. A plan belongs to one thread; weights in the engine's layout are shared by all
 * plans of a model (weights.h). Private to infer/; engine/engine.h is the door. */
#ifndef INFER_PLAN_PLAN_H
#define INFER_PLAN_PLAN_H

#include "infer/graph/graph.h"
#include "infer/plan/tensor.h"

struct plan;
struct weight;
struct run {
    float *const *buffers; /* by number; the first is what the caller gave, row-major */
};

/* Reads and writes through tensor_at; `arg` lives in the plan's arena. Must not allocate. */
typedef void step_fn(const struct run *r, const void *arg);
static inline float *tensor_at(const struct run *r, const struct tensor *t);

struct plan_op {
    enum op op;
    enum err_code (*plan)(struct plan *p, const struct node *n, struct err *err);
};
extern const struct plan_op plan_ops[]; /* THE operator table: ops.c; ends with OP_NONE. Functions: ops.h */

struct arena *plan_arena(struct plan *p);
const struct graph *plan_graph(const struct plan *p);
struct weights *plan_weights(struct plan *p); /* weights.h */
/* The graph's value (dimensions, constant data): input i of the node, NULL when it is left out. */
const struct value *plan_value(const struct plan *p, const struct node *n, uint32_t i);
const struct value *plan_result(const struct plan *p, const struct node *n, uint32_t o);
/* The tensor of the node's input i, as it lies (NULL: left out). Constants are row-major. */
const struct tensor *plan_input(struct plan *p, const struct node *n, uint32_t i);
const struct tensor *plan_residual(struct plan *p, const struct node *n); /* NULL: none */
/* The same values in that layout: t itself when it is so already, else a copy made by a step. */
const struct tensor *plan_as(struct plan *p, const struct tensor *t, enum layout layout);
/* A new buffer for the node's output o with the graph's dimensions. When the value is a channel part of a
 * concatenation and the layout allows it, plan_output_pixels gives a view into the concatenation's buffer:
 * channels last with a larger pixel stride, which its callers must cope with. plan_output always gives dense
 * memory (plan.c then copies it into the concatenation afterwards). */
struct tensor *plan_output(struct plan *p, const struct node *n, uint32_t o, enum layout layout);
struct tensor *plan_output_pixels(struct plan *p, const struct node *n, uint32_t o);
/* Output o is a view of t with these dims and strides (no step). */
void plan_output_view(struct plan *p, const struct node *n, uint32_t o, const struct tensor *view);
/* Output o takes over the memory of `t` when t is dense, nobody else reads it later and it has the output's
 * dimensions, else gets its own. In channels last when t is so (or pixels), else row-major: compare the strides
 * before assuming that they are t's. */
struct tensor *plan_output_over(struct plan *p, const struct node *n, uint32_t o, const struct tensor *t);
/* weights.h: filled before the plan runs. What oneDNN's steps use is known already. */
void plan_needs(struct plan *p, const struct weight *w);
/* Memory for one step, gone after the next plan_step. */
struct tensor *plan_scratch(struct plan *p, int64_t floats);
/* Appends a step. `reads` and `writes` (NULL-ended) keep their buffers alive until it has run. Tensors may be
 * copied and changed into views freely: where a buffer lies is looked up while running. */
void plan_step(struct plan *p, const char *what, step_fn *fn, const void *arg, const struct tensor *const *reads,
               const struct tensor *const *writes);
/* Appends a step that copies `from` to `to` element by element: equal dimensions, any strides. */
void plan_copy(struct plan *p, const struct tensor *from, const struct tensor *to);

static inline float *tensor_at(const struct run *r, const struct tensor *t)
{
    /* Constants and the input are read only. */
    return (t->buffer < 0 ? (float *)(uintptr_t)t->data : r->buffers[t->buffer]) + t->offset;
}

#endif
