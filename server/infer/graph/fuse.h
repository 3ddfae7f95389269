/* fuse.h - rewrites of a graph: each looks at one node as the last of its pattern and walks up from
 * there.
 *
 * A value in the middle of a pattern must have one use and be no output of the graph, else the
 * pattern is left as it is. The node that takes over stands where the last one stood, so that the
 * order holds. Private to this room; the list of rewrites is in fuse.c. */
#ifndef INFER_GRAPH_FUSE_H
#define INFER_GRAPH_FUSE_H

#include "infer/graph/work.h"

/* Changes n, or leaves it. Nodes that went into n are OP_NONE afterwards. */
typedef enum err_code fuse_fn(struct graph_work *w, struct node *n, struct err *err);

/* fuse_conv.c: into a convolution or product */
fuse_fn fuse_bias, fuse_batch_norm, fuse_residual, fuse_pad;
/* fuse_activation.c */
fuse_fn fuse_sigmoid_product, fuse_hard_sigmoid, fuse_hard_swish, fuse_gelu, fuse_leaky,
    fuse_activation;
/* fuse_norm.c */
fuse_fn fuse_layer_norm;
/* fuse_shape.c: only when dimensions are known */
fuse_fn fuse_no_op, fuse_global_pool, fuse_channel_shuffle, fuse_reshapes;

/* The node of that operator that makes input i of n, when n is its only use; NULL otherwise. */
struct node *fuse_above(const struct graph *g, const struct node *n, uint32_t i, enum op op);
/* The same for an OP_BINARY or OP_UNARY without an activation of its own that is this very
 * function. */
struct node *fuse_binary_above(const struct graph *g, const struct node *n, uint32_t i,
                               enum binary binary);
struct node *fuse_unary_above(const struct graph *g, const struct node *n, uint32_t i,
                              enum function fn);
bool fuse_is_binary(const struct node *n, enum binary binary);
/* n, an OP_BINARY, has a constant single number on one side: the index of the other side, -1 when
 * not. */
int fuse_number_beside(const struct graph *g, const struct node *n, float *number);
/* Near enough to be the constant that a paper names. */
bool fuse_near(float a, double b);
/* n becomes `from` with n's outputs; `from` is gone. */
void fuse_take(struct node *n, struct node *from);
void fuse_gone(struct node *n);

#endif
