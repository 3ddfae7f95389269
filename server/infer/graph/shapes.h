/* shapes.h - one function for each operator: the outputs' dimensions, the node's resolved fields.
 * They may run twice on a node and give the same. Private to this room; shapes.c has the table.
 */
#ifndef INFER_GRAPH_SHAPES_H
#define INFER_GRAPH_SHAPES_H

#include "infer/graph/work.h"

typedef enum err_code shape_fn(struct graph_work *w, struct node *n, struct err *err);

/* shapes.c */
shape_fn shape_same, shape_binary, shape_concat, shape_reduce, shape_softmax, shape_layer_norm,
    shape_batch_norm;
/* shapes_window.c */
shape_fn shape_conv, shape_pool, shape_global_pool, shape_gemm, shape_matmul;
/* shapes_resize.c */
shape_fn shape_resize;
/* shapes_move.c */
shape_fn shape_reshape, shape_slice, shape_pad, shape_transpose, shape_expand, shape_gather,
    shape_split;
shape_fn shape_depth_to_space;

/* Output o has these dimensions; ERR_LIMIT when their product is beyond any memory. */
enum err_code shape_set(struct graph_work *w, struct node *n, uint32_t o, uint32_t rank,
                        const int64_t *dims, struct err *err);
/* a and b as ONNX broadcasts them; false when they do not fit. */
bool shape_broadcast(uint32_t rank_a, const int64_t *a, uint32_t rank_b, const int64_t *b,
                     uint32_t *rank, int64_t *out);
/* "2x3x224x224", for messages. */
struct shape_text {
    char s[96];
};
struct shape_text shape_show(const struct value *v);

#endif
