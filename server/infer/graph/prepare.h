/* prepare.h - the functions that the operator table names. Private to this room. */
#ifndef INFER_GRAPH_PREPARE_H
#define INFER_GRAPH_PREPARE_H

#include "infer/graph/work.h"

typedef enum err_code prepare_fn(struct graph_work *w, const struct operator* row, struct node *n,
                                 struct err *err);
typedef enum err_code fold_fn(struct graph_work *w, struct node *n, struct err *err);

/* prepare.c */
prepare_fn prepare_unary, prepare_clip, prepare_selu, prepare_binary, prepare_pow, prepare_chain,
    prepare_mean;
prepare_fn prepare_reduce, prepare_dropout, prepare_three_inputs, prepare_batch_norm,
    prepare_instance_norm;
prepare_fn prepare_layer_norm, prepare_concat, prepare_tile, prepare_cast, prepare_shape;

/* fold_values.c */
fold_fn fold_unary, fold_binary, fold_reduce;
bool fold_knows(
    const struct node *n); /* the function of an OP_UNARY can be folded; others always */
/* fold.c: an element of a result; whole numbers and others come apart, so that no bit is lost. */
void fold_put(void *data, enum tensor_type type, int64_t i, int64_t whole, double number);
bool fold_is_whole(enum tensor_type type);
/* Through the operator table: */
fold_fn fold_constant, fold_constant_of_shape, fold_compare, fold_logic, fold_not, fold_where,
    fold_range, fold_mod;

#endif
