/* private.h - the inside of a plan, for this room, operators/ and engine/. */
#ifndef INFER_PLAN_PRIVATE_H
#define INFER_PLAN_PRIVATE_H

#include <limits.h>
#include <stddef.h>

#include "infer/plan/plan.h"
#include "infer/plan/weights.h"

/* Floats of a plan's memory: 32 GiB. */
#define PLAN_MOST ((int64_t)1 << 33)

struct buffer {
    int64_t floats, offset; /* offset: in the plan's memory */
    int first, last;        /* steps that name it; -1: none */
    int read_until;         /* node that reads it last; INT_MAX: must stay as it is */
};
struct plan_step {
    step_fn *fn;
    const void *arg;
    const char *what;
    const struct node *node; /* NULL: an output is put in order */
    int64_t ns;              /* of its fastest run, when the session is profiled; 0: none yet */
};
/* A tensor that was copied into another layout, for who asks next. */
struct plan_copied {
    const struct tensor *from, *to;
    enum layout layout;
};
/* Where a value lies in a concatenation that has room for it: concat.c. */
struct home {
    int root; /* value that is the whole; -1: none */
    int64_t channel;
    bool ragged; /* of a whole: some part of it is no multiple of CHANNEL_BLOCK */
};
/* The nodes to plan and what goes in and out of them. */
struct plan_part {
    size_t from, to;
    int input;
    const int *outputs;
    size_t n_outputs;
};

struct dnn_step;
struct plan {
    struct arena arena;
    const struct graph *graph;
    struct weights *weights;     /* the model's, shared */
    bool blocked;                /* pictures are kept in LAYOUT_BLOCKED where that can be: layout.c */
    struct plan_part part;
    struct tensor **values;      /* by value; NULL: not made */
    struct tensor **roots;       /* by value: the whole of a concatenation */
    struct home *homes;          /* by value */
    int *last_reader;            /* node by value; -1: nobody */
    struct buffer *buffers;
    struct plan_step *steps;
    struct plan_copied *copied;
    const struct weight **needed;
    size_t n_needed, cap_needed;
    size_t n_buffers, cap_buffers, n_steps, cap_steps, n_copied, cap_copied;
    int scratch[8];              /* buffers that the next step will name */
    size_t n_scratch;
    const struct node *node;     /* being planned */
    int at;                      /* its number */
    const struct tensor **outputs; /* row-major */
    int64_t floats;
    float *memory;
    float **places;              /* run.buffers */
    struct dnn_step *dnn;        /* all steps of oneDNN */
    void *stream;                /* of oneDNN */
};

/* Plans that part. The plan is only a description until plan_bind. */
enum err_code plan_new(const struct graph *g, struct weights *weights, const struct plan_part *part,
                       struct plan **out, struct err *err);
/* Allocates its memory, puts weights in order. */
enum err_code plan_bind(struct plan *p, struct err *err);
/* Reads part.input's floats at `in`. */
void plan_run(struct plan *p, const float *in, bool profile);
const float *plan_output_at(const struct plan *p, size_t o);
void plan_free(struct plan *p);

/* memory.c: gives every buffer its offset so that no two overlap while both live; *floats: of all. */
enum err_code plan_memory(struct buffer *buffers, size_t n, int64_t *floats, struct err *err);
/* concat.c: finds the homes, before anything is planned. */
void plan_homes(struct plan *p);
/* The view of value v in its root, which is made when it is first asked for. NULL: it has no home. */
struct tensor *plan_home(struct plan *p, int v);
/* layout.c: whether blocks of channels are worth it for this graph. */
bool plan_wants_blocks(const struct plan *p);
/* Winograd's way is open to this convolution, and shorter. */
bool plan_is_winograd(const struct plan *p, const struct node *n);
/* The node's input i (residual: n_inputs) as it lies, which may be blocked. */
const struct tensor *plan_lies(struct plan *p, const struct node *n, uint32_t i);
/* As plan_output, but in its place in a blocked concatenation when it lies there in one piece. */
struct tensor *plan_output_blocked(struct plan *p, const struct node *n, uint32_t o);
/* operators/blocked.c: plans nodes whose input lies blocked so that it may stay so. false: the operator's own way. */
bool op_blocked(struct plan *p, const struct node *n);
/* A tensor of a new buffer. */
struct tensor *plan_buffer(struct plan *p, const struct value *v, enum layout layout);
/* Value v lies there from now on. */
void plan_put(struct plan *p, int v, struct tensor *t);

#endif
