/* ops.h - what plans each operator: functions of the files in operators/, as named beside them, for THE
 * operator table (ops.c). Private to infer/. */
#ifndef INFER_PLAN_OPS_H
#define INFER_PLAN_OPS_H

#include "infer/plan/plan.h"

enum err_code op_conv(struct plan *p, const struct node *n, struct err *err);         /* conv.c */
/* depthwise.c: the one kind of convolution that our own kernel does, which op_conv hands over to it. */
bool op_depthwise_takes(const struct plan *p, const struct node *n);
enum err_code op_depthwise(struct plan *p, const struct node *n, struct err *err);
enum err_code op_gemm(struct plan *p, const struct node *n, struct err *err);         /* linear.c */
enum err_code op_pool(struct plan *p, const struct node *n, struct err *err);         /* pool.c: max, average */
enum err_code op_global_pool(struct plan *p, const struct node *n, struct err *err);  /* pool.c */
enum err_code op_concat(struct plan *p, const struct node *n, struct err *err);       /* concat.c */
enum err_code op_matmul(struct plan *p, const struct node *n, struct err *err);       /* matmul.c */
enum err_code op_unary(struct plan *p, const struct node *n, struct err *err);        /* unary.c */
enum err_code op_binary(struct plan *p, const struct node *n, struct err *err);       /* binary.c */
enum err_code op_batch_norm(struct plan *p, const struct node *n, struct err *err);   /* norm.c, also: */
enum err_code op_layer_norm(struct plan *p, const struct node *n, struct err *err);
enum err_code op_lrn(struct plan *p, const struct node *n, struct err *err);
enum err_code op_softmax(struct plan *p, const struct node *n, struct err *err);      /* softmax.c: log too */
enum err_code op_reduce(struct plan *p, const struct node *n, struct err *err);       /* reduce.c */
enum err_code op_gather(struct plan *p, const struct node *n, struct err *err);       /* gather.c */
enum err_code op_pad(struct plan *p, const struct node *n, struct err *err);          /* pad.c */
enum err_code op_resize(struct plan *p, const struct node *n, struct err *err);       /* resize.c */
enum err_code op_reshape(struct plan *p, const struct node *n, struct err *err);      /* shape.c, also: */
enum err_code op_expand(struct plan *p, const struct node *n, struct err *err);
enum err_code op_transpose(struct plan *p, const struct node *n, struct err *err);
enum err_code op_slice(struct plan *p, const struct node *n, struct err *err);
enum err_code op_split(struct plan *p, const struct node *n, struct err *err);
enum err_code op_channel_shuffle(struct plan *p, const struct node *n, struct err *err);
enum err_code op_depth_to_space(struct plan *p, const struct node *n, struct err *err);

/* linear.c: a MatMul whose second input is a constant matrix, which op_matmul hands over to it. */
bool op_linear_takes(const struct plan *p, const struct node *n);
enum err_code op_linear(struct plan *p, const struct node *n, struct err *err);
/* y = act(y), however y lies; unary.c. */
void op_activate(struct plan *p, const struct tensor *y, const struct activation *act);
/* ERR_INPUT (rule "model-operator"): the engine cannot run this form of the operator. Names the node. */
enum err_code op_refuse(const struct node *n, const char *why, struct err *err);

#endif
