/* prepare.c - every form an operator had in operator sets 6 to 18, brought into one.
 *
 * What needs dimensions is done later, in shapes.c.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "infer/graph/prepare.h"
#include "infer/onnx/parts.h"

enum err_code prepare_unary(struct graph_work *w, const struct operator* row, struct node *n,
                            struct err *err)
{
    (void)w;
    (void)err;
    n->u.fn = (enum function)row->kind;
    n->act.fn = n->u.fn;
    if (n->u.fn == FN_ELU) {
        n->act.a = onnx_float(n->onnx, "alpha", 1);
    } else if (n->u.fn == FN_LEAKY_RELU) {
        n->act.a = onnx_float(n->onnx, "alpha", 0.01F);
    } else if (n->u.fn == FN_HARD_SIGMOID) {
        n->act.a = onnx_float(n->onnx, "alpha", 0.2F);
        n->act.b = onnx_float(n->onnx, "beta", 0.5F);
    }
    return OK;
}

/* Bounds stand in attributes up to operator set 10, in inputs from 11 on. */
enum err_code prepare_clip(struct graph_work *w, const struct operator* row, struct node *n,
                           struct err *err)
{
    float low = -FLT_MAX, high = FLT_MAX;
    (void)row;
    for (uint32_t i = 1; i < n->n_inputs; i++) {
        if (n->inputs[i] >= 0 && !node_constant(w->g, n, i)) {
            return node_refuse(n, err, "onnx-operator", "its bounds are not constant");
        }
    }
    (void)node_number(w->g, n, "min", 1, &low);
    (void)node_number(w->g, n, "max", 2, &high);
    n->n_inputs = 1;
    n->u.fn = low == 0 && high >= FLT_MAX ? FN_RELU : FN_CLIP;
    n->act = (struct activation){n->u.fn, low, high};
    return OK;
}

enum err_code prepare_binary(struct graph_work *w, const struct operator* row, struct node *n,
                             struct err *err)
{
    (void)w;
    (void)err;
    n->u.binary = (enum binary)row->kind;
    return OK;
}

enum err_code prepare_pow(struct graph_work *w, const struct operator* row, struct node *n,
                          struct err *err)
{
    float exponent;
    if (!node_number(w->g, n, NULL, 1, &exponent) || node_input(w->g, n, 1)->rank > 1) {
        return prepare_binary(w, row, n, err);
    }
    n->op = OP_UNARY;
    n->n_inputs = 1;
    n->u.fn = exponent == 0.5F ? FN_SQRT : FN_POW;
    n->act = (struct activation){n->u.fn, exponent, 0};
    return OK;
}

/* Sum, Max, Min of any number: two at a time, from the left. */
enum err_code prepare_chain(struct graph_work *w, const struct operator* row, struct node *n,
                            struct err *err)
{
    enum err_code rc = OK;
    if (n->n_inputs == 1) {
        n->op = OP_RESHAPE;
        return OK;
    }
    n->u.binary = (enum binary)row->kind;
    while (n->n_inputs > 2 && rc == OK) {
        struct node part;
        rc = graph_derive(w, n, 2, &part, err);
        if (rc == OK) {
            memcpy(part.inputs, n->inputs, 2 * sizeof *part.inputs);
            rc = graph_append(w, &part, err);
            n->inputs++;
            n->n_inputs--;
            n->inputs[0] = part.outputs[0];
        }
    }
    return rc;
}

/* A constant of one float that stands on its own in the arena. */
static enum err_code add_scalar(struct graph_work *w, float f, int *index, struct err *err)
{
    float *data;
    enum err_code rc = onnx_take(w->a, 1, sizeof *data, &data, err);
    if (rc == OK) {
        *data = f;
        rc = graph_add_constant(w, SV(""), TYPE_F32, 0, NULL, data, index, err);
    }
    return rc;
}

/* n becomes `binary` of what it was and the number. */
static enum err_code and_then(struct graph_work *w, struct node *n, enum binary binary,
                              float number, struct err *err)
{
    struct node before;
    enum err_code rc = graph_derive(w, n, 2, &before, err);
    if (rc != OK) {
        return rc;
    }
    int result = before.outputs[0];
    int *room = before.inputs;
    before.inputs = n->inputs;
    before.n_inputs = n->n_inputs;
    rc = graph_append(w, &before, err);
    *n = (struct node){.op = OP_BINARY,
                       .onnx = n->onnx,
                       .residual = -1,
                       .inputs = room,
                       .n_inputs = 2,
                       .outputs = n->outputs,
                       .n_outputs = n->n_outputs,
                       .u.binary = binary};
    n->inputs[0] = result;
    return rc == OK ? add_scalar(w, number, &n->inputs[1], err) : rc;
}

/* The engine's SELU has the constants of its paper, which are ONNX's defaults; others are gamma *
 * ELU. */
enum err_code prepare_selu(struct graph_work *w, const struct operator* row, struct node *n,
                           struct err *err)
{
    float alpha = onnx_float(n->onnx, "alpha", 1.67326324F),
          gamma = onnx_float(n->onnx, "gamma", 1.05070098F);
    enum err_code rc = prepare_unary(w, row, n, err);
    if (rc != OK || (fabsf(alpha - 1.67326324F) < 1e-5F && fabsf(gamma - 1.05070098F) < 1e-5F)) {
        return rc;
    }
    n->u.fn = FN_ELU;
    n->act = (struct activation){FN_ELU, alpha, 0};
    return and_then(w, n, BIN_MUL, gamma, err);
}

enum err_code prepare_mean(struct graph_work *w, const struct operator* row, struct node *n,
                           struct err *err)
{
    float count = (float)n->n_inputs;
    enum err_code rc = prepare_chain(w, row, n, err);
    return rc == OK && count > 1 ? and_then(w, n, BIN_DIV, count, err) : rc;
}

enum err_code prepare_reduce(struct graph_work *w, const struct operator* row, struct node *n,
                             struct err *err)
{
    (void)w;
    (void)err;
    n->u.reduce = (enum reduce)row->kind;
    return OK;
}

/* Before operator set 7 a node says by is_test that it is meant for use; without it, it trains. */
static bool is_old_training(const struct graph *g, const struct node *n)
{
    return g->opset < 7 && onnx_int(n->onnx, "is_test", 0) == 0;
}

/* In use it does nothing; in training it drops values at random. From operator set 12 on, an input says which. */
enum err_code prepare_dropout(struct graph_work *w, const struct operator* row, struct node *n,
                              struct err *err)
{
    const struct value *training = node_input(w->g, n, 2);
    (void)row;
    if (training && (!training->data || value_elements(training) != 1)) {
        return node_refuse(n, err, "onnx-operator",
                           "its training_mode is not a single constant, so it may drop values at random: "
                           "export the model for inference");
    }
    if (is_old_training(w->g, n) || (training && value_number(training, 0) != 0)) {
        return node_refuse(n, err, "onnx-operator",
                           "it is in training mode (%s), so it drops values at random: export the model for "
                           "inference",
                           training ? "training_mode is true" : "is_test is 0");
    }
    return OK;
}

/* x, weights and a bias that may be left out: always three places. */
enum err_code prepare_three_inputs(struct graph_work *w, const struct operator* row, struct node *n,
                                   struct err *err)
{
    int *inputs;
    (void)row;
    enum err_code rc = onnx_take(w->a, 3, sizeof *inputs, &inputs, err);
    if (rc == OK) {
        for (uint32_t i = 0; i < 3; i++) {
            inputs[i] = i < n->n_inputs ? n->inputs[i] : -1;
        }
        n->inputs = inputs;
        n->n_inputs = 3;
    }
    return rc;
}

/* scale and shift of y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, in doubles. */
static enum err_code scale_and_shift(struct graph_work *w, struct node *n, int64_t channels,
                                     struct err *err)
{
    const float *in[4];
    for (uint32_t i = 0; i < 4; i++) {
        in[i] = node_floats(w->g, n, i + 1, channels);
        if (!in[i]) {
            return node_refuse(n, err, "onnx-operator",
                               "its scale, bias, mean and variance are not %lld constant floats",
                               (long long)channels);
        }
    }
    double epsilon = (double)onnx_float(n->onnx, "epsilon", 1e-5F);
    float *out;
    enum err_code rc = onnx_take(w->a, (size_t)channels, 2 * sizeof *out, &out, err);
    for (int64_t c = 0; c < channels && rc == OK; c++) {
        double scale = (double)in[0][c] / sqrt((double)in[3][c] + epsilon);
        out[c] = (float)scale;
        out[channels + c] = (float)((double)in[1][c] - (double)in[2][c] * scale);
    }
    rc = rc == OK ? graph_add_constant(w, SV(""), TYPE_F32, 1, &channels, out, &n->inputs[1], err)
                  : rc;
    return rc == OK ? graph_add_constant(w, SV(""), TYPE_F32, 1, &channels, out + channels,
                                         &n->inputs[2], err)
                    : rc;
}

/* From operator set 7 to 13 there is no word for it: a node that hands on statistics is one that trains. */
static bool hands_on_statistics(const struct graph *g, const struct node *n)
{
    bool more = false;
    for (size_t o = 1; o < n->onnx->n_outputs; o++) {
        more = more || n->onnx->outputs[o].n > 0;
    }
    return more && g->opset >= 7 && g->opset < 14;
}

enum err_code prepare_batch_norm(struct graph_work *w, const struct operator* row, struct node *n,
                                 struct err *err)
{
    (void)row;
    if (hands_on_statistics(w->g, n)) {
        return node_refuse(n, err, "onnx-operator",
                           "it has outputs for statistics, which in operator set %lld means that it trains on "
                           "each batch: export the model for inference",
                           (long long)w->g->opset);
    }
    if (onnx_int(n->onnx, "training_mode", 0) != 0 || is_old_training(w->g, n) ||
        onnx_int(n->onnx, "spatial", 1) == 0) {
        return node_refuse(n, err, "onnx-operator",
                           "it is the form for training, or not per channel");
    }
    enum err_code rc = scale_and_shift(w, n, value_elements(node_input(w->g, n, 1)), err);
    n->n_inputs = 3;
    return rc;
}

/* One node of the chain below: its result is the next one's input. */
static enum err_code link(struct graph_work *w, const struct node *n, struct node part, int a,
                          int b, int *result, struct err *err)
{
    struct node made;
    enum err_code rc = graph_derive(w, n, 2, &made, err);
    if (rc == OK) {
        made.op = part.op;
        made.u = part.u;
        made.act = part.act;
        made.inputs[0] = a;
        made.inputs[1] = b;
        made.n_inputs = b < 0 ? 1 : 2;
        *result = made.outputs[0];
        rc = graph_append(w, &made, err);
    }
    return rc;
}

/* d = x - mean(x); y = d / sqrt(mean(d * d) + epsilon) * scale + bias, the means over each
 * picture's channels. */
enum err_code prepare_instance_norm(struct graph_work *w, const struct operator* row,
                                    struct node *n, struct err *err)
{
    static const struct node pool = {.op = OP_GLOBAL_AVERAGE_POOL};
    static const struct node sub = {.op = OP_BINARY, .u.binary = BIN_SUB};
    static const struct node mul = {.op = OP_BINARY, .u.binary = BIN_MUL};
    static const struct node add = {.op = OP_BINARY, .u.binary = BIN_ADD};
    static const struct node root = {.op = OP_UNARY, .u.fn = FN_SQRT, .act = {FN_SQRT, 0, 0}};
    static const struct node div = {.op = OP_BINARY, .u.binary = BIN_DIV};
    int x = n->inputs[0], mean, d, squares, variance, epsilon, deviation;
    (void)row;
    int64_t channels = value_elements(node_input(w->g, n, 1));
    if (!node_floats(w->g, n, 1, channels) || !node_floats(w->g, n, 2, channels)) {
        return node_refuse(n, err, "onnx-operator",
                           "its scale and bias are not constant floats, one for each channel");
    }
    enum err_code rc = link(w, n, pool, x, -1, &mean, err);
    rc = rc == OK ? link(w, n, sub, x, mean, &d, err) : rc;
    rc = rc == OK ? link(w, n, mul, d, d, &squares, err) : rc;
    rc = rc == OK ? link(w, n, pool, squares, -1, &variance, err) : rc;
    rc = rc == OK ? add_scalar(w, onnx_float(n->onnx, "epsilon", 1e-5F), &epsilon, err) : rc;
    rc = rc == OK ? link(w, n, add, variance, epsilon, &variance, err) : rc;
    rc = rc == OK ? link(w, n, root, variance, -1, &deviation, err) : rc;
    return rc == OK ? link(w, n, div, d, deviation, &n->inputs[0], err) : rc;
}

enum err_code prepare_layer_norm(struct graph_work *w, const struct operator* row, struct node *n,
                                 struct err *err)
{
    n->axis = onnx_int(n->onnx, "axis", -1);
    n->epsilon = onnx_float(n->onnx, "epsilon", 1e-5F);
    return prepare_three_inputs(w, row, n, err);
}

enum err_code prepare_concat(struct graph_work *w, const struct operator* row, struct node *n,
                             struct err *err)
{
    (void)w;
    (void)row;
    (void)err;
    n->axis = onnx_int(n->onnx, "axis", 1);
    return OK;
}

/* Repeats along an axis are a concatenation of the same value. */
enum err_code prepare_tile(struct graph_work *w, const struct operator* row, struct node *n,
                           struct err *err)
{
    struct list times;
    enum err_code rc = node_list(w->g, n, "repeats", 1, &times, err);
    (void)row;
    n->op = OP_RESHAPE; /* a copy, unless an axis is left to repeat */
    n->n_inputs = 1;
    for (uint32_t axis = 0; axis < times.n && rc == OK; axis++) {
        if (times.at[axis] < 1 || times.at[axis] > ONNX_INPUTS) {
            return node_refuse(n, err, "onnx-form", "it repeats %lld times",
                               (long long)times.at[axis]);
        }
        struct node part;
        uint32_t count = (uint32_t)times.at[axis];
        rc = count > 1 ? graph_derive(w, n, count, &part, err) : OK;
        for (uint32_t i = 0; i < count && count > 1 && rc == OK; i++) {
            part.inputs[i] = n->inputs[0];
        }
        if (count > 1 && rc == OK) {
            part.op = OP_CONCAT;
            part.axis = axis;
            rc = graph_append(w, &part, err);
            n->inputs[0] = part.outputs[0];
        }
    }
    return rc;
}

enum err_code prepare_cast(struct graph_work *w, const struct operator* row, struct node *n,
                           struct err *err)
{
    (void)row;
    int64_t to = onnx_int(n->onnx, "to", 0);
    enum tensor_type type = to < 0 ? TYPE_NONE : onnx_type_of((uint64_t)to);
    if (type == TYPE_NONE) {
        return node_refuse(n, err, "onnx-type",
                           "it produces numbers of a type that the engine does not have");
    }
    node_output(w->g, n, 0)->type = type == TYPE_F16 ? TYPE_F32 : type;
    return OK;
}

enum err_code prepare_shape(struct graph_work *w, const struct operator* row, struct node *n,
                            struct err *err)
{
    (void)row;
    (void)err;
    node_output(w->g, n, 0)->type = TYPE_I64;
    return OK;
}
